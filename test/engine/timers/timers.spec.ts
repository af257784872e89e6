import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock, virtualClock, type VirtualClock } from '../../../src/engine/time/clock.ts';
import {
  advance,
  AdvanceUnfinished,
  type AdvanceParts,
} from '../../../src/engine/control/virtual-time.ts';
import {
  LogUnavailable,
  type EventStore,
  type Position,
} from '../../../src/engine/log/event-store.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import {
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
  taskTimers,
} from '../../support/consumers/sample-process.ts';
import { logWith } from '../../../src/engine/log/log-with.ts';
import { letPass, until } from '../../support/until.ts';
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
  receiver.answer = done;
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((each) => each.stop()));
  await log.close();
  await database.drop();
});

/** As an aggregate would: an event under the command's id, at the occasion's time. */
const done = async ({ to, id, commandId, occasion }: ReceivedCommand) => {
  if (to !== 'task') return;
  const { length } = await log.readStream(`task-${id}`);
  const fact = taskEvent({ type: 'TaskDone' }, occasion.at, commandId);
  await log.append(`task-${id}`, length - 1, [fact]);
};
const started = (options: Parameters<typeof processesOn>[3] = {}, from = log) => {
  const one = processesOn(database.url, from, receiver, { clock, ...options });
  running.push(one);
  one.start();
  return one;
};
const inMs = (ms: number) => new Date(Date.parse(clock.now()) + ms).toISOString();
const ask = (name: string, dueAt: string, recipients = 0) =>
  log.append(`task-${name}`, 'no_stream', [requested(dueAt, recipients)]);
const fired = () => receiver.received.filter(({ to }) => to === 'task').map(({ id }) => id);
const HOUR = 3_600_000;

describe('a timer', () => {
  it('fires once when it is due, with the command of its table, as the system', async () => {
    const one = started();
    const dueAt = inMs(300);
    await ask('a', dueAt);
    await until(() => fired().length > 0);
    expect(receiver.received[0]!.occasion.at >= dueAt).toBe(true);
    await settled(one, log);
    await letPass(200, 'a timer that fires twice would have done so');
    expect(receiver.received).toMatchObject([
      { to: 'task', id: 'a', occasion: { by: { id: 'timer:reminding' }, origin: 'sla' } },
    ]);
    const { rows } = await one.db.pool.query('select * from tasks_v1.task');
    expect(rows).toEqual([]);
    expect(await one.control.parked('reminding')).toEqual([]);
  });

  it('wakes early for a row that is due before the one it sleeps for', async () => {
    const one = started();
    await ask('late', inMs(20 * HOUR));
    await settled(one, log);
    await letPass(150, 'the timers sleep until the one that is late');
    await ask('soon', inMs(200));
    await until(() => fired().length > 0);
    expect(fired()).toEqual(['soon']);
  });

  it('fires where only another process feeds its read model, as roles are split', async () => {
    const feeding = started({ tables: [], processes: [] });
    await ask('first', inMs(HOUR));
    await settled(feeding, log);
    const firing = started({ feeds: false, processes: [], sleepMaxMs: HOUR });
    await until(async () => (await firing.timers.earliest()) !== null, 'the first row');
    const isHeld = async () => (await firing.control.status())[0]?.owner === 'this';
    await until(isHeld, 'the lease of the timers');
    for (const name of ['soon', 'later']) {
      await ask(name, inMs(0));
      await until(() => fired().includes(name), name);
    }
  });

  it('fires after a downtime if it fell due meanwhile, the longest overdue first', async () => {
    for (const hour of [3, 1, 2]) await ask(`h${hour}`, inMs(-hour * HOUR));
    await ask('future', inMs(HOUR));
    const one = started();
    await until(() => fired().length === 3);
    await settled(one, log);
    expect(fired()).toEqual(['h3', 'h2', 'h1']);
  });

  it('fires together with another that is due at the same instant', async () => {
    const dueAt = inMs(-1);
    const one = started();
    await ask('a', dueAt);
    await ask('b', dueAt);
    await until(() => fired().length === 2);
    await settled(one, log);
    expect(fired().sort()).toEqual(['a', 'b']);
  });

  it('waits, without being stuck, while its table does not trust the clock', async () => {
    let isTrusted = false;
    const asked: string[] = [];
    const table = {
      ...taskTimers(receiver),
      isTrusted: async (now: string) => {
        asked.push(now);
        return isTrusted;
      },
    };
    const one = started({ tables: [table] });
    const dueAt = inMs(0);
    await ask('a', dueAt);
    await until(() => asked.length > 1, 'a second pass');
    expect(fired()).toEqual([]);
    expect(asked.every((now) => now >= dueAt)).toBe(true);
    expect(await one.control.parked('reminding')).toEqual([]);
    isTrusted = true;
    await until(() => fired().length > 0);
  });

  it('is one of at most sixteen that fire concurrently', async () => {
    let [now, most] = [0, 0];
    receiver.answer = async (given) => {
      most = Math.max(most, (now += 1));
      await letPass(5, 'a slow command');
      await done(given);
      now -= 1;
    };
    for (let at = 0; at < 60; at += 1) await ask(`e${at}`, inMs(-HOUR));
    const one = started();
    await until(() => fired().length === 60);
    await settled(one, log);
    expect(most).toBeGreaterThan(4);
    expect(most).toBeLessThanOrEqual(16);
  });

  it('fires again when an event has moved its due time', async () => {
    receiver.answer = async (given) => {
      if (fired().length > 1) return done(given);
      const postponed = taskEvent({ type: 'TaskPostponed', dueAt: inMs(150) });
      await log.append(`task-${given.id}`, 0, [postponed]);
    };
    await ask('a', inMs(-1));
    const one = started();
    await until(() => fired().length === 2);
    await settled(one, log);
    expect(new Set(receiver.received.map(({ commandId }) => commandId)).size).toBe(2);
  });

  it.each([
    ['does nothing', async () => {}, null],
    ['is refused', () => Promise.reject(refused()), 'CONFLICT: It is too late.'],
  ])('is listed as stuck and backed off when its command %s', async (_, answer, reason) => {
    receiver.answer = answer;
    await ask('a', inMs(-1));
    const one = started({ stuckFirstMs: 8_000 });
    await until(async () => (await one.control.parked('reminding')).length === 1);
    await log.append('foreign-a', 'any', [requested()]);
    await letPass(200, 'shorter than its pause: a timer that loops would have fired again');
    expect(fired()).toEqual(['a']);
    const [stuck] = await one.control.parked('reminding');
    expect(stuck).toMatchObject({ stream: 'a', error: reason });
    // Retried after its pause, under the same id, and no longer listed once it has succeeded.
    receiver.answer = done;
    await until(() => fired().length === 2);
    await until(async () => (await one.control.parked('reminding')).length === 0);
    expect(receiver.distinct).toEqual(['a']);
  });

  it('does not delay others while it is backed off', async () => {
    receiver.answer = async (given) => (given.id === 'a' ? undefined : done(given));
    await ask('a', inMs(-HOUR));
    const one = started();
    await until(async () => (await one.control.parked('reminding')).length === 1);
    await ask('b', inMs(50));
    await until(() => fired().includes('b'));
    expect(fired()).toEqual(['a', 'b']);
  });

  it('is not fired by a rebuild that has not yet applied its completion', async () => {
    await ask('a', inMs(-HOUR));
    const first = started();
    await until(() => fired().length === 1);
    await settled(first, log);
    await running.pop()!.stop();
    // A slow rebuild, one event at a time.
    const slow = logWith(log, {
      async *subscribe(after, options) {
        for await (const batch of log.subscribe(after, { ...options, batchEventsMax: 1 })) {
          yield batch;
          await letPass(150, 'a slow rebuild');
        }
      },
    });
    const second = started({}, slow);
    await second.db.pool.query('drop schema tasks_v1 cascade');
    await until(async () => (await second.models.ready()) === true);
    await settled(second, log);
    expect(fired()).toEqual(['a']);
  });
});

describe('an advance of the virtual clock', () => {
  const recorded: number[] = [];
  const advanced = (
    one: Pick<RunningProcesses, 'timers' | 'processes' | 'models'>,
    target: string,
    over: Partial<AdvanceParts> = {},
  ) =>
    advance({
      clock,
      target,
      timers: one.timers,
      processes: one.processes,
      models: one.models,
      log,
      record: async (_, offsetMs) => recorded.push(offsetMs),
      ...over,
    });
  const minutes = (a: string, b: string) => Math.round((Date.parse(a) - Date.parse(b)) / 60_000);
  beforeEach(() => recorded.splice(0));

  it('reports that it is unfinished where read models do not catch up', async () => {
    const one = started();
    await ask('h1', inMs(HOUR));
    const before = clock.offsetMs;
    const models = { ...one.models, waitFor: async () => false };
    await expect(advanced({ ...one, models }, inMs(2 * HOUR))).rejects.toBeInstanceOf(
      AdvanceUnfinished,
    );
    expect(clock.offsetMs).toBe(before);
    await advanced(one, inMs(2 * HOUR));
    expect(fired()).toEqual(['h1']);
  });

  it('waits for read models and processes for as long as they make progress', async () => {
    const one = started();
    let [waits, at] = [0, 0];
    const slow = {
      processes: {
        ...one.processes,
        waitFor: async (...call: Parameters<typeof one.processes.waitFor>) =>
          (waits += 1) > 3 && one.processes.waitFor(...call),
      },
    };
    await ask('h1', inMs(HOUR));
    const standing = async () => String((at += 1));
    await advanced({ ...one, ...slow }, inMs(2 * HOUR), { standing });
    expect(fired()).toEqual(['h1']);
    expect(at).toBe(3);

    await ask('h3', inMs(HOUR));
    waits = -10;
    await expect(
      advanced({ ...one, ...slow }, inMs(2 * HOUR), { standing: async () => 'there' }),
    ).rejects.toBeInstanceOf(AdvanceUnfinished);
    expect(waits).toBe(-8);
  });

  it('reports that it is unfinished where a due timer has not fired', async () => {
    const one = started();
    await ask('h1', inMs(HOUR));
    await until(async () => (await one.timers.earliest()) !== null);
    const fireDue = async () => {
      throw new LogUnavailable('the table is behind');
    };
    await expect(
      advanced({ ...one, timers: { ...one.timers, fireDue } }, inMs(2 * HOUR)),
    ).rejects.toThrow(/what has fallen due is not done yet/);
  });

  it('ends though the log keeps growing', async () => {
    let written = 0;
    const seen: (string | null)[] = [];
    const waitFor = async (position: Position | null) => {
      seen.push(position);
      return true;
    };
    const target = inMs(HOUR);
    const now = await advance({
      clock,
      target,
      timers: { earliest: async () => null, fireDue: async () => {}, wake() {} },
      processes: { waitFor, nextRetryAt: () => null, wake() {} },
      models: { names: [], waitFor: async () => true },
      log: { head: async () => ({ ...(await log.head()), position: `${(written += 1)}` }) },
      record: async (_, offsetMs) => recorded.push(offsetMs),
    });
    expect(now >= target).toBe(true);
    // It waited for the events written before its end, and for their consequences.
    expect(seen.length).toBeGreaterThan(1);
  });

  it('fires the timers due in between in order, each at its own time, before it ends', async () => {
    const one = started();
    const start = clock.now();
    for (const hours of [5, 2, 9, 3]) await ask(`h${hours}`, inMs(hours * HOUR));
    const now = await advanced(one, inMs(6 * HOUR));
    expect(fired()).toEqual(['h2', 'h3', 'h5']);
    expect(receiver.received.map(({ occasion }) => minutes(occasion.at, start))).toEqual([
      120, 180, 300,
    ]);
    expect(minutes(now, start)).toBe(360);
    expect(recorded.map((ms) => Math.round(ms / 60_000))).toEqual([120, 180, 300, 360]);
    const { rows } = await one.db.pool.query('select id from tasks_v1.task');
    expect(rows).toEqual([{ id: 'h9' }]);
  });

  it('fires timers that are set by fired ones', async () => {
    const one = started();
    const start = clock.now();
    receiver.answer = async (given) => {
      await done(given);
      if (given.id === 'first')
        await ask('second', new Date(Date.parse(given.occasion.at) + HOUR).toISOString());
    };
    await ask('first', inMs(HOUR));
    await ask('third', inMs(4 * HOUR));
    await advanced(one, inMs(5 * HOUR));
    expect(fired()).toEqual(['first', 'second', 'third']);
    expect(receiver.received.map(({ occasion }) => minutes(occasion.at, start))).toEqual([
      60, 120, 240,
    ]);
  });

  it('waits for the commands of processes and their timers', async () => {
    const one = started();
    await until(async () => (await log.readStream('process-notifying')).length > 0);
    receiver.answer = async (given) => {
      if (given.to === 'task') {
        await done(given);
        if (given.id === 'first') await ask('follow-up', inMs(HOUR), 1);
        return;
      }
      await letPass(200, 'a slow process');
      await ask('by-recipient', inMs(HOUR / 2));
    };
    await ask('first', inMs(HOUR));
    await advanced(one, inMs(3 * HOUR));
    expect(receiver.received.map(({ to, id }) => `${to} ${id}`)).toEqual([
      'task first',
      'recipient follow-up/0',
      'task by-recipient',
      'task follow-up',
    ]);
  });

  it('is not delayed by a timer without effect', async () => {
    receiver.answer = async (given) => (given.id === 'a' ? undefined : done(given));
    const one = started();
    await ask('a', inMs(HOUR));
    await ask('b', inMs(2 * HOUR));
    await advanced(one, inMs(3 * HOUR));
    expect(fired()).toEqual(['a', 'b']);
  });

  it('never goes back', async () => {
    const one = started();
    await advanced(one, inMs(HOUR));
    const offsetMs = clock.offsetMs;
    await advanced(one, inMs(-HOUR));
    expect(clock.offsetMs).toBe(offsetMs);
    expect(recorded).toHaveLength(1);
  });
});
