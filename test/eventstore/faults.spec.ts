/** Appends and subscriptions while the server is killed, hangs and is available again. */
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
} from 'vitest';
import { LOG_CALL_TIMEOUT_MS, LOG_REPEAT_SEARCH_EVENTS } from '../../src/engine/limits.ts';
import { LogUnavailable, type EventStore } from '../../src/engine/log/event-store.ts';
import { eventstoreDbStore } from '../../src/engine/log/eventstoredb/store.ts';
import {
  eventstoreProgram,
  eventstoreServer,
  type EventStoreServer,
} from '../support/eventstoredb/server.ts';
import { loadOf, storedIds } from './support/append-load.ts';
import { eventsOf, happened } from '../support/log/events.ts';
import { letPass, until } from '../support/until.ts';

const program = eventstoreProgram();

describe.skipIf(!program)('a server of our own (skipped where no program is on the PATH)', () => {
  let server: EventStoreServer;
  let log: EventStore;
  let round = 0;
  const uncaught: unknown[] = [];
  const note = (error: unknown) => uncaught.push(error);

  beforeAll(async () => {
    server = await eventstoreServer(program!);
    process.on('unhandledRejection', note);
  });
  afterAll(async () => {
    process.off('unhandledRejection', note);
    await server.release();
  });
  beforeEach(() => {
    round += 1;
    log = eventstoreDbStore({ url: server.url });
  });
  afterEach(async () => {
    await log.close();
    expect(uncaught).toEqual([]);
  });

  const load = (lanes: number) => loadOf(log, `load${round}`, lanes);

  const faults: [string, () => Promise<void>][] = [
    [
      'is killed three times',
      async () => {
        for (let time = 0; time < 3; time += 1) {
          await server.kill();
          await server.start();
          await letPass(500, 'appends go on between two kills');
        }
      },
    ],
    [
      'is stopped and started again',
      async () => {
        await server.stop();
        await server.start();
      },
    ],
    [
      'hangs for 20 s',
      async () => {
        await server.freeze();
        await letPass(20_000, 'longer than any deadline');
        server.thaw();
      },
    ],
  ];

  it.each(faults)(
    'loses no acknowledged event and continues by itself when the server %s',
    async (_, fault) => {
      const categories = [`load${round}`];
      const reader = eventsOf(log, (await log.head()).position, { categories });
      const lanes = load(16);
      await until(() => lanes.acknowledged.length > 100, 'appends');
      await fault();
      const before = [...lanes.answered];
      const isAnswered = (answered: number, n: number) => answered > before[n]!;
      await until(() => lanes.answered.every(isAnswered), 'an append of each writer');
      await lanes.stop();

      const ids = await storedIds(log, categories);
      expect(new Set(ids)).toEqual(new Set(lanes.acknowledged));
      expect(ids).toHaveLength(lanes.acknowledged.length);
      const read = (await reader.next(ids.length)).map(({ id }) => id);
      expect(read).toEqual(ids);
      await reader.stop();
    },
  );

  it('answers within its deadline while the server hangs, and again afterwards', async () => {
    await log.append(`hang${round}-1`, 'no_stream', [happened('A')]);
    await server.freeze();
    await letPass(200, 'a server of many threads is not stopped at once');
    const began = performance.now();
    const guard = { guard: { stream: `hang${round}-1`, revision: 0 } };
    const calls = [
      log.append(`hang${round}-1`, 0, [happened('B')]),
      log.append(`hang${round}-2`, 'any', [happened('B')]),
      log.append(`hang${round}-3`, 'any', [happened('B')], guard),
      log.readStream(`hang${round}-1`),
      log.readAll(null, { limit: 1 }),
      log.head(),
    ];
    const answers = await Promise.allSettled(calls);
    server.thaw();
    // One deadline and not two, on a busy machine.
    expect(performance.now() - began).toBeLessThan(2 * LOG_CALL_TIMEOUT_MS - 2_000);
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 'rejected', reason: expect.any(LogUnavailable) });
    expect((await log.readStream(`hang${round}-1`)).length).toBeGreaterThan(0);
    await log.append(`hang${round}-4`, 'no_stream', [happened('C')]);
  });

  it('recognises a repeat after a restart of the server', async () => {
    const events = [happened('A'), happened('B')];
    const use = [happened('Used')];
    const first = await log.append(`repeat${round}-1`, 'no_stream', events);
    const second = await log.append(`repeat${round}-2`, 'any', use);
    await server.kill();
    await server.start();
    const again = { repeated: true };
    expect(await log.append(`repeat${round}-1`, 'no_stream', events)).toEqual({
      ...first,
      ...again,
    });
    expect(await log.append(`repeat${round}-2`, 'any', use)).toEqual({ ...second, ...again });
  });

  it('stores a repeated append while others go on appending to its journal', async () => {
    const journal = `busy${round}-1`;
    // A search for a repeat reads so many, which takes longer than an append by the others.
    const long = () => happened('A', { text: 'x'.repeat(2_000) });
    const many = () => Array.from({ length: 400 }, long);
    for (let n = 0; n < LOG_REPEAT_SEARCH_EVENTS; n += 400)
      await log.append(journal, 'any', many());
    const stop = new AbortController();
    // Also when the test fails: a closed log answers at once.
    onTestFinished(() => stop.abort());
    let acknowledged = 0;
    const unknown = (error: unknown) => {
      if (!(error instanceof LogUnavailable)) throw error;
      return null;
    };
    // They never repeat what was not answered, as clients do that give up.
    const others = Array.from({ length: 8 }, async () => {
      while (!stop.signal.aborted) {
        const appended = await log.append(journal, 'any', [long()]).catch(unknown);
        if (appended) acknowledged += 1;
      }
    });
    await until(() => acknowledged > 100, 'appends');
    await server.kill();
    const events = [happened('B')];
    expect(await log.append(journal, 'any', events).catch(unknown)).toBeNull();
    await server.start();
    const before = acknowledged;
    await until(() => acknowledged > before + 100, 'appends of the others');
    expect(await log.append(journal, 'any', events).catch(unknown)).not.toBeNull();
    stop.abort();
    await Promise.all(others);
    const stored = await storedIds(log, [`busy${round}`]);
    expect(stored.filter((id) => id === events[0]!.id)).toHaveLength(1);
  });

  it('fails no append because of an unavailable other server', async () => {
    const other = await eventstoreServer(program!);
    const elsewhere = eventstoreDbStore({ url: other.url });
    await elsewhere.append('other-1', 'any', [happened('A')]);
    const lost = elsewhere
      .append('other-1', 'any', [happened('B')])
      .catch((error: unknown) => error);
    const lanes = load(32);
    const lostToo = Array.from({ length: 32 }, (_, n) =>
      elsewhere.append(`other-${n}`, 'any', [happened('C')]).catch((error: unknown) => error),
    );
    await other.kill();
    await Promise.all([lost, ...lostToo]);
    await lanes.stop();
    expect(lanes.unanswered).toEqual([]);
    await elsewhere.close();
    await other.release();
  });
});
