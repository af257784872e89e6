/** Checkpoints that move past skipped events: batched, and none blocked by another. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  CheckpointMoved,
  checkpoints as checkpointsIn,
  type Checkpoints,
} from '../../../src/engine/consumers/checkpoints.ts';
import { processId } from '../../../src/engine/consumers/consumer.ts';
import { openDatabase, type Database } from '../../../src/engine/postgres/pool.ts';
import { loggerOf } from '../../../src/engine/observe/logging.ts';
import { freshDatabase, type TestDatabase } from '../../support/postgres/database.ts';

const AT = '2026-03-01T08:00:00.000Z';
const EPOCH = 3;
const CONSUMERS = Array.from({ length: 40 }, (_, n) => processId(`sample-${n}`));
const [FIRST = ''] = CONSUMERS;
let database: TestDatabase;
let db: Database;
let statements: number;
/** The next statements to fail. */
let failing: number;
let checkpoints: Checkpoints;

beforeEach(async () => {
  database = await freshDatabase();
  db = openDatabase({ url: database.url, logger: loggerOf('silent') });
  for (const consumer of CONSUMERS) await checkpointsIn(db.pool).claim(consumer, EPOCH, AT);
  statements = 0;
  failing = 0;
  const query = (...given: unknown[]) => {
    statements += 1;
    if (statements <= failing) return Promise.reject(new Error('the connection was lost'));
    return Reflect.apply(db.pool.query, db.pool, given);
  };
  checkpoints = checkpointsIn({ query } as Pick<typeof db.pool, 'query'>);
});
afterEach(async () => {
  await db.close();
  await database.drop();
});

const move = (consumer: string, to: string, { from = null, epoch = EPOCH }: Partial<Where> = {}) =>
  checkpoints.move(consumer, epoch, { from, to, at: AT });
interface Where {
  readonly from: string | null;
  readonly epoch: number;
}
const positions = async () =>
  new Map((await checkpointsIn(db.pool).all()).map((one) => [one.consumer, one.position]));

it('move together in one statement', async () => {
  await Promise.all(CONSUMERS.map((consumer) => move(consumer, '7')));
  expect(statements).toBe(1);
  expect(await positions()).toEqual(new Map(CONSUMERS.map((consumer) => [consumer, '7'])));
  await Promise.all(CONSUMERS.map((consumer) => move(consumer, '9', { from: '7' })));
  expect(statements).toBe(2);
  expect((await positions()).get(FIRST)).toBe('9');
});

it.each([
  ['at another position than expected', { from: '5' }],
  ['of a later owner', { epoch: EPOCH - 1 }],
  ['of an owner not yet registered', { epoch: EPOCH + 1 }],
])('refuse one that is %s, and move the others', async (_, where) => {
  const [refused, ...others] = await Promise.allSettled([
    move(FIRST, '7', where),
    ...CONSUMERS.slice(1).map((consumer) => move(consumer, '7')),
  ]);
  expect(refused).toMatchObject({ status: 'rejected', reason: expect.any(CheckpointMoved) });
  expect(others.every(({ status }) => status === 'fulfilled')).toBe(true);
  const after = await positions();
  expect(after.get(FIRST)).toBeNull();
  expect([...after.values()].filter((position) => position === '7')).toHaveLength(39);
});

it('move one by one where their shared statement fails', async () => {
  failing = 1;
  await Promise.all(CONSUMERS.map((consumer) => move(consumer, '7')));
  expect(statements).toBe(1 + CONSUMERS.length);
  expect(await positions()).toEqual(new Map(CONSUMERS.map((consumer) => [consumer, '7'])));
});

it('wait for a row that another transaction has locked, without blocking the others', async () => {
  const client = await db.pool.connect();
  try {
    await client.query('begin');
    await client.query('select from consumers.checkpoint where consumer = $1 for update', [FIRST]);
    const held = move(FIRST, '7');
    await Promise.all(CONSUMERS.slice(1).map((consumer) => move(consumer, '7')));
    // Later moves do not wait for it either.
    await Promise.all(CONSUMERS.slice(1).map((consumer) => move(consumer, '8', { from: '7' })));
    const during = await positions();
    expect([during.get(FIRST), during.get(CONSUMERS[1]!)]).toEqual([null, '8']);
    await client.query('commit');
    await held;
  } finally {
    client.release();
  }
  expect((await positions()).get(FIRST)).toBe('7');
});

it('keep the mark that a consumer has caught up', async () => {
  const caughtUp = async () => (await checkpoints.of([FIRST])).get(FIRST)?.caughtUp;
  await checkpoints.move(FIRST, EPOCH, { from: null, to: '1', at: AT, caughtUp: false });
  expect(await caughtUp()).toBe(false);
  await move(FIRST, '2', { from: '1' });
  expect(await caughtUp()).toBe(true);
  await checkpoints.move(FIRST, EPOCH, { from: '2', to: '3', at: AT, caughtUp: false });
  expect(await caughtUp()).toBe(true);
});
