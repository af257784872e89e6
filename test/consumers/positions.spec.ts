import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/pool.ts';
import { loggerOf } from '../../src/ops/logging.ts';
import type { EventStore } from '../../src/store/event-store.ts';
import { memoryEventStore } from '../../src/store/memory.ts';
import { freshDatabase } from '../support/postgres/database.ts';
import {
  made,
  painted,
  platform,
  poolThrough,
  things,
  type Platform,
} from '../support/consumers/sample-projection.ts';

const others = { ...things, name: 'others' };
let database: Awaited<ReturnType<typeof freshDatabase>>;
let log: EventStore;
let running: Platform[];

beforeEach(async () => {
  database = await freshDatabase();
  log = memoryEventStore();
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((each) => each.stop()));
  await log.close();
  await database.drop();
});

const opened = (options: Parameters<typeof platform>[2] = {}) => {
  const one = platform(database.url, log, options);
  running.push(one);
  return one;
};

it('ends as soon as the read model shows the position, fed here or elsewhere', async () => {
  const [feeding, reading] = [opened(), opened()];
  feeding.start();
  const waits = [feeding, reading].map(({ models }) => models.waitFor(['things'], '1', 10_000));
  await log.append('thing-a', 'no_stream', [made()]);
  expect(await Promise.all(waits)).toEqual([true, true]);
  const { rows } = await reading.db.pool.query('select id from things_v1.thing');
  expect(rows).toEqual([{ id: 'a' }]);
});

it('is over after its time when the position is not reached', async () => {
  const [feeding, reading] = [opened(), opened()];
  feeding.start();
  await log.append('thing-a', 'no_stream', [made()]);
  expect(await feeding.models.waitFor(['things'], '1', 5_000)).toBe(true);
  const waits = [feeding, reading].map(({ models }) => models.waitFor(['things'], '3', 300));
  await log.append('thing-a', 0, [painted('blue')]);
  expect(await Promise.all(waits)).toEqual([false, false]);
});

it('lasts until every one of the names has come so far', async () => {
  const projections = [things, others];
  const feeding = opened({ projections: [things] });
  const reading = opened({ projections });
  feeding.start();
  await log.append('thing-a', 'no_stream', [made()]);
  expect(await reading.models.waitFor(['things'], '1', 5_000)).toBe(true);
  expect(await reading.models.waitFor(['things', 'others'], '1', 200)).toBe(false);
  const both = reading.models.waitFor(['things', 'others'], '1', 10_000);
  opened({ projections: [others] }).start();
  expect(await both).toBe(true);
});

it('counts only the version of this release', async () => {
  const projections = [{ ...things, version: 2 }];
  await log.append('thing-a', 'no_stream', [made()]);
  const newer = opened({ projections });
  newer.start();
  expect(await newer.models.waitFor(['things'], '1', 5_000)).toBe(true);
  await running.pop()!.stop();
  const older = opened();
  older.start();
  await log.append('thing-a', 0, [painted('blue')]);
  expect(await older.models.waitFor(['things'], '2', 5_000)).toBe(true);
  expect(await opened({ projections }).models.waitFor(['things'], '2', 200)).toBe(false);
});

it('does not count a checkpoint whose tables are gone', async () => {
  const feeding = opened();
  feeding.start();
  await log.append('thing-a', 'no_stream', [made()]);
  expect(await feeding.models.waitFor(['things'], '1', 5_000)).toBe(true);
  await running.pop()!.stop();
  const reading = opened();
  await reading.db.pool.query('drop schema things_v1 cascade');
  expect(await reading.models.waitFor(['things'], '1', 200)).toBe(false);
});

it('asks the database once for all who wait', async () => {
  const own = openDatabase({ url: database.url, logger: loggerOf('silent') });
  let looks = 0;
  const pool = poolThrough(own.pool, (statement, send) => {
    if (statement === 'consumers checkpoints') looks += 1;
    return send();
  });
  const reading = opened({ db: { pool } });
  await Promise.all(
    Array.from({ length: 200 }, () => reading.models.waitFor(['things'], '1', 300)),
  );
  expect(looks).toBeGreaterThan(2);
  expect(looks).toBeLessThan(100);
  await running.pop()!.stop();
  await own.close();
});

it('goes on where the read model is fed elsewhere from then on', async () => {
  const first = opened();
  first.start();
  await log.append('thing-a', 'no_stream', [made()]);
  expect(await first.models.waitFor(['things'], '1', 5_000)).toBe(true);
  const second = opened();
  const waiting = second.models.waitFor(['things'], '2', 10_000);
  await running.shift()!.stop();
  opened().start();
  await log.append('thing-a', 0, [painted('blue')]);
  expect(await waiting).toBe(true);
});

it('reaches positions at which nothing of interest lies', async () => {
  const [feeding, reading] = [opened(), opened()];
  feeding.start();
  await log.append('thing-a', 'no_stream', [made()]);
  expect(await feeding.models.waitFor(['things'], '1', 5_000)).toBe(true);
  for (let at = 0; at < 30; at += 1) await log.append('foreign-a', 'any', [made()]);
  expect(await feeding.models.waitFor(['things'], '31', 5_000)).toBe(true);
  expect(await reading.models.waitFor(['things'], '31', 5_000)).toBe(true);
  expect(await reading.models.lag('things')).toEqual({ events: 0, seconds: 0 });
});

it('knows no read model of another name', async () => {
  await expect(opened().models.waitFor(['nothing'], '1', 10)).rejects.toThrow('nothing');
});
