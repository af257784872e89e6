import { describe, expect, it } from 'vitest';
import { array, assert, asyncProperty, constantFrom, integer, record } from 'fast-check';
import { systemClock } from '../../../src/engine/time/clock.ts';
import { RowCache } from '../../../src/engine/projections/apply/row-cache.ts';
import { projectionRunner } from '../../../src/engine/projections/runner.ts';
import { statementsOf } from '../../../src/engine/projections/apply/table-sql.ts';
import { CheckpointMoved } from '../../../src/engine/consumers/checkpoints.ts';
import { writer } from '../../../src/engine/projections/apply/writer.ts';
import type { EventStore, NewEvent } from '../../../src/engine/log/event-store.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { testConsumers } from '../../support/consumers/consumers.ts';
import {
  caughtUp,
  projectionsOn,
  projectionTests,
  type RunningProjections,
} from '../../support/consumers/running-projections.ts';
import {
  countedOf,
  lost,
  made,
  painted,
  rowsOf,
  talliesOf,
  widgets,
} from '../../support/consumers/sample-projection.ts';
import { inBatchesOf } from '../../support/log/batches.ts';
import { logWith } from '../../../src/engine/log/log-with.ts';
import { poolThrough } from '../../support/postgres/pool-through.ts';
import { until } from '../../support/until.ts';

const test = projectionTests();

const factsOf = async (db: RunningProjections['db']) =>
  (await rowsOf(db)).map(({ id, facts }) => [id, facts]);

describe('an event', () => {
  it('inserts a row, changes it and deletes it', async () => {
    await test.log.append('widget-a', 'no_stream', [made('red'), painted('blue')]);
    await test.log.append('widget-b', 'no_stream', [made('red', 9)]);
    await test.log.append('widget-c', 'no_stream', [made('red'), lost()]);
    const { models, db } = test.start();
    await caughtUp(models, test.log);
    const madeAt = '2026-03-02T12:00:00.000Z';
    expect(await rowsOf(db)).toEqual([
      { id: 'a', colour: 'blue', size: 1, madeAt, facts: 2, history: ['red', 'blue'] },
      { id: 'b', colour: 'red', size: 9, madeAt, facts: 1, history: ['red'] },
    ]);
    await test.log.append('widget-b', 0, [painted('green')]);
    await test.log.append('widget-a', 1, [lost()]);
    await caughtUp(models, test.log);
    expect((await rowsOf(db)).map(({ id, colour }) => [id, colour])).toEqual([['b', 'green']]);
  });

  it('counts once after a restart', async () => {
    await test.log.append('widget-a', 'no_stream', [made(), painted('blue')]);
    const first = test.start();
    await caughtUp(first.models, test.log);
    await first.stop();
    await test.log.append('widget-a', 1, [painted('green')]);
    const { models, db } = test.start();
    await caughtUp(models, test.log);
    expect(await factsOf(db)).toEqual([['a', 3]]);
  });

  it('counts once though the reply to its transaction was lost', async () => {
    const own = test.openDatabase();
    let losses = 0;
    const pool = poolThrough(own.pool, async (statement, send) => {
      const reply = await send();
      if (statement !== 'widgets_v1 write' || losses === 2) return reply;
      losses += 1;
      throw new Error('Connection terminated unexpectedly');
    });
    await test.log.append('widget-a', 'no_stream', [made(), painted('blue')]);
    const { models, db } = test.start({ db: { pool } });
    await caughtUp(models, test.log);
    await test.log.append('widget-a', 1, [painted('green')]);
    await caughtUp(models, test.log);
    expect(losses).toBe(2);
    expect(await factsOf(db)).toEqual([['a', 3]]);
    expect(await models.status()).toMatchObject([{ parked: 0 }]);
    await until(async () => (await models.status())[0]?.lastError === null, 'that it works again');
  });

  it('waits while the database is unavailable, and is not parked', async () => {
    const own = test.openDatabase();
    let failures = 0;
    const pool = poolThrough(own.pool, async (statement, send) => {
      if (!statement.startsWith('widgets_v1') || failures === 2) return send();
      failures += 1;
      throw new Error('Connection terminated unexpectedly');
    });
    await test.log.append('widget-a', 'no_stream', [made(), painted('blue')]);
    const { models, db } = test.start({ db: { pool } });
    await caughtUp(models, test.log);
    expect(failures).toBe(2);
    expect(await factsOf(db)).toEqual([['a', 2]]);
    expect(await models.status()).toMatchObject([{ parked: 0 }]);
  });

  it('counts once though every connection to the database was closed', async () => {
    const { models, db } = test.start();
    for (let round = 0; round < 5; round += 1) {
      const facts = Array.from({ length: 50 }, () => painted('blue'));
      await test.log.append('widget-a', round === 0 ? 'no_stream' : round * 50 - 1, [
        ...(round === 0 ? [made()] : [painted('blue')]),
        ...facts.slice(1),
      ]);
      await db.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
      );
    }
    await until(async () => models.waitFor(['widgets'], '250', 200));
    expect(await factsOf(db)).toEqual([['a', 250]]);
  });
});

it('applies a batch only from the position it was read at, and only once', async () => {
  const db = test.openDatabase();
  const { models, stop } = test.start();
  await test.log.append('widget-a', 'no_stream', [made()]);
  await caughtUp(models, test.log);
  await stop();
  await test.log.append('widget-a', 0, [painted('blue')]);
  const { events } = await test.log.readAll('1', { limit: 10 });
  const { apply } = writer(widgets, statementsOf(widgets), db.pool);
  const consumer = 'projection/widgets@1';
  const move = { consumer, epoch: 1, from: '1', to: '2', caughtUp: false };
  const again = () =>
    apply({ ...move, at: systemClock.now() }, events, new RowCache(10, false), new Set());
  await again();
  await expect(again()).rejects.toBeInstanceOf(CheckpointMoved);
  await test.log.append('widget-b', 'no_stream', [made('green')]);
  const { events: later } = await test.log.readAll('2', { limit: 10 });
  await expect(
    apply({ ...move, at: systemClock.now() }, later, new RowCache(10, true), new Set()),
  ).rejects.toBeInstanceOf(CheckpointMoved);
  expect(await factsOf(db)).toEqual([['a', 2]]);
  expect(await talliesOf(db)).toEqual(await countedOf(db));
});

it('rolls back the owner of an earlier epoch', async () => {
  await test.log.append('widget-a', 'no_stream', [made()]);
  const stop = new AbortController();
  const own = testConsumers(test.url, test.log);
  const { pool } = own.db;
  const first = projectionRunner({ projection: widgets, consumers: own.consumers });
  // The second runner takes over, and then receives no event.
  const silent = logWith(test.log, {
    subscribe: (_, { signal }) => test.log.subscribe('1', { signal, categories: ['nothing'] }),
  });
  const later = testConsumers(test.url, silent);
  const second = projectionRunner({ projection: widgets, consumers: later.consumers });
  const at = ({ consumers }: typeof own) => consumers.positions.here(first.consumer)?.position;

  const firstRun = first.run({ epoch: 1, signal: stop.signal });
  await until(() => at(own) === '1');
  const secondRun = second.run({ epoch: 2, signal: stop.signal });
  await until(() => at(later) !== undefined);
  await test.log.append('widget-a', 0, [painted('blue')]);
  await firstRun;
  expect(await factsOf({ pool })).toEqual([['a', 1]]);
  stop.abort();
  await secondRun;
  await Promise.all([own.stop(), later.stop()]);
});

describe('rows and tallies', () => {
  const anyFact = record({
    stream: constantFrom('a', 'b', 'c', 'd', 'e'),
    kind: constantFrom('made', 'painted', 'painted', 'painted', 'lost'),
    colour: constantFrom('red', 'blue', 'green'),
    size: integer({ min: 1, max: 9 }),
  });

  /** Only valid histories of a widget: it is made before it is painted or lost. */
  const historyOf = (
    facts: readonly { stream: string; kind: string; colour: string; size: number }[],
  ) => {
    const alive = new Set<string>();
    return facts.flatMap(({ stream, kind, colour, size }): [string, NewEvent][] => {
      if (kind === 'made' || !alive.has(stream)) {
        alive.add(stream);
        return [[`widget-${stream}`, made(colour, size)]];
      }
      if (kind === 'painted') return [[`widget-${stream}`, painted(colour)]];
      alive.delete(stream);
      return [[`widget-${stream}`, lost()]];
    });
  };

  it('are the same for any batch size, and however few rows are cached', async () => {
    let version = 1;
    const db = test.openDatabase();
    const rowsBy = async (from: EventStore, rowsCachedMax: number) => {
      version += 1;
      const projection = { ...widgets, version };
      const one = projectionsOn(test.url, from, { projections: [projection], rowsCachedMax });
      one.start();
      await caughtUp(one.models, from);
      await one.stop();
      const schema = `widgets_v${version}`;
      const rows = await rowsOf(db, schema);
      const tallies = await db.pool.query(
        `select colour, big, n from ${schema}.by_colour order by 1, 2 nulls first`,
      );
      const counted = await db.pool.query(
        `select colour, case when size > 5 then 'big' end as big, count(*) as n
         from ${schema}.widget group by 1, 2 order by 1, 2 nulls first`,
      );
      expect(tallies.rows).toEqual(counted.rows);
      return rows;
    };
    await assert(
      asyncProperty(
        array(anyFact, { minLength: 1, maxLength: 60 }),
        integer({ min: 2, max: 9 }),
        integer({ min: 0, max: 3 }),
        async (facts, events, rowsCachedMax) => {
          const history = memoryEventStore();
          for (const [stream, event] of historyOf(facts))
            await history.append(stream, 'any', [event]);
          const whole = await rowsBy(history, 1_000);
          expect(await rowsBy(inBatchesOf(1, history), rowsCachedMax)).toEqual(whole);
          expect(await rowsBy(inBatchesOf(events, history), rowsCachedMax)).toEqual(whole);
          await history.close();
        },
      ),
      { numRuns: 8 },
    );
  });
});

describe('read models dropped', () => {
  const prepared = async () => {
    await test.log.append('widget-a', 'no_stream', [made(), painted('blue')]);
    await test.log.append('widget-b', 'no_stream', [made('red', 9)]);
    const one = test.start();
    await caughtUp(one.models, test.log);
    return { ...one, before: await rowsOf(one.db) };
  };
  const backAgain = ({ models, db }: RunningProjections) =>
    until(async () => (await models.ready()) === true && (await rowsOf(db)).length === 2);

  it.each([
    ['the schema of one', 'drop schema widgets_v1 cascade'],
    ['one of its tables', 'drop table widgets_v1.widget'],
    ['one of its tallies', 'drop table widgets_v1.by_colour'],
    ['its checkpoint, though its rows are there', 'delete from consumers.checkpoint'],
    ['everything', 'drop schema widgets_v1 cascade; delete from consumers.checkpoint'],
  ])('are rebuilt without a new event: %s', async (_, drop) => {
    const one = await prepared();
    await one.db.pool.query(drop);
    await backAgain(one);
    expect(await rowsOf(one.db)).toEqual(one.before);
    expect(await talliesOf(one.db)).toEqual(await countedOf(one.db));
  });

  it('are rebuilt with events recorded meanwhile, and after a restart', async () => {
    const one = await prepared();
    await one.db.pool.query('drop schema widgets_v1 cascade');
    await test.log.append('widget-a', 1, [painted('green')]);
    await backAgain(one);
    await one.stop();
    const two = test.start();
    await caughtUp(two.models, test.log);
    expect(await factsOf(two.db)).toEqual([
      ['a', 3],
      ['b', 1],
    ]);
  });

  it('leave the schemas of other versions alone', async () => {
    const one = await prepared();
    const two = test.start({ projections: [{ ...widgets, version: 2 }] });
    await caughtUp(two.models, test.log);
    await one.db.pool.query('drop schema widgets_v1 cascade');
    await backAgain(one);
    expect(await rowsOf(two.db, 'widgets_v2')).toEqual(one.before);
    expect(await factsOf(one.db)).toEqual(one.before.map(({ id, facts }) => [id, facts]));
  });
});

describe('the status of a read model', () => {
  it('is ready at once on an empty log', async () => {
    const { models } = test.start();
    await until(async () => (await models.ready()) === true);
    expect(await models.status()).toMatchObject([
      { name: 'widgets', version: 1, position: null, lagEvents: 0, lagSeconds: 0, state: 'live' },
    ]);
  });

  it('names a version that has never caught up; once caught up, it stays ready', async () => {
    const idle = test.open();
    await test.log.append('widget-a', 'no_stream', [made()]);
    expect(await idle.models.ready()).toMatch(/still being built: widgets 1/);
    const one = test.start();
    await caughtUp(one.models, test.log);
    expect(await idle.models.ready()).toBe(true);
    await one.stop();
    await test.log.append('widget-a', 0, [painted('blue')]);
    expect(await idle.models.ready()).toBe(true);
    expect(await idle.models.status()).toMatchObject([{ state: 'stopped', owner: 'none' }]);
  });

  it('has the lag behind the head of the log, in events and in growing seconds', async () => {
    const at = (time: string) => ({ now: () => `2026-03-02T12:00:${time}.000Z` });
    let now = at('00');
    const clock = { now: () => now.now() };
    const timed = memoryEventStore(clock);
    const idle = test.open({ real: clock }, timed);
    expect(await idle.models.lag('widgets')).toEqual({ events: 0, seconds: 0 });
    await timed.append('widget-a', 'no_stream', [made()]);
    now = at('10');
    await timed.append('other-a', 'no_stream', [made()]);
    expect(await idle.models.lag('widgets')).toEqual({ events: 2, seconds: 10 });
    now = at('20');
    expect(await idle.models.lag('widgets')).toEqual({ events: 2, seconds: 20 });
    expect(await idle.models.near(['widgets'])).toBe(false);
    idle.start();
    await caughtUp(idle.models, timed);
    expect(await idle.models.lag('widgets')).toEqual({ events: 0, seconds: 0 });
  });
});
