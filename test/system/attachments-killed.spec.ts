/** A server that is killed between an attachment's bytes and its event. contract.md section 5. */
import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, expect, it } from 'vitest';
import { formHeaders, formOf } from '../support/api/form.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { freshDatabase } from '../support/postgres/database.ts';
import type { ServerProcess } from '../support/servers/server.ts';
import { servers } from '../support/servers/servers.ts';
import { until } from '../support/until.ts';

const AGENT = 'agent@acme.test';
const running = servers();
afterAll(() => running.release());

it('leaves no attachment without bytes, and sweeps bytes without an attachment', async () => {
  const { url } = await freshDatabase();
  const directory = temporaryDirectory('attachments-killed');
  const env = { DATABASE_URL: url, ATRIUM_DATA: directory };
  const stored = async (): Promise<readonly string[]> => {
    const all = await readdir(join(directory, 'files'), { recursive: true, withFileTypes: true });
    return all.filter((one) => one.isFile()).map((one) => one.parentPath);
  };
  const server = await running.start(env);
  const buildings = await server.call(AGENT, 'GET', '/api/v1/buildings');
  const requests = '/api/service-desk/requests';
  const { body: ticket } = await server.call(AGENT, 'POST', requests, {
    body: { buildingId: buildings.body.items[0].id, description: 'Leak' },
  });
  const path = `${requests}/${ticket.id}/attachments`;
  const form = formOf({ name: 'file', fileName: 'leak.txt', content: 'Leak' });
  const headers = { 'idempotency-key': randomUUID() };
  const upload = async (to: ServerProcess) => {
    const authorization = `Bearer ${await to.tokenOf(AGENT)}`;
    const sent = { ...formHeaders, ...headers, authorization };
    return fetch(`${to.url}${path}`, { method: 'POST', headers: sent, body: form });
  };

  const other = new Client({ connectionString: url });
  await other.connect();
  try {
    // Reads go on, appends wait.
    await other.query('begin; lock table es.event in share mode');
    const answered = upload(server).then(
      () => 'answered',
      () => 'cut',
    );
    await until(async () => {
      const files = await stored().catch(() => []);
      return files.length === 1 && !files[0]!.endsWith('unfinished');
    }, 'the durable file');
    await server.signal('SIGKILL');
    expect(await answered).toBe('cut');
    // Postgres would carry out what the killed server has asked for.
    const others = `from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`;
    await until(async () => {
      // A transaction sees the connections as they were when it first looked.
      await other.query('select pg_stat_clear_snapshot()');
      await other.query(`select pg_terminate_backend(pid) ${others}`);
      await other.query('select pg_stat_clear_snapshot()');
      return (await other.query(`select ${others}`)).rowCount === 0;
    }, 'the end of its connections');
    await other.query('rollback');

    const next = await running.start(env);
    expect((await next.call(AGENT, 'GET', path)).body).toEqual({ items: [] });
    expect(await stored()).toHaveLength(1);
    await next.signal('SIGKILL');

    // As if the time of grace had passed.
    const aged = `update files.reference set claimed_at = claimed_at - interval '2 hours'`;
    expect((await other.query(aged)).rowCount).toBe(1);
    const last = await running.start(env);
    await until(async () => (await stored()).length === 0, 'the sweep');
    // The same upload again is no other one.
    expect((await upload(last)).status).toBe(201);
    expect((await upload(last)).headers.get('idempotent-replayed')).toBe('true');
    expect((await last.call(AGENT, 'GET', path)).body.items).toHaveLength(1);
    expect(await stored()).toHaveLength(1);
  } finally {
    await other.end();
  }
});
