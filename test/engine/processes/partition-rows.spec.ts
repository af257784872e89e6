/** The rows of parked partitions, between two turns of one owner. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CheckpointMoved, checkpoints } from '../../../src/engine/consumers/checkpoints.ts';
import { loggerOf } from '../../../src/engine/observe/logging.ts';
import { openDatabase, type Database } from '../../../src/engine/postgres/pool.ts';
import { parkedPartitions, partitionRows } from '../../../src/engine/processes/partition-rows.ts';
import { systemClock } from '../../../src/engine/time/clock.ts';
import { freshDatabase } from '../../support/postgres/database.ts';
import { lockWaits } from '../../support/postgres/lock-waits.ts';
import { until } from '../../support/until.ts';

const CONSUMER = 'process/notifying';
const EPOCH = 1;
const event = {
  stream: 'task-a',
  eventId: '0190a1b2-0000-7000-8000-000000000001',
  revision: 0,
  position: '1',
};
const row = { partition: 'task-a', event, reason: 'no', retryAt: null, skipped: 0 };

let database: Awaited<ReturnType<typeof freshDatabase>>;
let db: Database;
let pool: Database['pool'];
beforeEach(async () => {
  database = await freshDatabase();
  db = openDatabase({ url: database.url, logger: loggerOf('silent') });
  ({ pool } = db);
});
afterEach(async () => {
  await db.close();
  await database.drop();
});

/** The rows of a turn, which begins with a claim. */
const claimed = async () => {
  const found = await checkpoints(pool).claim(CONSUMER, EPOCH, systemClock.now());
  return partitionRows(pool, CONSUMER, { epoch: EPOCH, claim: found!.claim }, systemClock);
};

it('are written by no earlier turn of the same owner', async () => {
  const earlier = await claimed();
  await earlier.park(row);
  await claimed();
  for (const write of [
    () => earlier.park({ ...row, reason: 'again' }),
    () => earlier.count(new Map([['task-a', 1]])),
    () => earlier.forget('task-a'),
    () => earlier.skip(event),
  ])
    await expect(write()).rejects.toThrow(CheckpointMoved);
  expect(await parkedPartitions(pool, CONSUMER)).toEqual([row]);
  expect(await checkpoints(pool).skipped(CONSUMER)).toEqual(new Set());
});

it('show the next turn what was in flight when it began', async () => {
  const earlier = await claimed();
  await earlier.park(row);
  const other = await pool.connect();
  await other.query('begin; select from consumers.parked for update');
  const order: string[] = [];
  const forgotten = earlier.forget('task-a').then(() => order.push('forgotten'));
  await until(async () => (await lockWaits(pool)) === 1, 'the write to wait');
  const next = claimed().then(() => order.push('claimed'));
  await until(async () => (await lockWaits(pool)) === 2, 'the claim to wait');
  await other.query('commit');
  other.release();
  await Promise.all([forgotten, next]);
  expect(order).toEqual(['forgotten', 'claimed']);
  expect(await parkedPartitions(pool, CONSUMER)).toEqual([]);
});
