/** The stored files of attachments follow their events on a real EventStoreDB. contract.md 5. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { directoryStores } from '../../src/files/directory-store.ts';
import { formHeaders, formOf } from '../support/api/form.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { eventstoreProgram, eventstoreServer } from '../support/eventstoredb/server.ts';
import { freshDatabase } from '../support/postgres/database.ts';
import { servers } from '../support/servers/servers.ts';
import { until } from '../support/until.ts';

const AGENT = 'agent@acme.test';
const REQUESTS = '/api/service-desk/requests';
const program = eventstoreProgram();
const running = servers();
afterAll(() => running.release());

describe('on a real EventStoreDB', () => {
  it('settles claims and removes bytes by the log, through kills of the server', async () => {
    const log = program ? await eventstoreServer(program) : null;
    const { url } = await freshDatabase();
    const directory = temporaryDirectory('attachments-eventstore');
    const files = directoryStores(join(directory, 'files')).of('main');
    const stored = async () => (await Array.fromAsync(files.stored())).flat().length;
    const database = new Client({ connectionString: url });
    await database.connect();
    const claims = async () =>
      (await database.query('select from files.reference where claimed_at is not null')).rowCount;
    try {
      const EVENTSTORE_URL = log?.url ?? inject('eventstoreUrl');
      const env = { EVENTSTORE_URL, DATABASE_URL: url, ATRIUM_DATA: directory };
      const server = await running.start(env);
      const { body: buildings } = await server.call(AGENT, 'GET', '/api/v1/buildings');
      const { body: ticket } = await server.call(AGENT, 'POST', REQUESTS, {
        body: { buildingId: buildings.items[0].id, description: 'Leak' },
      });
      const path = `${REQUESTS}/${ticket.id}/attachments`;
      const authorization = `Bearer ${await server.tokenOf(AGENT)}`;
      for (const content of ['one', 'two', 'one']) {
        const headers = { ...formHeaders, authorization, 'idempotency-key': randomUUID() };
        const body = formOf({ name: 'file', fileName: 'leak.txt', content });
        const answer = await fetch(`${server.url}${path}`, { method: 'POST', headers, body });
        expect(answer.status).toBe(201);
      }
      await server.signal('SIGKILL');
      const next = await running.start(env);
      await until(async () => (await claims()) === 0, 'the end of the claims');
      expect(await stored()).toBe(2);
      const { items } = (await next.call(AGENT, 'GET', path)).body;
      const removed = async ({ attachmentId }: { attachmentId: string }) =>
        (await next.call(AGENT, 'DELETE', `${path}/${attachmentId}`)).status;
      expect(await removed(items[0])).toBe(204);
      expect(await removed(items[1])).toBe(204);
      await next.signal('SIGKILL');
      const last = await running.start(env);
      await until(async () => (await stored()) === 1, 'the removal of the bytes');
      const left = (await last.call(AGENT, 'GET', path)).body.items;
      expect(left).toHaveLength(1);
      const whole = await fetch(`${last.url}${path}/${left[0].attachmentId}`, {
        headers: { authorization: `Bearer ${await last.tokenOf(AGENT)}` },
      });
      expect(await whole.text()).toBe('one');
    } finally {
      await database.end();
      await log?.release();
    }
  });
});
