import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/engine/postgres/pool.ts';
import { loggerOf } from '../../../src/engine/observe/logging.ts';
import { PROCESS_ATTEMPTS_MAX } from '../../../src/engine/limits.ts';
import { retryAt } from '../../../src/engine/processes/outcome.ts';
import { systemClock } from '../../../src/engine/time/clock.ts';
import { processPosition } from '../../../src/engine/processes/process-position.ts';
import { effectId } from '../../../src/engine/processes/process.ts';
import { processRunner } from '../../../src/engine/processes/runner.ts';
import {
  LogUnavailable,
  WrongRevision,
  type EventStore,
} from '../../../src/engine/log/event-store.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import {
  processesOn,
  type RunningProcesses,
  settled,
} from '../../support/consumers/running-processes.ts';
import {
  CommandReceiver,
  notifyingProcess,
  refused,
  requested,
  taskEvent,
} from '../../support/consumers/sample-process.ts';
import { logWith } from '../../../src/engine/log/log-with.ts';
import { poolThrough } from '../../support/postgres/pool-through.ts';
import { letPass, until } from '../../support/until.ts';
import { testConsumers } from '../../support/consumers/consumers.ts';
import { freshDatabase } from '../../support/postgres/database.ts';

const logger = loggerOf('silent');
let database: Awaited<ReturnType<typeof freshDatabase>>;
let log: EventStore;
let receiver: CommandReceiver;
let running: Pick<RunningProcesses, 'stop'>[];

beforeEach(async () => {
  database = await freshDatabase();
  log = memoryEventStore();
  receiver = new CommandReceiver();
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((each) => each.stop()));
  await log.close();
  await database.drop();
});

const opened = (...[options, from]: [Parameters<typeof processesOn>[3]?, EventStore?]) => {
  const one = processesOn(database.url, from ?? log, receiver, { tables: [], ...options });
  running.push(one);
  one.start();
  return one;
};
const stopped = async (one: RunningProcesses) => {
  running.splice(running.indexOf(one), 1);
  await one.stop();
};
/** Starts the process and waits for its registration, after which it reacts to new events. */
const registered = async () => {
  const one = opened();
  await until(async () => (await log.readStream('process-notifying')).length > 0);
  return one;
};
const ask = (name: string, recipients = 1) =>
  log.append(`task-${name}`, 'no_stream', [requested(undefined, recipients)]);
const typesIn = async (stream: string) => (await log.readStream(stream)).map(({ type }) => type);

describe('a process', () => {
  it("gives the commands of its table, as itself, for the event's organisation", async () => {
    const one = await registered();
    await ask('a', 2);
    await settled(one, log);
    const [stored] = await log.readStream('task-a');
    expect(receiver.received).toMatchObject([
      {
        to: 'recipient',
        id: 'a/0',
        commandId: effectId('notifying', stored!.id, 0),
        organisation: 'acme',
        occasion: { by: { kind: 'system', id: 'process:notifying' }, origin: 'system' },
      },
      { to: 'recipient', id: 'a/1', commandId: effectId('notifying', stored!.id, 1) },
    ]);
  });

  it('starts at its registration, not at the beginning of the log', async () => {
    await ask('before');
    const one = await registered();
    await ask('after');
    await settled(one, log);
    expect(receiver.distinct).toEqual(['after/0']);
    expect((await typesIn('process-notifying'))[0]).toBe('ProcessRegistered');
  });

  it('resumes at its checkpoint, and repeats no command', async () => {
    const first = await registered();
    await ask('a');
    await settled(first, log);
    await stopped(first);
    await ask('b');
    await settled(opened(), log);
    expect(receiver.received.map(({ id }) => id)).toEqual(['a/0', 'b/0']);
  });

  it('resumes from the copy of its checkpoint in the log when the database is empty', async () => {
    const first = await registered();
    await ask('a');
    await settled(first, log);
    await until(async () => (await typesIn('process-notifying')).includes('ProcessCheckpointed'));
    await stopped(first);
    await ask('b');
    await database.drop();
    database = await freshDatabase();
    await settled(opened(), log);
    expect(receiver.received.map(({ id }) => id)).toEqual(['a/0', 'b/0']);
    expect(
      (await typesIn('process-notifying')).filter((type) => type === 'ProcessRegistered'),
    ).toEqual(['ProcessRegistered']);
  });

  it('starts at the position in its copy, not at the position of the copy', async () => {
    const place = processPosition('notifying', log, systemClock);
    await place.find();
    await ask('a');
    const { position } = await log.head();
    await ask('b');
    await place.copy(position!);
    await settled(opened(), log);
    expect(receiver.distinct).toEqual(['b/0']);
  });

  it('repeats commands given after the copy under the same ids', async () => {
    const first = await registered();
    await ask('a');
    await settled(first, log);
    await first.db.pool.query('delete from consumers.checkpoint');
    await ask('b');
    await settled(first, log);
    expect(receiver.distinct).toEqual(['a/0', 'b/0']);
  });

  it('copies no checkpoint to the log while it handles no event', async () => {
    const one = await registered();
    await ask('a');
    await settled(one, log);
    await until(async () => (await typesIn('process-notifying')).length === 2);
    for (let at = 0; at < 15; at += 1) {
      await log.append('foreign-a', 'any', [requested()]);
      await letPass(60, 'longer than the pause between two copies');
    }
    expect(await typesIn('process-notifying')).toEqual([
      'ProcessRegistered',
      'ProcessCheckpointed',
    ]);
    expect(await one.control.status()).toMatchObject([{ lastError: null }]);
  });

  it('repeats no command when the read models are dropped', async () => {
    const one = await registered();
    await ask('a');
    await settled(one, log);
    await one.db.pool.query(
      `drop schema tasks_v1 cascade;
       delete from consumers.checkpoint where starts_with(consumer, 'projection/')`,
    );
    await until(async () => (await one.models.ready()) === true, 'the read model');
    await settled(one, log);
    const { rows } = await one.db.pool.query('select id from tasks_v1.task');
    expect(rows).toEqual([{ id: 'a' }]);
    expect(receiver.received).toHaveLength(1);
  });

  it('keeps the order of a stream, and handles several streams concurrently', async () => {
    let atOnce = 0;
    let most = 0;
    receiver.answer = async () => {
      most = Math.max(most, (atOnce += 1));
      await letPass(5, 'a slow command');
      atOnce -= 1;
    };
    const first = await registered();
    await stopped(first);
    for (let at = 0; at < 40; at += 1) await ask(`e${at}`, 3);
    await settled(opened(), log);
    for (let at = 0; at < 40; at += 1)
      expect(
        receiver.received.map(({ id }) => id).filter((id) => id.startsWith(`e${at}/`)),
      ).toEqual([0, 1, 2].map((recipient) => `e${at}/${recipient}`));
    expect(most).toBeGreaterThan(4);
    expect(most).toBeLessThanOrEqual(16);
  });

  it('deletes a closed journal', async () => {
    const one = await registered();
    await log.append('notes-a', 'no_stream', [requested()]);
    await log.append('task-a', 'no_stream', [
      taskEvent({ type: 'TaskPostponed', dueAt: '2026-03-02T12:00:00.000Z' }),
    ]);
    await settled(one, log);
    expect(await log.readStream('notes-a')).toEqual([]);
  });

  it('is run by one process at a time', async () => {
    const one = await registered();
    opened();
    opened();
    for (let at = 0; at < 20; at += 1) await ask(`e${at}`);
    await settled(one, log);
    expect(receiver.received).toHaveLength(20);
    await expect
      .poll(() => one.control.status())
      .toMatchObject([
        { name: 'notifying', lagEvents: 0, owner: 'this', parked: 0, lastError: null },
      ]);
  });
});

describe('the copy of a checkpoint in the log', () => {
  const copied = async () => (await typesIn('process-notifying')).length - 1;

  /** A process of the platform that is given each lease by hand. */
  const owner = (from: EventStore) => {
    const own = testConsumers(database.url, from);
    running.push(own);
    const { consumers } = own;
    const process = notifyingProcess(receiver, from);
    const runner = processRunner({ process, consumers, copyMs: 20 });
    return (epoch: number) => {
      const lease = new AbortController();
      const ended = runner.run({ epoch, signal: lease.signal });
      const end = () => {
        lease.abort();
        return ended;
      };
      return { ended, end };
    };
  };
  /** Asks for something, and waits until the checkpoint behind it is copied. */
  const copiedAfter = async (name: string) => {
    const before = await copied();
    await ask(name);
    await until(async () => (await copied()) > before, `a copy after ${name}`);
  };

  it('is not made while an event waits, which only the database knows behind it', async () => {
    await processPosition('notifying', log, systemClock).find();
    let isAway = true;
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    receiver.outcome = ({ id }) =>
      id === 'slow/0' && isAway ? retryAt(inAnHour, 'away') : undefined;
    const first = owner(log)(1);
    for (const name of ['slow', 'other']) await ask(name);
    await until(async () => receiver.received.some(({ id }) => id === 'other/0'), 'the other one');
    await letPass(300, 'longer than the pause between two copies');
    expect(await copied()).toBe(0);
    await first.end();
    isAway = false;
    const db = openDatabase({ url: database.url, logger: loggerOf('silent') });
    await db.pool.query('update consumers.parked set retry_at = $1', [systemClock.now()]);
    await db.close();
    const next = owner(log)(2);
    await copiedAfter('more');
    await next.end();
    expect(receiver.distinct).toEqual(['more/0', 'other/0', 'slow/0']);
  });

  it('is made again by an owner whose lease another one had in between', async () => {
    await processPosition('notifying', log, systemClock).find();
    const [one, other] = [owner(log), owner(log)];
    for (const [epoch, holds] of [one, other, one].entries()) {
      const { end } = holds(epoch);
      await copiedAfter(`e${epoch}`);
      await end();
    }
  });

  it('is made again after the reply to one was lost', async () => {
    await processPosition('notifying', log, systemClock).find();
    const stored = Promise.withResolvers<void>();
    const lost = Promise.withResolvers<void>();
    const losing = logWith(log, {
      async append(...call) {
        const appended = await log.append(...call);
        if (!call[0].startsWith('process-') || (await copied()) > 1) return appended;
        stored.resolve();
        await lost.promise;
        throw new LogUnavailable('the reply was lost');
      },
    });
    const one = opened({}, losing);
    await ask('a');
    await stored.promise;
    const { position } = await ask('b');
    await until(async () => {
      const { rows } = await one.db.pool.query<{ position: string | null }>(
        `select position from consumers.checkpoint where consumer = 'process/notifying'`,
      );
      return log.compare(rows[0]?.position ?? null, position) >= 0;
    }, 'the checkpoint to move on');
    lost.resolve();
    // Only an event that is handled is a reason for a copy.
    for (let at = 0; (await copied()) < 2; at += 1) {
      await ask(`e${at}`);
      await settled(one, log);
    }
  });

  it('is not made by an owner after one of a later owner', async () => {
    await processPosition('notifying', log, systemClock).find();
    const first = owner(log)(1);
    await copiedAfter('a');
    await first.end();

    const reads = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const slow = logWith(log, {
      async readStream(...call) {
        if (call[0] === 'process-notifying') {
          reads.resolve();
          await released.promise;
        }
        return log.readStream(...call);
      },
    });
    const former = owner(slow)(2);
    await ask('b');
    await reads.promise;
    const later = owner(log)(3);
    await copiedAfter('c');
    await later.end();
    const copies = await log.readStream('process-notifying');

    released.resolve();
    await former.ended;
    expect(await log.readStream('process-notifying')).toEqual(copies);
  });
});

describe('a command of a process', () => {
  it('is not retried after a refusal', async () => {
    receiver.answer = async () => {
      throw refused();
    };
    const one = await registered();
    await ask('a');
    await ask('b');
    await settled(one, log);
    expect(receiver.received.map(({ id }) => id)).toEqual(['a/0', 'b/0']);
    expect(await one.control.status()).toMatchObject([{ parked: 0 }]);
  });

  it('is retried without limit while a system that it needs is unavailable', async () => {
    const failures: Record<string, () => Error> = {
      'log/0': () => new LogUnavailable('it is away'),
      'race/0': () => new WrongRevision('recipient-a', 1, 2),
      'connection/0': () => new Error('Connection terminated unexpectedly'),
      'database/0': () => Object.assign(new Error('shutdown'), { code: '57P01' }),
      'network/0': () => Object.assign(new Error('refused'), { code: 'X', syscall: 'connect' }),
    };
    const attempts = new Map<string, number>();
    receiver.answer = async ({ id }) => {
      attempts.set(id, (attempts.get(id) ?? 0) + 1);
      if (attempts.get(id)! <= PROCESS_ATTEMPTS_MAX) throw failures[id]!();
    };
    const one = await registered();
    for (const id of Object.keys(failures)) await ask(id.slice(0, -2));
    await settled(one, log);
    expect([...attempts.values()]).toEqual(Array(5).fill(PROCESS_ATTEMPTS_MAX + 1));
    expect(receiver.distinct).toEqual(Object.keys(failures).sort());
    expect(await one.control.status()).toMatchObject([{ parked: 0 }]);
  });
});

describe('an event that can never be handled', () => {
  const cases: [string, () => ReturnType<typeof requested>, RegExp][] = [
    ['cannot be read', () => ({ ...requested(), data: { recipients: 'many' } }), /UnreadableEvent/],
    ['is of a newer release', () => ({ ...requested(), type: 'TaskSung' }), /NewerReleaseNeeded/],
    ['breaks the table', () => requested(undefined, -1), /less than no recipient/],
  ];
  it.each(cases)('parks its stream when it %s, and nothing else', async (_, poison, error) => {
    const one = await registered();
    await log.append('task-a', 'no_stream', [requested(), poison(), requested()]);
    await ask('b');
    await settled(one, log);
    await log.append('task-a', 2, [requested()]);
    await ask('c');
    await settled(one, log);
    expect(receiver.distinct).toEqual(['a/0', 'b/0', 'c/0']);
    const parked = await one.control.parked('notifying');
    expect(parked).toMatchObject([{ stream: 'task-a', revision: 1 }]);
    expect(parked[0]!.error).toMatch(error);
    await expect.poll(() => one.control.status()).toMatchObject([{ parked: 1, lagEvents: 0 }]);
  });

  it('parks its stream when its command keeps failing with an unknown error', async () => {
    receiver.answer = async ({ id }) => {
      if (id === 'a/0') throw new TypeError('not a function');
    };
    const one = await registered();
    await ask('a');
    await ask('b');
    await settled(one, log);
    expect(receiver.distinct).toEqual(['a/0', 'b/0']);
    expect(await one.control.status()).toMatchObject([{ parked: 1 }]);
  });
});

it('after a crash between any two steps, gives every command, each under one id', async () => {
  const recipientsOfTasks = [1, 2, 0, 3];
  const expected = recipientsOfTasks.flatMap((recipients, task) =>
    Array.from({ length: recipients }, (_, at) => `e${task}/${at}`),
  );
  const db = openDatabase({ url: database.url, logger });
  let crashes = 0;
  for (let crashAt = 1, crashed = true; crashed; crashAt += 1) {
    const history = memoryEventStore();
    const received = new CommandReceiver();

    const name = `notifying-${crashAt}`;
    await processPosition(name, history, systemClock).find();
    for (const [task, recipients] of recipientsOfTasks.entries())
      await history.append(`task-e${task}`, 'no_stream', [requested(undefined, recipients)]);
    const { position: head } = await history.head();

    /** Runs until it has handled every event, or has reached the step at which it crashes. */
    const run = async (epoch: number, tick: () => Promise<void>) => {
      const stepping = async <Reply>(send: () => Promise<Reply>) => {
        await tick();
        const reply = await send();
        await tick();
        return reply;
      };
      const stop = new AbortController();
      const reached = Promise.withResolvers<void>();
      const stepped = logWith(history, {
        append: (...call) => stepping(() => history.append(...call)),
        readStream: (...call) => stepping(() => history.readStream(...call)),
      });
      const pool = poolThrough(db.pool, (_, send) => stepping(send));
      const { consumers } = testConsumers(database.url, stepped, { db: { pool } });
      const notifying = notifyingProcess(received, history);
      const { recipient } = notifying.effects;
      const runner = processRunner({
        process: {
          ...notifying,
          name,
          effects: {
            ...notifying.effects,
            recipient: (...call) => stepping(() => recipient(...call)),
          },
        } satisfies typeof notifying,
        consumers: {
          ...consumers,
          positions: {
            ...consumers.positions,
            reached(_, at) {
              if (at && history.compare(at.position, head) >= 0) reached.resolve();
            },
          },
        },
        copyMs: 1,
      });
      const ended = runner.run({ epoch, signal: stop.signal });
      return { reached: reached.promise, ended, stop: () => stop.abort() };
    };

    let step = 0;
    const crash = Promise.withResolvers<boolean>();
    const doomed = await run(1, async () => {
      step += 1;
      if (step < crashAt) return;
      crash.resolve(true);
      // The crash: no further step of it ever completes.
      await new Promise<never>(() => {});
    });
    crashed = await Promise.race([crash.promise, doomed.reached.then(() => false)]);
    doomed.stop();
    if (crashed) crashes += 1;

    const next = await run(2, async () => {});
    await next.reached;
    next.stop();
    await next.ended;
    expect(received.distinct, `crashed at step ${crashAt}`).toEqual(expected);
    await history.close();
  }
  expect(crashes).toBeGreaterThan(20);
  await db.close();
});
