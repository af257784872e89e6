/** The requests of operators for parked messages, between two owners of the intake. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Pool } from 'pg';
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
import { watchedPool } from '../support/postgres/watched-pool.ts';
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
const claimed = async (into: EventStore = log, pool: Pool = db.pool) => {
  const { claim } = (await checkpoints(pool).claim(consumer, 1, systemClock.now()))!;
  const fence = { epoch: 1, claim };
  const parts = { consumer, name: BUS_INTAKE, stream, pool, fence, clock: systemClock };
  const parked = await parking({ ...parts, log: into });
  const request = (kind: 'retry' | 'skip', lane: string) => ({ kind, lane }) as ConsumerRequest;
  return {
    park: (one = incoming, types = ['test.rang']) => parked.park(one, rejectedOf(one, types)),
    /** The message is still in NATS, and would be accepted by now. */
    ask: (kind: 'retry' | 'skip') =>
      parked.carryOut(
        request(kind, `${stream}/7`),
        async () => incoming,
        async () => null,
      ),
    /** @returns The outcome, and the sequence numbers of the recorded messages. */
    async askOf(lane: string, kept: readonly Incoming[], types: readonly string[]) {
      const recorded: number[] = [];
      const outcome = await parked.carryOut(
        request('retry', lane),
        async (from, subject) =>
          kept.find((one) => one.sequence >= from && one.subject === subject) ?? null,
        async (one) => {
          const rejected = rejectedOf(one, types);
          if ('rejection' in rejected.message) return rejected;
          recorded.push(one.sequence);
          return null;
        },
      );
      return { outcome, recorded };
    },
  };
};
const rejectedOf = (one: Incoming, types: readonly string[]) => {
  const message = messageIn(one, { prefix: 'p', stream, types });
  return { message, reason: 'rejection' in message ? message.rejection : 'no JSON' };
};
/** A usable message of a type that is not `test.rang`. */
const other = (sequence: number, over: Partial<Incoming> = {}): Incoming => ({
  ...incoming,
  sequence,
  subject: incoming.subject.replace('rang', 'moved'),
  body: new TextEncoder().encode('{}'),
  ...over,
});
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

it('count the messages of a type that is not accepted in the row of the first one', async () => {
  const former = await claimed();
  for (const sequence of [7, 8, 9]) await former.park(other(sequence));
  const owner = await claimed();
  // The first one is redelivered.
  for (const sequence of [7, 10]) await owner.park(other(sequence));
  await owner.park(other(11, { subject: incoming.subject.replace('rang', 'gone') }));
  await owner.park({ ...incoming, sequence: 12 });
  const rows = await checkpoints(db.pool).parked([consumer]);
  expect(rows.map(({ lane, skipped: later }) => [lane, later])).toEqual([
    [`${stream}/11/${incoming.subject.replace('rang', 'gone')}`, 0],
    [`${stream}/12`, 0],
    [`${stream}/7/${other(7).subject}`, 3],
  ]);
  expect(await parkedIn(log, BUS_INTAKE)).toHaveLength(3);
});

it('of single messages are not read by the next owner', async () => {
  const former = await claimed();
  for (const sequence of [7, 8, 9]) await former.park({ ...incoming, sequence });
  await former.park(other(10));
  let read = 0;
  const counting = watchedPool(db.pool, async (_, __, run) => {
    const result = await run();
    read += result.rows.length;
    return result;
  });
  await claimed(log, counting);
  // The claim, and the row of a subject.
  expect(read).toBe(2);
});

it('retry all messages of a type from the first one, and park the unusable ones', async () => {
  const owner = await claimed();
  const [lane, both] = [`${stream}/7/${other(7).subject}`, ['test.rang', 'test.moved']];
  for (const sequence of [7, 8, 9]) await owner.park(other(sequence));
  const kept = [other(5), other(7), incoming, other(8, { body: incoming.body }), other(9)];
  const early = await owner.askOf(lane, kept, ['test.rang']);
  expect(early).toMatchObject({ outcome: { result: { parkedAgain: {} } }, recorded: [] });
  expect(await lanes()).toEqual([lane]);
  const { outcome, recorded } = await owner.askOf(lane, kept, both);
  expect(outcome).toMatchObject({ state: 'done', result: { parkedAgain: null } });
  expect(recorded).toEqual([7, 9]);
  expect(await lanes()).toEqual([`${stream}/8`]);
  await owner.park(other(10));
  expect(await lanes()).toEqual([`${stream}/10/${other(10).subject}`, `${stream}/8`]);
});

it('retry of all messages keeps the entry of the first one where it is refused again', async () => {
  const owner = await claimed();
  const lane = `${stream}/7/${other(7).subject}`;
  const unusable = other(7, { body: incoming.body });
  await owner.park(unusable);
  await owner.park(other(8));
  const both = ['test.rang', 'test.moved'];
  const { outcome, recorded } = await owner.askOf(lane, [unusable, other(8)], both);
  expect(outcome).toMatchObject({ state: 'done', result: { parkedAgain: {} } });
  expect(recorded).toEqual([8]);
  expect(await lanes()).toEqual([`${stream}/7`]);
  expect(await outcomes()).toEqual([]);
});
