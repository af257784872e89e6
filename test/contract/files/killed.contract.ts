/** A server that is killed between an attachment's bytes and its event. contract.md section 5. */
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { expect } from 'vitest';
import { formHeaders, formOf } from '../../support/api/form.ts';
import { freshDatabase } from '../../support/postgres/database.ts';
import type { ServerProcess } from '../../support/servers/server.ts';
import type { Servers } from '../../support/servers/servers.ts';
import { until } from '../../support/until.ts';

const file = { name: 'file', fileName: 'leak.txt', content: 'Leak' };

/** Uploads during which the server is killed: each is one file, and one item of the timeline. */
export const uploads = {
  attachment: { route: 'attachments', form: formOf(file) },
  note: { route: 'updates', form: formOf({ name: 'body', content: 'See' }, file) },
} as const;

export interface StoreUnderTest {
  /** Default: an attachment. */
  readonly upload?: (typeof uploads)[keyof typeof uploads];
  /** Environment of the server, beside its database. */
  readonly env: Record<string, string>;
  /** Keys of the stored files of all platforms, without unfinished ones. */
  readonly stored: () => Promise<readonly string[]>;
}

const AGENT = 'agent@acme.test';

/** Leaves no attachment without bytes, and sweeps bytes without an attachment. */
export const killedBetweenBytesAndEvent = async (
  running: Servers,
  { env: files, stored, upload: { route, form } = uploads.attachment }: StoreUnderTest,
): Promise<void> => {
  const { url } = await freshDatabase();
  const env = { DATABASE_URL: url, ...files };
  const server = await running.start(env);
  const buildings = await server.call(AGENT, 'GET', '/api/v1/buildings');
  const requests = '/api/service-desk/requests';
  const { body: ticket } = await server.call(AGENT, 'POST', requests, {
    body: { buildingId: buildings.body.items[0].id, description: 'Leak' },
  });
  const path = `${requests}/${ticket.id}/attachments`;
  const timelineOf = async (of: ServerProcess) =>
    (await of.call(AGENT, 'GET', `${requests}/${ticket.id}/updates`)).body.items;
  const headers = { 'idempotency-key': randomUUID() };
  const upload = async (to: ServerProcess) => {
    const authorization = `Bearer ${await to.tokenOf(AGENT)}`;
    const sent = { ...formHeaders, ...headers, authorization };
    const address = `${to.url}${requests}/${ticket.id}/${route}`;
    return fetch(address, { method: 'POST', headers: sent, body: form });
  };

  const other = new Client({ connectionString: url });
  await other.connect();
  try {
    // Reads continue, appends wait.
    await other.query('begin; lock table es.event in share mode');
    const answered = upload(server).then(
      () => 'answered',
      () => 'cut',
    );
    await until(async () => (await stored()).length === 1, 'the durable file');
    await server.signal('SIGKILL');
    expect(await answered).toBe('cut');
    // Postgres would otherwise complete the killed server's statements.
    const others = `from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`;
    await until(async () => {
      // A transaction caches pg_stat_activity from its first look.
      await other.query('select pg_stat_clear_snapshot()');
      await other.query(`select pg_terminate_backend(pid) ${others}`);
      await other.query('select pg_stat_clear_snapshot()');
      return (await other.query(`select ${others}`)).rowCount === 0;
    }, 'the end of its connections');
    await other.query('rollback');

    const next = await running.start(env);
    expect((await next.call(AGENT, 'GET', path)).body).toEqual({ items: [] });
    expect(await timelineOf(next)).toEqual([]);
    expect(await stored()).toHaveLength(1);
    await next.signal('SIGKILL');

    // As if the grace period had passed.
    const aged = `update files.reference set claimed_at = claimed_at - interval '2 hours'`;
    expect((await other.query(aged)).rowCount).toBe(1);
    const last = await running.start(env);
    await until(async () => (await stored()).length === 0, 'the sweep');
    // Repeating the same upload creates no second one.
    expect((await upload(last)).status).toBe(201);
    expect((await upload(last)).headers.get('idempotent-replayed')).toBe('true');
    expect((await last.call(AGENT, 'GET', path)).body.items).toHaveLength(1);
    expect(await timelineOf(last)).toHaveLength(1);
    expect(await stored()).toHaveLength(1);
  } finally {
    await other.end();
  }
};
