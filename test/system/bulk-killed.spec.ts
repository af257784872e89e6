/** A bulk whose server is killed in the middle. contract.md sections 1 and 5. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { afterAll, expect, it } from 'vitest';
import { postgresEventStore } from '../../src/engine/log/postgres/store.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { freshDatabase } from '../support/postgres/database.ts';
import type { ServerProcess } from '../support/servers/server.ts';
import { servers } from '../support/servers/servers.ts';

const REQUESTS = '/api/service-desk/requests';
const AGENT = 'agent@acme.test';
const TICKETS = 600;
/** Lines that are read before the server is killed. */
const READ_BEFORE = 40;

const running = servers();
afterAll(() => running.release());

it('changes every ticket exactly once when it is repeated under its key', async () => {
  const { url } = await freshDatabase();
  const env = { DATABASE_URL: url, ATRIUM_DATA: temporaryDirectory('bulk-killed') };
  const server = await running.start(env);
  const buildings = await server.call(AGENT, 'GET', '/api/v1/buildings');
  const buildingId = buildings.body.items[0].id;
  const category = randomUUID();
  await Promise.all(
    Array.from({ length: TICKETS }, () =>
      server.call(AGENT, 'POST', REQUESTS, {
        body: { buildingId, category, description: 'Cold' },
      }),
    ),
  );
  const listed = async () =>
    (await server.call(AGENT, 'GET', `${REQUESTS}?category=${category}&limit=1`)).body.total;
  await expect.poll(listed).toBe(TICKETS);
  // By then the filter matches fewer: processed tickets are triaged.
  const body = {
    filter: { category, state: 'new' },
    expected: TICKETS,
    action: { transition: { state: 'triaged', note: 'Seen' } },
  };
  const headers = { 'idempotency-key': randomUUID() };
  const answered = await linesUntilKilled(server, body, headers);
  expect(answered).toBeGreaterThanOrEqual(READ_BEFORE);
  expect(answered).toBeLessThan(TICKETS);

  const next = await running.start(env);
  const repeat = await next.call(AGENT, 'POST', `${REQUESTS}/bulk`, { body, headers });
  expect([repeat.status, repeat.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
  const lines = String(repeat.body).trimEnd().split('\n');
  expect(JSON.parse(lines.pop()!)).toEqual({ summary: { done: TICKETS, refused: 0 } });

  const log = postgresEventStore({ url });
  try {
    for (const line of lines) {
      const { id } = JSON.parse(line) as { id: string };
      const types = (await log.readStream(`ticket-${id}`)).map(({ type }) => type);
      expect([id, types]).toEqual([id, ['TicketOpened', 'TicketTransitioned', 'NoteAdded']]);
    }
  } finally {
    await log.close();
  }
});

/** @returns the lines that were read of the bulk before its server was killed. */
const linesUntilKilled = async (
  server: ServerProcess,
  body: object,
  headers: Record<string, string>,
): Promise<number> => {
  const authorization = `Bearer ${await server.tokenOf(AGENT)}`;
  const sent = httpRequest(`${server.url}${REQUESTS}/bulk`, {
    method: 'POST',
    headers: { ...headers, authorization, 'content-type': 'application/json' },
  });
  sent.end(JSON.stringify(body));
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.on('error', () => {});
  let read = 0;
  try {
    for await (const _ of createInterface({ input: answer })) {
      read += 1;
      if (read === READ_BEFORE) await server.signal('SIGKILL');
    }
  } catch (error) {
    // The connection is cut.
    if (read < READ_BEFORE) throw error;
  }
  return read;
};
