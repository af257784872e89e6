import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../../../src/engine/time/clock.ts';
import type { EventStore } from '../../../src/engine/log/event-store.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import {
  askedAgain,
  processesOn,
  type RunningProcesses,
  settled,
} from '../../support/consumers/running-processes.ts';
import {
  CommandReceiver,
  type ReceivedCommand,
  refused,
  requested,
  taskEvent,
} from '../../support/consumers/sample-process.ts';
import { until } from '../../support/until.ts';
import { freshDatabase } from '../../support/postgres/database.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let log: EventStore;
let receiver: CommandReceiver;
let running: RunningProcesses[];

beforeEach(async () => {
  database = await freshDatabase();
  log = memoryEventStore();
  receiver = new CommandReceiver();
  receiver.answer = () => Promise.reject(refused());
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((each) => each.stop()));
  await log.close();
  await database.drop();
});

const started = () => {
  const one = processesOn(database.url, log, receiver, { stuckFirstMs: 3_600_000 });
  running.push(one);
  one.start();
  return one;
};
const fired = () => receiver.received.filter(({ to }) => to === 'task');
const ended = async (one: RunningProcesses, kind: 'retry' | 'skip', key = 'a') =>
  (await askedAgain(one, 'reminding', kind, key))?.state;
const stuckOf = (one: RunningProcesses) => one.control.parked('reminding');
/** One timer, `a`, whose effect is refused: it is retried after an hour. */
const stuck = async () => {
  const one = started();
  await log.append('task-a', 'no_stream', [requested('2026-03-02T12:00:00.000Z', 0)]);
  await until(async () => (await stuckOf(one)).length === 1, 'the timer');
  return one;
};
const finish = async ({ to, id, commandId, occasion }: ReceivedCommand) => {
  if (to !== 'task') return;
  const fact = taskEvent({ type: 'TaskDone' }, occasion.at, commandId);
  await log.append(`task-${id}`, 'any', [fact]);
};

it('fires again at once, under the same id, when an operator retries it', async () => {
  const one = await stuck();
  const [, timers] = await one.control.status();
  expect(timers).toMatchObject({ name: 'reminding', parked: 1, owner: 'this', nextDueAt: null });
  receiver.answer = finish;
  expect(await ended(one, 'retry')).toBe('done');
  await until(async () => (await stuckOf(one)).length === 0, 'the timer is done');
  expect(fired()).toHaveLength(2);
  expect(receiver.distinct).toEqual(['a']);
});

it('never fires again when an operator skips it, also in the next process', async () => {
  const one = await stuck();
  expect(await ended(one, 'skip')).toBe('done');
  expect(await stuckOf(one)).toMatchObject([{ stream: 'a', retryAt: null }]);
  await running.pop()!.stop();
  const next = started();
  receiver.answer = finish;
  const soon = new Date(Date.parse(systemClock.now()) - 1).toISOString();
  await log.append('task-b', 'no_stream', [requested(soon, 0)]);
  await until(() => fired().some(({ id }) => id === 'b'), 'another timer');
  await settled(next, log);
  expect(fired().filter(({ id }) => id === 'a')).toHaveLength(1);
  // A new due time is another timer.
  await log.append('task-a', 'any', [taskEvent({ type: 'TaskPostponed', dueAt: soon })]);
  await until(() => fired().filter(({ id }) => id === 'a').length === 2, 'its new due time');
  await until(async () => (await stuckOf(next)).length === 0);
});

it('stays skipped when it fired while an operator skipped it', async () => {
  const one = await stuck();
  const firing = Promise.withResolvers<void>();
  receiver.answer = async (given) => {
    if (given.id !== 'a') return finish(given);
    await firing.promise;
    throw refused();
  };
  expect(await ended(one, 'retry')).toBe('done');
  await until(() => fired().length === 2, 'the timer fires again');
  expect(await ended(one, 'skip')).toBe('done');
  firing.resolve();
  // The next timer fires after the pass has postponed those that changed nothing.
  await log.append('task-b', 'no_stream', [requested(systemClock.now(), 0)]);
  await until(() => fired().some(({ id }) => id === 'b'), 'another timer');
  const known = (await stuckOf(one)).filter(({ stream }) => stream === 'a');
  expect(known).toMatchObject([{ retryAt: null }]);
});

it('is no longer listed once its row is gone', async () => {
  const one = await stuck();
  await log.append('task-a', 'any', [taskEvent({ type: 'TaskDone' })]);
  await settled(one, log);
  // The worker may have found that there is nothing to retry, or have taken it off the list.
  const state = await ended(one, 'retry');
  expect(state ?? (await stuckOf(one))).toBeOneOf(['done', 'refused', []]);
  await until(async () => (await stuckOf(one)).length === 0);
  expect(fired()).toHaveLength(1);
});

it('cannot be retried where it is not stuck or does not exist', async () => {
  const one = await stuck();
  expect(await ended(one, 'skip', 'b')).toBeUndefined();
  await expect(one.control.parked('none')).rejects.toThrow('there is no process none');
});
