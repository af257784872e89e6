/**
 * Whole servers whose log is a real EventStoreDB: what the README promises, through HTTP, while
 * processes and the log's own server are killed, stopped and hung.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventstoreDbStore } from '../../src/store/eventstoredb.ts';
import { freshDatabase } from '../support/database.ts';
import { temporaryDirectory } from '../support/directory.ts';
import {
  eventstoreProgram,
  eventstoreServer,
  type EventStoreServer,
} from '../support/eventstoredb.ts';
import { servers, type Servers } from '../support/system.ts';
import {
  AGENT,
  AGREES,
  buildingOf,
  comparison,
  listed,
  REQUESTS,
  ticketLoad,
  watchReadiness,
} from '../support/ticket-load.ts';

const program = eventstoreProgram();
/** Every answer comes within the deadline of a request, and what it takes to notice it. */
const ANSWER_MAX_MS = 20_000;
/** Whether anybody has noticed that it was not ready is left open. */
const ANY = /(?:)/;

describe.skipIf(!program)('on a real EventStoreDB (skipped: no server program on the PATH)', () => {
  let log: EventStoreServer;
  let running: Servers;
  let env: Record<string, string>;

  beforeAll(async () => {
    log = await eventstoreServer(program!);
  });
  afterAll(() => log.release());
  beforeEach(async () => {
    running = servers();
    // Postgres keeps the read models and the graph; one directory, one key of the issuer.
    const { url } = await freshDatabase();
    const ATRIUM_DATA = temporaryDirectory('eventstore-system');
    env = { EVENTSTORE_URL: log.url, DATABASE_URL: url, ATRIUM_DATA };
  });
  afterEach(() => running.release());

  it('raises, moves, assigns and finds tickets; after kill -9 everything is there', async () => {
    let server = await running.start(env);
    const call = (method: string, path: string, ask = {}) => server.call(AGENT, method, path, ask);
    const buildingId = await buildingOf(server);
    const headers = { 'idempotency-key': randomUUID() };
    const word = `thermostat${randomUUID().slice(0, 8)}`;
    const body = { buildingId, description: `air conditioner ${word}`, priority: 'high' };
    const first = await call('POST', REQUESTS, { body, headers });
    expect(first.status).toBe(201);
    const path = `${REQUESTS}/${first.body.id}`;
    const team = randomUUID();
    await call('POST', `${path}/transition`, { body: { state: 'triaged' } });
    await call('POST', `${path}/assign`, { body: { assignedTeamId: team } });
    const found = `${REQUESTS}?state=triaged&assignedTeamId=${team}&search=${word}`;
    expect((await call('GET', found)).body.total).toBe(1);
    const before = await listed(server);

    await server.signal('SIGKILL');
    server = await running.start(env);

    expect(await listed(server)).toEqual(before);
    expect((await call('GET', found)).body.items[0].id).toBe(first.body.id);
    const again = await call('POST', REQUESTS, { body, headers });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    await server.signal('SIGTERM');
    expect(server.process.exitCode).toBe(0);
  });

  it('is served by two processes at once; one is killed and nothing is lost', async () => {
    const all = [await running.start(env), await running.start(env)];
    const before = await listed(all[0]!);
    const load = await ticketLoad({ servers: () => all, lanes: 6 });
    await load.more(50);
    // A lane that asks the dead one asks the other one next.
    await all[0]!.signal('SIGKILL');
    await load.more(50);
    await load.stop();
    const compared = () => comparison(all[1]!, before, load.acknowledged);
    await expect.poll(compared, { timeout: 30_000, interval: 500 }).toEqual(AGREES);
  });

  const faults: [string, RegExp, () => Promise<void>][] = [
    [
      'is killed three times',
      ANY,
      async () => {
        for (let time = 0; time < 3; time += 1) {
          await log.kill();
          await log.start();
          await sleep(500);
        }
      },
    ],
    [
      'hangs for 20 s',
      /event log/,
      async () => {
        log.freeze();
        await sleep(20_000);
        log.thaw();
      },
    ],
    [
      'is stopped for 5 s and started again',
      /event log/,
      async () => {
        await log.stop();
        await sleep(5_000);
        await log.start();
      },
    ],
  ];

  it.each(faults)('loses nothing and goes on by itself when the log %s', async (_, red, fault) => {
    const server = await running.start(env);
    const before = await listed(server);
    const readiness = watchReadiness(server);
    const load = await ticketLoad({ servers: () => [server], lanes: 8 });
    await load.more(20);
    await fault();
    await load.more(50);
    await load.stop();

    const compared = () => comparison(server, before, load.acknowledged);
    await expect.poll(compared, { timeout: 30_000, interval: 500 }).toEqual(AGREES);
    await expect.poll(() => readiness.green(), { timeout: 10_000 }).toBe(true);
    await readiness.stop();
    expect([...readiness.reasons].join('; ')).toMatch(red);
    expect(load.slowestMs()).toBeLessThan(ANSWER_MAX_MS);
    expect(readiness.slowestMs()).toBeLessThan(ANSWER_MAX_MS / 4);
    // And whoever comes after it, by another process.
    const late = await running.start(env);
    expect(await comparison(late, before, load.acknowledged)).toEqual(AGREES);
  });

  it('brings the lists back into an empty Postgres, and gives no command that is done', async () => {
    const server = await running.start(env);
    const load = await ticketLoad({ servers: () => [server], lanes: 4 });
    await load.more(100);
    await load.stop();
    await expect
      .poll(async () => (await comparison(server, [], load.acknowledged)).missing, {
        timeout: 10_000,
      })
      .toBe(0);
    const before = await listed(server);
    await server.signal('SIGTERM');
    const store = eventstoreDbStore({ url: log.url });
    const head = await store.head();

    const { url } = await freshDatabase();
    const anew = await running.start({ ...env, DATABASE_URL: url });
    const byNumber = (items: typeof before) =>
      items.toSorted((one, two) => one.number.localeCompare(two.number));
    // The demo building is made anew with the graph, and with it nothing but announcements.
    await expect
      .poll(async () => byNumber(await listed(anew)), { timeout: 30_000, interval: 500 })
      .toEqual(byNumber(before));
    await sleep(6_000);
    const { events } = await store.readAll(head.position, { limit: 1_000 });
    const recorded = events.filter(({ stream }) => stream.startsWith('ticket-'));
    expect(recorded.map(({ type }) => type)).toEqual([]);
    await store.close();
  });
});
