import { getEventListeners } from 'node:events';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  PARTITION_SLOW_MS,
  PARTITIONS_AT_ONCE_MAX,
  PARTITION_BYTES_QUEUED_MAX,
  PARTITION_EVENTS_QUEUED_MAX,
  PARTITION_EVENTS_UNCOUNTED_MAX,
  PARTITIONS_SLOW_MAX,
} from '../../../src/engine/limits.ts';
import { virtualClock, systemClock, type VirtualClock } from '../../../src/engine/time/clock.ts';
import {
  PartitionExecutor,
  type ParkedPartition,
} from '../../../src/engine/processes/partition-executor.ts';
import { done, doneWhen, giveUp, retryAt } from '../../../src/engine/processes/outcome.ts';
import type { Process } from '../../../src/engine/processes/process.ts';
import type { EventStore, StoredEvent } from '../../../src/engine/log/event-store.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import {
  processesOn,
  type RunningProcesses,
  askedAgain,
  settled,
} from '../../support/consumers/running-processes.ts';
import {
  CommandReceiver,
  notifyingProcess,
  requested,
  type TaskEvent,
} from '../../support/consumers/sample-process.ts';
import { letPass, until } from '../../support/until.ts';
import { poolThrough } from '../../support/postgres/pool-through.ts';
import { loggerOf } from '../../../src/engine/observe/logging.ts';
import { openDatabase } from '../../../src/engine/postgres/pool.ts';
import { freshDatabase } from '../../support/postgres/database.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let log: EventStore;
let clock: VirtualClock;
let receiver: CommandReceiver;
let running: RunningProcesses[];

beforeEach(async () => {
  database = await freshDatabase();
  log = memoryEventStore();
  clock = virtualClock(systemClock);
  receiver = new CommandReceiver();
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((each) => each.stop()));
  await log.close();
  await database.drop();
});

const started = async (options: Parameters<typeof processesOn>[3] = {}) => {
  const one = processesOn(database.url, log, receiver, {
    tables: [],
    clock,
    holdsCheckpointMaxMs: 50,
    ...options,
  });
  running.push(one);
  one.start();
  await until(async () => (await log.readStream('process-notifying')).length > 0);
  return one;
};
const stopped = async (one: RunningProcesses) => {
  running.splice(running.indexOf(one), 1);
  await one.stop();
};
const ask = (name: string, recipients = 1) =>
  log.append(`task-${name}`, 'any', [requested(undefined, recipients)]);
const idsOf = (stream: string) =>
  receiver.received.map(({ id }) => id).filter((id) => id.startsWith(`${stream}/`));
const inMs = (ms: number) => new Date(Date.parse(clock.now()) + ms).toISOString();
const savedPosition = async ({ db }: RunningProcesses) => {
  const { rows } = await db.pool.query<{ position: string }>(
    `select position from consumers.checkpoint where consumer = 'process/notifying'`,
  );
  return rows[0]?.position ?? null;
};
/** So many after the uncounted ones fill the queue, at two bytes a character. */
const BIG_EVENT_CHARACTERS = PARTITION_BYTES_QUEUED_MAX / PARTITION_EVENTS_UNCOUNTED_MAX / 2;
const storesNothing = {
  park: async () => {},
  count: async () => {},
  forget: async () => {},
  skip: async () => {},
};
const parkedBy = (one: RunningProcesses) => one.control.parked('notifying');
const askAgain = (one: RunningProcesses, kind: 'retry' | 'skip', stream: string) =>
  askedAgain(one, 'notifying', kind, stream);

/** Effects of these ids hang until `release`; `now` counts them. */
const hanging = (isHeld: (id: string) => boolean) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let now = 0;
  receiver.answer = async ({ id }) => {
    if (!isHeld(id)) return;
    now += 1;
    await promise;
    now -= 1;
  };
  return {
    release: resolve,
    get now() {
      return now;
    },
  };
};

describe('a hanging partition', () => {
  it('delays neither a thousand others nor the checkpoint', async () => {
    const held = hanging((id) => id === 'slow/0');
    const one = await started();
    await ask('slow');
    await until(() => held.now === 1);
    for (let at = 0; at < 1_000; at += 1) await ask(`e${at}`);
    await settled(one, log);
    expect(receiver.distinct).toHaveLength(1_001);
    const { position } = await log.head();
    await until(async () => log.compare(await savedPosition(one), position) >= 0, 'the checkpoint');
    // On a busy machine other partitions may be parked for a while as well.
    await expect
      .poll(() => parkedBy(one))
      .toMatchObject([{ stream: 'task-slow', revision: 0, retryAt: expect.any(String) }]);
    await expect
      .poll(() => one.control.status())
      .toMatchObject([{ parked: 0, retrying: 1, lagEvents: 0, lastError: null }]);
    const [status] = await one.control.status();
    expect(status!.lagSeconds).toBeGreaterThan(0);
    held.release();
    await until(async () => (await parkedBy(one)).length === 0, 'the lane');
    expect(idsOf('slow')).toEqual(['slow/0']);
  });

  it('continues with the events that arrived meanwhile, in order, once each', async () => {
    const held = hanging((id) => id === 'slow/0');
    const one = await started();
    await ask('slow', 1);
    await until(async () => (await parkedBy(one)).length === 1, 'the lane is aside');
    for (const recipients of [2, 3]) await ask('slow', recipients);
    await settled(one, log);
    expect(idsOf('slow')).toEqual(['slow/0']);
    held.release();
    await until(async () => (await parkedBy(one)).length === 0, 'the lane');
    await ask('slow', 1);
    await settled(one, log);
    const commands = receiver.received.map(({ commandId }) => commandId);
    expect(new Set(commands).size).toBe(commands.length);
    expect(idsOf('slow').map((id) => id.slice(5))).toEqual(['0', '0', '1', '0', '1', '2', '0']);
  });

  it('is resumed by the next process, from the event it hung at', async () => {
    const held = hanging((id) => id === 'slow/0');
    const first = await started();
    await ask('slow');
    await ask('slow', 2);
    await until(async () => (await parkedBy(first)).length === 1, 'the lane is aside');
    await ask('other');
    await settled(first, log);
    held.release();
    receiver.answer = () => Promise.resolve();
    const ended = receiver.received.length;
    await stopped(first);
    const next = await started();
    await until(async () => (await parkedBy(next)).length === 0, 'the lane');
    await settled(next, log);
    expect(receiver.distinct).toEqual(['other/0', 'slow/0', 'slow/0', 'slow/1']);
    expect(receiver.received.length).toBeGreaterThanOrEqual(ended);
    expect(receiver.received.filter(({ id }) => id === 'other/0')).toHaveLength(1);
  });

  it('is kept when an attempt of an earlier turn ends', async () => {
    const attempts: (() => void)[] = [];
    receiver.answer = async ({ id }) => {
      if (id === 'slow/0') await new Promise<void>((end) => attempts.push(end));
    };
    const own = openDatabase({ url: database.url, logger: loggerOf('silent') });
    onTestFinished(() => own.close());
    let forgets = 0;
    const pool = poolThrough(own.pool, async (statement, send) => {
      try {
        return await send();
      } finally {
        if (statement.includes('delete from consumers.parked')) forgets += 1;
      }
    });
    const first = await started({ db: { pool } });
    const { position: slowAt } = await ask('slow');
    await until(async () => (await parkedBy(first)).length === 1, 'the lane is aside');
    const isPassed = async () => log.compare(await savedPosition(first), slowAt) >= 0;
    await until(isPassed, 'the checkpoint to pass it');
    // The checkpoint is not where the turn has left it, so the process begins another.
    await own.pool.query(
      `update consumers.checkpoint set position = '1' where consumer = 'process/notifying'`,
    );
    await ask('other');
    await until(() => attempts.length >= 2, 'the attempt of the next turn');
    await ask('slow', 2);
    await settled(first, log);
    const { position } = await log.head();
    await until(
      async () => log.compare(await savedPosition(first), position) >= 0,
      'the checkpoint',
    );
    // On a busy machine the other lane may have been parked for a while as well.
    const before = forgets;
    attempts[0]!();
    await until(() => forgets > before, 'the end of the attempt of the earlier turn');
    await stopped(first);

    receiver.answer = async () => {};
    receiver.received.length = 0;
    const next = await started();
    await until(async () => (await parkedBy(next)).length === 0, 'the lane');
    await settled(next, log);
    expect(idsOf('slow')).toEqual(['slow/0', 'slow/0', 'slow/1']);
    attempts[1]!();
  });

  it('is one of a bounded number', async () => {
    const held = hanging((id) => id.startsWith('slow'));
    const one = await started();
    const most = PARTITIONS_SLOW_MAX + PARTITIONS_AT_ONCE_MAX;
    for (let at = 0; at < most + 50; at += 1) await ask(`slow${at}`);
    await until(() => held.now >= most, 'all slots are in use');
    await until(async () => (await parkedBy(one)).length >= most, 'the partitions are parked');
    await letPass(2 * PARTITION_SLOW_MS, 'any other would have got a slot, too');
    expect(held.now).toBe(most);
    expect(await parkedBy(one)).toHaveLength(most);
    held.release();
    await until(() => receiver.distinct.length === most + 50);
  });
});

describe('an outcome of an effect', () => {
  it('may park its partition until a time, and no other one', async () => {
    const dueAt = inMs(3_600_000);
    receiver.outcome = ({ id }) =>
      id === 'wait/0' && clock.now() < dueAt ? retryAt(dueAt, 'it rests') : undefined;
    const one = await started();
    await ask('wait', 2);
    await ask('wait', 1);
    await ask('other');
    await settled(one, log);
    expect(idsOf('wait')).toEqual(['wait/0']);
    expect(idsOf('other')).toEqual(['other/0']);
    await until(async () => (await parkedBy(one))[0]?.skipped === 1, 'the count');
    expect(await parkedBy(one)).toMatchObject([
      { stream: 'task-wait', error: 'it rests', retryAt: dueAt, skipped: 1 },
    ]);
    expect(one.processes.nextRetryAt()).toBe(dueAt);
    clock.moveTo(3_600_000);
    one.processes.wake();
    await until(async () => (await parkedBy(one)).length === 0, 'the lane');
    // The first effect is repeated under its id, so it is idempotent.
    expect(idsOf('wait')).toEqual(['wait/0', 'wait/0', 'wait/1', 'wait/0']);
    expect(one.processes.nextRetryAt()).toBeNull();
  });

  it('is resumed at once, also where the clock of its former owner was ahead', async () => {
    const held = hanging((id) => id === 'slow/0');
    const first = await started();
    await ask('slow');
    await until(async () => (await parkedBy(first)).length === 1, 'the lane is aside');
    held.release();
    receiver.answer = () => Promise.resolve();
    const { rows } = await first.db.pool.query('select * from consumers.parked');
    await stopped(first);
    const db = openDatabase({ url: database.url, logger: loggerOf('silent') });
    await db.pool.query(
      `insert into consumers.parked select * from json_populate_record(null::consumers.parked, $1)
       on conflict (consumer, lane) do update set retry_at = excluded.retry_at`,
      [JSON.stringify({ ...rows[0], retry_at: inMs(365 * 86_400_000) })],
    );
    await db.close();
    const next = await started();
    await until(async () => (await parkedBy(next)).length === 0, 'the lane');
  });

  it('may be a give-up, which parks its partition until an operator retries it', async () => {
    let isMended = false;
    receiver.outcome = ({ id }) =>
      id === 'bad/0' && !isMended ? giveUp('the address is gone') : undefined;
    const one = await started();
    await ask('bad');
    await ask('bad', 2);
    await settled(one, log);
    expect(await parkedBy(one)).toMatchObject([
      { stream: 'task-bad', error: 'the address is gone', retryAt: null },
    ]);
    expect(await one.control.status()).toMatchObject([{ parked: 1, retrying: 0 }]);
    expect(await askAgain(one, 'retry', 'task-bad')).toMatchObject({
      state: 'done',
      result: { parkedAgain: { revision: 0, error: 'the address is gone' } },
    });
    isMended = true;
    expect(await askAgain(one, 'retry', 'task-bad')).toMatchObject({
      state: 'done',
      result: { skipped: false, parkedAgain: null },
    });
    expect(idsOf('bad')).toEqual(['bad/0', 'bad/0', 'bad/0', 'bad/0', 'bad/1']);
    expect(await parkedBy(one)).toEqual([]);
    await ask('bad');
    await settled(one, log);
    expect(idsOf('bad')).toHaveLength(6);
  });
});

describe('an operator', () => {
  it('skips the event that parked a partition, permanently, and no other event', async () => {
    receiver.outcome = ({ id }) => (id === 'bad/1' ? giveUp('no') : undefined);
    const one = await started();
    await ask('bad', 2);
    await ask('bad', 1);
    await settled(one, log);
    expect(await askAgain(one, 'skip', 'task-bad')).toMatchObject({
      state: 'done',
      result: { skipped: true, parkedAgain: null },
    });
    expect(idsOf('bad')).toEqual(['bad/0', 'bad/1', 'bad/0']);
    await one.db.pool.query(`update consumers.checkpoint set position = null`);
    await stopped(one);
    const next = await started();
    await ask('bad', 1);
    await settled(next, log);
    expect(await parkedBy(next)).toEqual([]);
    expect(idsOf('bad').filter((id) => id === 'bad/1')).toHaveLength(1);
  });

  it('leaves nothing behind where a skip is refused', async () => {
    const held = hanging((id) => id === 'slow/0');
    const one = await started();
    await ask('slow');
    await until(async () => (await parkedBy(one)).length === 1, 'the lane is aside');
    expect(await askAgain(one, 'skip', 'task-slow')).toMatchObject({
      state: 'refused',
      error: 'task-slow is being retried already',
    });
    await stopped(one);
    held.release();
    receiver.received.length = 0;
    const next = await started();
    await until(async () => (await parkedBy(next)).length === 0, 'the lane');
    expect(idsOf('slow')).toEqual(['slow/0']);
  });

  it('is told of a skip that could not be recorded, which leaves nothing behind', async () => {
    let isMended = false;
    receiver.outcome = ({ id }) => (id === 'bad/0' && !isMended ? giveUp('no') : undefined);
    const one = await started();
    await ask('bad');
    await settled(one, log);
    await one.db.pool.query('alter table consumers.skipped rename to away');
    expect(await askAgain(one, 'skip', 'task-bad')).toMatchObject({ state: 'failed' });
    await one.db.pool.query('alter table consumers.away rename to skipped');
    isMended = true;
    await until(
      async () => (await askAgain(one, 'retry', 'task-bad'))?.state === 'done',
      'the retry',
    );
    expect(idsOf('bad')).toEqual(['bad/0', 'bad/0']);
  });

  it('has to ask again where the turn fails while a skip is recorded', async () => {
    receiver.outcome = ({ id }) => (id === 'bad/1' ? giveUp('no') : undefined);
    const own = openDatabase({ url: database.url, logger: loggerOf('silent') });
    onTestFinished(() => own.close());
    const refused = Promise.withResolvers<void>();
    let mayMove = true;
    const pool = poolThrough(own.pool, async (statement, send) => {
      if (statement.includes('insert into consumers.skipped')) {
        // The next move of the checkpoint finds another position, so the turn fails.
        await own.pool.query(
          `update consumers.checkpoint set position = '0' where consumer = 'process/notifying'`,
        );
        mayMove = false;
        await ask('other');
        await refused.promise;
        return send();
      }
      const isLate = !mayMove;
      const answer = await send();
      if (isLate && statement === 'checkpoints move wait') refused.resolve();
      return answer;
    });
    const one = await started({ db: { pool }, feeds: false });
    await ask('bad', 2);
    await ask('bad', 1);
    await until(async () => (await parkedBy(one)).length === 1, 'the lane is parked');
    expect(await askAgain(one, 'skip', 'task-bad')).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('ask again'),
    });
    expect(await parkedBy(one)).toMatchObject([{ stream: 'task-bad', revision: 0 }]);
    // A retry does not attempt what is skipped, and says so.
    let answer: Awaited<ReturnType<typeof askAgain>> | undefined;
    await until(async () => {
      answer = await askAgain(one, 'retry', 'task-bad');
      return answer?.state === 'done';
    }, 'the retry');
    expect(answer).toMatchObject({ result: { skipped: true, parkedAgain: null } });
    expect(await parkedBy(one)).toEqual([]);
    expect(idsOf('bad')).toEqual(['bad/0', 'bad/1', 'bad/0']);
  });

  it('sees that an event is gone from the log, which only a skip leaves behind', async () => {
    receiver.outcome = ({ id }) => (id === 'bad/0' ? giveUp('no') : undefined);
    const one = await started();
    await ask('bad');
    await settled(one, log);
    await log.deleteStream('task-bad');
    expect(await askAgain(one, 'retry', 'task-bad')).toMatchObject({
      state: 'done',
      result: { parkedAgain: { revision: 0, error: 'the event is no longer in the log: skip it' } },
    });
    expect(await parkedBy(one)).toMatchObject([{ stream: 'task-bad', retryAt: null }]);
    expect(await askAgain(one, 'skip', 'task-bad')).toMatchObject({
      state: 'done',
      result: { skipped: true, parkedAgain: null },
    });
    expect(await parkedBy(one)).toEqual([]);
  });

  it('gets no request where there is no partition to retry', async () => {
    const one = await started();
    expect(await askAgain(one, 'retry', 'task-none')).toBeNull();
  });
});

it('handles the streams of one partition in order', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  receiver.answer = ({ id }) => (id === 'a1/0' ? promise : Promise.resolve());
  const notifying: Process<TaskEvent, undefined, never> = {
    ...(notifyingProcess(receiver, log) as Process<TaskEvent, undefined, never>),
    partitionOf: (stream) => stream.slice(0, 'task-a'.length),
  };
  const one = await started({ processes: [notifying] });
  for (const name of ['a1', 'b1', 'a2', 'b2']) await ask(name);
  await settled(one, log);
  expect(receiver.received.map(({ id }) => id).sort()).toEqual(['a1/0', 'b1/0', 'b2/0']);
  expect(await parkedBy(one)).toMatchObject([{ stream: 'task-a' }]);
  resolve();
  await until(async () => (await parkedBy(one)).length === 0, 'the lane');
  expect(receiver.received.at(-1)!.id).toBe('a2/0');
});

describe('the partitions of a process', () => {
  const eventOf = (stream: string, position: number, revision: number): StoredEvent => ({
    id: `${position}`,
    type: 'Asked',
    stream,
    revision,
    data: {},
    meta: {},
    position: `${position}`,
    recordedAt: '2026-03-02T12:00:00.000Z',
  });
  const compare = (a: string | null, b: string | null) => Number(a ?? 0) - Number(b ?? 0);
  const ticks = async (count: number) => {
    for (let at = 0; at < count; at += 1) await new Promise((go) => setImmediate(go));
  };

  it('do not starve each other by a long queue of quick events', async () => {
    const handled: string[] = [];
    const rows = new Map<string, ParkedPartition>();
    const events = Array.from({ length: PARTITION_EVENTS_QUEUED_MAX + 500 }, (_, index) =>
      eventOf('a', index + 1, index),
    );
    const other = eventOf('b', events.length + 1, 0);
    const ending = new AbortController();
    const done = Promise.withResolvers<number>();
    const lanes = new PartitionExecutor({
      async react(event) {
        if (event.stream === 'b') done.resolve(handled.length);
        await letPass(5, 'a quick effect');
        handled.push(event.id);
        return { outcome: 'done' };
      },
      partitionOf: (stream) => stream,
      mayRepeatTo: null,
      store: {
        park: async (row) => void rows.set(row.partition, row),
        count: async () => {},
        forget: async (lane) => void rows.delete(lane),
        skip: async () => {},
      },
      async *eventsOf(_, from) {
        yield* events.slice(from.revision);
      },
      compare,
      now: () => clock.now(),
      start: '0',
      parked: [],
      skipped: new Set(),
      signal: ending.signal,
      onProgress: () => {},
      waits: () => {},
      failed: done.reject,
      holdsCheckpointMaxMs: 50,
    });
    await lanes.take({ events, upTo: events.at(-1)!.position, caughtUp: false });
    await lanes.take({ events: [other], upTo: other.position, caughtUp: true });
    // A process waits for room for as long as it runs.
    expect(getEventListeners(ending.signal, 'abort')).toEqual([]);
    expect(await done.promise).toBeLessThan(500);
    expect([...rows.keys()]).toEqual(['a']);
    expect(handled).toEqual(handled.toSorted(compare));
    ending.abort();
    await lanes.idle();
  });

  it('report a retry time once the partition can be retried', async () => {
    const dueAt = '2026-03-02T12:00:01.000Z';
    const reported = Promise.withResolvers<string | null>();
    const ending = new AbortController();
    const event = eventOf('a', 1, 0);
    const lanes: PartitionExecutor = new PartitionExecutor({
      react: async () => retryAt(dueAt, 'it rests'),
      partitionOf: (stream) => stream,
      mayRepeatTo: null,
      store: storesNothing,
      async *eventsOf() {},
      compare,
      now: () => clock.now(),
      start: '0',
      parked: [],
      skipped: new Set(),
      signal: ending.signal,
      onProgress: () => {},
      waits: () => reported.resolve(lanes.nextRetryAt),
      failed: reported.reject,
    });
    await lanes.take({ events: [event], upTo: event.position, caughtUp: true });
    expect(await reported.promise).toBe(dueAt);
    ending.abort();
    await lanes.idle();
  });

  it('are given no more events while those of a queue are large', async () => {
    const [{ promise, resolve }, ending] = [Promise.withResolvers<void>(), new AbortController()];
    const lanes = new PartitionExecutor({
      react: () => promise.then(() => done),
      partitionOf: (stream) => stream,
      mayRepeatTo: null,
      store: storesNothing,
      async *eventsOf() {},
      compare,
      now: () => clock.now(),
      start: '0',
      parked: [],
      skipped: new Set(),
      signal: ending.signal,
      onProgress: () => {},
      waits: () => {},
      failed: () => {},
    });
    const [count, text] = [2 * PARTITION_EVENTS_UNCOUNTED_MAX, 'x'.repeat(BIG_EVENT_CHARACTERS)];
    const events = Array.from({ length: count }, (_, at) => ({
      ...eventOf('a', at + 1, at),
      data: { text },
    }));
    let isTaken = false;
    const take = async () => {
      await lanes.take({ events, upTo: `${count}`, caughtUp: true });
      isTaken = true;
    };
    const taken = take();
    await ticks(10);
    expect(isTaken).toBe(false);
    resolve();
    await taken;
    await until(async () => lanes.handled === count, 'the whole queue');
  });

  it('are neither skipped nor retried by a turn that has ended', async () => {
    const ending = new AbortController();
    const event = eventOf('a', 1, 0);
    const skips: string[] = [];
    const failures: unknown[] = [];
    const at = { stream: 'a', eventId: event.id, revision: 0, position: event.position };
    const lanes = new PartitionExecutor({
      react: async () => done,
      partitionOf: (stream) => stream,
      mayRepeatTo: null,
      store: { ...storesNothing, skip: async ({ eventId }) => void skips.push(eventId) },
      async *eventsOf() {
        ending.abort();
        yield event;
      },
      compare,
      now: () => clock.now(),
      start: '1',
      parked: [{ partition: 'a', event: at, reason: 'no', retryAt: null, skipped: 0 }],
      skipped: new Set(),
      signal: ending.signal,
      onProgress: () => {},
      waits: () => {},
      failed: (error) => failures.push(error),
    });
    await expect(lanes.again('a', false)).rejects.toThrow(/ask again/);
    await expect(lanes.again('a', true)).rejects.toThrow(/ask again/);
    expect({ skips, failures, handled: lanes.handled }).toMatchObject({ skips: [], failures: [] });
  });

  const step = fc.record({
    stream: fc.constantFrom('a', 'b', 'c'),
    ticksToReact: fc.nat({ max: 6 }),
    /** Ticks until its effects are durable. */
    ticksToSettle: fc.constantFrom(0, 0, 1, 8),
    fails: fc.constantFrom(0, 0, 0, 1, 2),
    /** The outcomes of its first attempts. */
    ends: fc.constantFrom<'retry' | 'given up'>('retry', 'given up'),
    isLate: fc.boolean(),
    isTaken: fc.boolean(),
    ticksAfter: fc.nat({ max: 4 }),
  });

  it('handle each event once, in order, and never report an unfinished one as done', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 25 }),
        fc.infiniteStream(fc.constantFrom(0, 1, 3, 12)),
        async (steps, delays) => {
          const delay = () => ticks(delays.next().value);
          const stored: StoredEvent[] = [];
          const left = new Map<string, number>();
          const handled: string[] = [];
          const durable = new Set<string>();
          const rows = new Map<string, ParkedPartition>();
          const underWay = new Set<string>();
          const begun = new Set<string>();
          const failures: unknown[] = [];
          const stop = new AbortController();

          const isAccountedFor = (event: StoredEvent) => {
            const row = rows.get(event.stream);
            return (
              durable.has(event.id) ||
              (row !== undefined && compare(row.event.position, event.position) <= 0)
            );
          };
          const lanes: PartitionExecutor = new PartitionExecutor({
            async react(event, { mayRepeat }) {
              if (underWay.has(event.stream)) throw new Error('two at once in one lane');
              if (mayRepeat !== begun.has(event.id)) failures.push({ event, mayRepeat });
              begun.add(event.id);
              underWay.add(event.stream);
              const { ticksToReact, ticksToSettle, ends, isLate } = steps[Number(event.id) - 1]!;
              if (isLate) await letPass(3, 'a slow effect');
              await ticks(ticksToReact);
              underWay.delete(event.stream);
              const attempts = left.get(event.id)!;
              if (attempts === 0) {
                handled.push(event.id);
                const settle = async () => {
                  await ticks(ticksToSettle);
                  durable.add(event.id);
                };
                if (ticksToSettle > 0) return doneWhen(settle());
                await settle();
                return done;
              }
              left.set(event.id, attempts - 1);
              return ends === 'retry'
                ? retryAt('2026-03-02T12:00:00.000Z', 'not yet')
                : giveUp('no');
            },
            partitionOf: (stream) => stream,
            mayRepeatTo: null,
            store: {
              async park(row) {
                await delay();
                rows.set(row.partition, row);
              },
              async count(skipped) {
                for (const [lane, count] of skipped)
                  rows.set(lane, { ...rows.get(lane)!, skipped: count });
              },
              async forget(lane) {
                await delay();
                rows.delete(lane);
              },
              skip: async () => {},
            },
            async *eventsOf(lane, from) {
              await delay();
              for (const event of stored.slice()) {
                if (event.stream !== lane || compare(event.position, from.position) < 0) continue;
                yield event;
                await delay();
              }
              await delay();
            },
            compare,
            now: () => '2026-03-02T12:00:00.000Z',
            start: '0',
            parked: [],
            skipped: new Set(),
            signal: stop.signal,
            onProgress: () => {
              const open = stored.filter(({ position }) => compare(position, lanes.position) <= 0);
              if (!open.every(isAccountedFor))
                throw new Error(`${lanes.position} is said to be done`);
            },
            waits: () => {},
            failed: (error) => failures.push(error),
            holdsCheckpointMaxMs: 1,
          });

          let taken = 0;
          const take = async () => {
            const events = stored.slice(taken);
            taken = stored.length;
            await lanes.take({ events, upTo: `${taken}`, caughtUp: true });
          };
          for (const { stream, fails, isTaken, ticksAfter } of steps) {
            const revision = stored.filter((event) => event.stream === stream).length;
            const event = eventOf(stream, stored.length + 1, revision);
            left.set(event.id, fails);
            stored.push(event);
            if (isTaken) await take();
            await ticks(ticksAfter);
            lanes.retryDue();
          }
          await take();
          await until(async () => {
            lanes.retryDue();
            for (const { partition: lane, retryAt: at } of rows.values().toArray())
              if (at === null) await lanes.again(lane, false);
            await lanes.idle();
            return handled.length === stored.length && rows.size === 0;
          }, 'the end of all lanes');
          expect(failures).toEqual([]);
          expect(lanes.position).toBe(`${stored.length}`);
          for (const stream of ['a', 'b', 'c'])
            expect(handled.filter((id) => stored[Number(id) - 1]!.stream === stream)).toEqual(
              stored.filter((event) => event.stream === stream).map(({ id }) => id),
            );
        },
      ),
      { numRuns: 300 },
    );
  });
});
