/** The requests of operators for parked messages, between two owners of the intake. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BUS_INTAKE } from '../../src/bus/nats/intake.ts';
import { messageIn } from '../../src/bus/nats/messages.ts';
import type { Incoming } from '../../src/bus/nats/nats.ts';
import { parking } from '../../src/bus/nats/parking.ts';
import { CheckpointMoved, checkpoints } from '../../src/engine/consumers/checkpoints.ts';
import { processId } from '../../src/engine/consumers/consumer.ts';
import type { ConsumerRequest } from '../../src/engine/consumers/requests.ts';
import { LogUnavailable, type EventStore } from '../../src/engine/log/event-store.ts';
import { memoryEventStore } from '../../src/engine/log/memory/store.ts';
import { loggerOf } from '../../src/engine/observe/logging.ts';
import { openDatabase, type Database } from '../../src/engine/postgres/pool.ts';
import { systemClock } from '../../src/engine/time/clock.ts';
import { parkedIn } from '../support/consumers/bus.ts';
import { freshDatabase } from '../support/postgres/database.ts';

const stream = 'p-inbound';
const consumer = processId(BUS_INTAKE);
const incoming: Incoming = {
  sequence: 7,
  subject: 'p.building.0b3f6f0e-54a5-4a53-8f5a-0d6f5b9d3c22.test.rang',
  header: () => null,
  body: new TextEncoder().encode('{'),
  storedAt: '2026-03-02T12:00:00.000Z',
};

let database: Awaited<ReturnType<typeof freshDatabase>>;
let db: Database;
let log: EventStore;
beforeEach(async () => {
  database = await freshDatabase();
  db = openDatabase({ url: database.url, logger: loggerOf('silent') });
  log = memoryEventStore();
});
afterEach(async () => {
  await log.close();
  await db.close();
  await database.drop();
});

/** The parking of a turn, which begins with a claim. */
const claimed = async (into: EventStore = log) => {
  const { pool } = db;
  const { claim } = (await checkpoints(pool).claim(consumer, 1, systemClock.now()))!;
  const fence = { epoch: 1, claim };
  const parts = { consumer, name: BUS_INTAKE, stream, pool, fence, clock: systemClock };
  const parked = await parking({ ...parts, log: into });
  return {
    park: () =>
      parked.park(incoming, messageIn(incoming, { prefix: 'p', stream, types: [] }), 'no JSON'),
    /** The message is still in NATS, and would be accepted by now. */
    ask: (kind: 'retry' | 'skip') =>
      parked.carryOut(
        { kind, lane: `${stream}/7` } as ConsumerRequest,
        async () => incoming,
        async () => null,
      ),
  };
};
const skipped = () => checkpoints(db.pool).skipped(consumer);
const lanes = async () => (await checkpoints(db.pool).parked([consumer])).map(({ lane }) => lane);
const outcomes = async () =>
  (await parkedIn(log, BUS_INTAKE)).flatMap((fact) =>
    fact.type === 'ParkedMessageSettled' ? [fact.outcome] : [],
  );

it('are refused to a former owner, whose skip leaves no trace', async () => {
  const former = await claimed();
  await former.park();
  const owner = await claimed();
  await expect(former.ask('skip')).rejects.toThrow(CheckpointMoved);
  expect(await skipped()).toEqual(new Set());
  expect(await outcomes()).toEqual([]);
  expect(await lanes()).toEqual([`${stream}/7`]);
  expect(await owner.ask('retry')).toMatchObject({ state: 'done', result: { skipped: false } });
  expect(await outcomes()).toEqual(['taken']);
});

it.each(['skip', 'retry'] as const)('complete an interrupted skip by a %s', async (kind) => {
  let isAway = false;
  const former = await claimed({
    ...log,
    async append(...call) {
      const appended = await log.append(...call);
      if (isAway) throw new LogUnavailable('its answer is lost');
      return appended;
    },
  });
  await former.park();
  isAway = true;
  await expect(former.ask('skip')).rejects.toThrow(LogUnavailable);
  expect(await lanes()).toEqual([`${stream}/7`]);
  const owner = await claimed();
  expect(await owner.ask(kind)).toMatchObject({ state: 'done', result: { skipped: true } });
  expect(await outcomes()).toEqual(['skipped']);
  expect(await lanes()).toEqual([]);
  await owner.park();
  expect(await lanes()).toEqual([]);
});
