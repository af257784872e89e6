/** Ticket events reach the internal bus while the publishing server is killed. */
import { Client } from 'pg';
import { afterEach, expect, it } from 'vitest';
import { postgresEventStore } from '../../src/engine/log/postgres/store.ts';
import { freshDatabase } from '../support/postgres/database.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { freePort } from '../support/servers/port.ts';
import type { Reply, ServerProcess } from '../support/servers/server.ts';
import { servers } from '../support/servers/servers.ts';
import { letPass, until, untilCount } from '../support/until.ts';
import { readFeed } from '../support/feed.ts';

const AGENT = 'agent@acme.test';
const OPERATOR = 'operator@atrium.test';
const REQUESTS = '/api/service-desk/requests';
const WRITERS = 6;
const KILLS = 4;

/** The members that changes of the feed and messages of the bus share. */
interface Ticket {
  readonly id: string;
  readonly revision: number;
  readonly updatedAt: string;
}

interface Change {
  readonly change: string;
  readonly ticket: Ticket;
}

interface Message {
  readonly subject: string;
  readonly data: Ticket & Pick<Change, 'change'>;
}

const { start, spawn, release } = servers();
afterEach(release);

it('processes are registered in a new log before the first request is answered', async () => {
  const { url, drop } = await freshDatabase();
  const db = new Client({ connectionString: url });
  await db.connect();
  // Meanwhile the read models cannot be matched with the log, and dependent parts do not run.
  await db.query(`select pg_advisory_lock(hashtextextended('atrium/log', 0))`);
  const server = await spawn({
    DATABASE_URL: url,
    ATRIUM_DATA: temporaryDirectory('first-start'),
    ATRIUM_ROLES: 'processes',
  });
  const isAnswered = () => fetch(`${server.url}/health/live`).then(({ ok }) => ok);
  await until(() => isAnswered().catch(() => false), 'the first answer');
  const log = postgresEventStore({ url });
  expect(await log.readStream('process-ticket-publishing')).toHaveLength(1);
  await log.close();
  await server.signal('SIGKILL');
  await db.end();
  await drop();
});

it('each ticket’s commands reach the bus in order, though the publisher is killed', async () => {
  const { url, drop } = await freshDatabase();
  const env = {
    DATABASE_URL: url,
    ATRIUM_DATA: temporaryDirectory('ticket-publishing'),
    PORT: String(await freePort()),
  };
  let server: ServerProcess = await start(env);
  const { body: buildings } = await server.call(AGENT, 'GET', '/api/v1/buildings');
  const buildingId: string = buildings.items[0].id;
  const enough = new AbortController();
  let answers = 0;

  /** Retries with the same idempotency key until it is answered. */
  const sent = async (method: string, path: string, key: string, body: object): Promise<Reply> => {
    const headers = { 'idempotency-key': key };
    for (;;) {
      const answer = await server.call(AGENT, method, path, { body, headers }).catch(() => null);
      if (answer && answer.status < 500) {
        answers += 1;
        return answer;
      }
      await letPass(20, 'the pause before one asks again');
    }
  };

  /** Commands of one fact and of several, and notes between them. */
  const write = async (writer: number): Promise<readonly string[]> => {
    const answered: string[] = [];
    for (let n = 0; !enough.signal.aborted; n += 1) {
      const key = `${writer}-${n}`;
      const send = async (method: string, path: string, body: object) => {
        const { status, body: said } = await sent(method, path, `${key}${path}`, body);
        expect(status, JSON.stringify(said)).toBeLessThan(300);
        return said;
      };
      const { id, revision } = await send('POST', REQUESTS, { buildingId, description: key });
      answered.push(`${id} ${revision}`);
      const at = `${REQUESTS}/${id}`;
      await send('POST', `${at}/updates`, { body: 'Seen.' });
      const triaged = { state: 'triaged', note: 'Ours.' };
      for (const ticket of [
        await send('POST', `${at}/transition`, triaged),
        await send('POST', `${at}/assign`, { assignedTeamId: 'plumbing' }),
        await send('PATCH', at, { subject: key, priority: 'high' }),
      ])
        answered.push(`${id} ${ticket.revision}`);
    }
    return answered;
  };

  const allOf = async <Item>(email: string, path: string): Promise<readonly Item[]> => {
    const page = async (after: string) =>
      (await server.call(email, 'GET', after === '' ? path : `${path}&after=${after}`)).body;
    return (await readFeed<Item>(page, '')).items;
  };
  const byTicket = (entries: readonly { readonly of: Ticket; readonly change: string }[]) =>
    Object.fromEntries(
      Map.groupBy(entries, ({ of }) => of.id)
        .entries()
        .map(([id, ofTicket]) => [
          id,
          ofTicket.map(({ of, change }) => `${of.revision} ${of.updatedAt} ${change}`),
        ]),
    );
  const fed = async () => {
    const all = await allOf<Change>(AGENT, '/api/service-desk/changes?limit=500');
    const named = all.filter(({ change }) => change !== 'note');
    return named.map(({ change, ticket: of }) => ({ of, change }));
  };
  const published = async () => {
    const all = await allOf<Message>(OPERATOR, '/api/v1/bus/events?limit=500');
    const ours = all.filter(({ subject }) => subject.includes('.service-desk.ticket.'));
    return ours.map(({ data }) => ({ of: data, change: data.change }));
  };

  const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer));
  for (let kills = 0; kills < KILLS; kills += 1) {
    await untilCount(() => answers, answers + 60, 'answers');
    await server.signal('SIGKILL');
    server = await start(env);
  }
  enough.abort();
  const answered = (await Promise.all(writers)).flat();

  const changes = await fed();
  const inFeed = new Set(changes.map(({ of }) => `${of.id} ${of.revision}`));
  expect(answered.filter((one) => !inFeed.has(one))).toEqual([]);
  expect(answered.length).toBeGreaterThan(WRITERS * KILLS);
  await expect.poll(async () => (await published()).length).toBeGreaterThanOrEqual(changes.length);
  // A redelivery has the same id, and the log keeps the first.
  expect(byTicket(await published())).toEqual(byTicket(changes));
  await server.signal('SIGKILL');
  await drop();
});
