import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { processId, projectionId, timersId } from '../../../src/engine/consumers/consumer.ts';
import { releases, type Releases } from '../../../src/engine/consumers/releases.ts';
import { openDatabase, type Database } from '../../../src/engine/postgres/pool.ts';
import { systemClock } from '../../../src/engine/time/clock.ts';
import { loggerOf } from '../../../src/engine/observe/logging.ts';
import { processPosition } from '../../../src/engine/processes/process-position.ts';
import type { AnyProcess } from '../../../src/engine/processes/process.ts';
import type { AnyProjection } from '../../../src/engine/projections/projection.ts';
import { NewerReleaseNeeded } from '../../../src/engine/log/codec.ts';
import type { EventStore, NewEvent, StoredEvent } from '../../../src/engine/log/event-store.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import {
  processesOn,
  settled,
  type RunningProcesses,
} from '../../support/consumers/running-processes.ts';
import {
  caughtUp,
  projectionsOn,
  type RunningProjections,
} from '../../support/consumers/running-projections.ts';
import {
  CommandReceiver,
  notifyingProcess,
  requested,
  taskEvent,
} from '../../support/consumers/sample-process.ts';
import { made, painted, rowsOf, widgets } from '../../support/consumers/sample-projection.ts';
import { freshDatabase } from '../../support/postgres/database.ts';
import { until } from '../../support/until.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let db: Database;
let log: EventStore;
let running: { stop(): Promise<void> }[];
const logger = loggerOf('silent');

beforeEach(async () => {
  database = await freshDatabase();
  db = openDatabase({ url: database.url, logger });
  log = memoryEventStore();
  running = [];
});
afterEach(async () => {
  for (const one of running) await one.stop();
  await log.close();
  await db.close();
  await database.drop();
});

const releaseOf = (name: string, reads: Record<string, number>): Releases => {
  const runs = [projectionId(widgets), processId('notifying'), timersId('reminding')];
  return releases({ db, clock: systemClock, logger, name, roles: [], runs, reads });
};
const olderRelease = () => releaseOf('1.0.0', {});
const newerRelease = () => releaseOf('1.1.0', { WidgetSold: 1, TaskSung: 1 });

/** The definition of a newer release, which decodes `type` as if it were `known`. */
const reading = <Definition extends AnyProjection | AnyProcess>(
  definition: Definition,
  type: string,
  known: string,
): Definition => {
  const decode = (stored: StoredEvent) =>
    definition.codec.decode(stored.type === type ? { ...stored, type: known } : stored);
  return { ...definition, codec: { decode } };
};

const sold = (): NewEvent => ({ ...painted('sold'), type: 'WidgetSold' });

describe('a read model of an older release', () => {
  const start = (of: Releases, projection: AnyProjection): RunningProjections => {
    const one = projectionsOn(database.url, log, { projections: [projection], releases: of });
    running.push(one);
    one.start();
    return one;
  };
  const newerWidgets = reading(widgets, 'WidgetSold', 'WidgetPainted');
  const coloursIn = async (one: RunningProjections) =>
    (await rowsOf(one.db)).map(({ id, colour }) => [id, colour]);

  it('is left to a newer release beside it: no stream is parked, no event is missing', async () => {
    const older = start(olderRelease(), widgets);
    await log.append('widget-a', 'no_stream', [made('red')]);
    await caughtUp(older.models, log);
    const its = newerRelease();
    await its.register();
    const newer = start(its, newerWidgets);
    await log.append('widget-a', 0, [sold(), painted('blue')]);
    await log.append('widget-b', 'no_stream', [made('green'), sold()]);
    await caughtUp(newer.models, log);
    expect(await coloursIn(newer)).toEqual([
      ['a', 'blue'],
      ['b', 'sold'],
    ]);
    expect(await newer.models.status()).toMatchObject([{ owner: 'this', parked: 0 }]);
    // The older release answers from the tables that the newer one feeds.
    await caughtUp(older.models, log);
    expect(await older.models.status()).toMatchObject([{ owner: 'other', parked: 0 }]);
  });

  it('parks an event that no running release reads, and a later release retries it', async () => {
    const older = start(olderRelease(), widgets);
    await log.append('widget-a', 'no_stream', [made('red'), sold(), painted('blue')]);
    await log.append('widget-b', 'no_stream', [made('green')]);
    await caughtUp(older.models, log);
    expect(await older.models.status()).toMatchObject([{ parked: 1 }]);
    expect(await older.models.parked('widgets')).toMatchObject([
      { stream: 'widget-a', revision: 1, error: expect.stringContaining('NewerReleaseNeeded') },
    ]);
    await older.stop();

    // A restarted older release cannot read the event either, and changes no row.
    const again = start(olderRelease(), widgets);
    await until(async () => (await again.models.status())[0]?.owner === 'this', 'its owner');
    expect(await again.models.status()).toMatchObject([{ parked: 1 }]);
    await again.stop();

    const newer = start(newerRelease(), newerWidgets);
    await until(async () => (await newer.models.status())[0]?.parked === 0, 'the retry');
    expect(await coloursIn(newer)).toEqual([
      ['a', 'blue'],
      ['b', 'green'],
    ]);
  });
});

describe('a process of an older release', () => {
  const start = (of: Releases, receiver: CommandReceiver, isNewer: boolean): RunningProcesses => {
    const notifying = notifyingProcess(receiver, log);
    const process = isNewer ? reading(notifying, 'TaskSung', 'TaskRequested') : notifying;
    const options = { processes: [process], releases: of, tables: [] };
    const one = processesOn(database.url, log, receiver, options);
    running.push(one);
    one.start();
    return one;
  };
  const sung = (): NewEvent => ({ ...requested(), type: 'TaskSung', id: randomUUID() });
  const began = () => processPosition('notifying', log, systemClock).find();

  it('is left to a newer release beside it: no stream is parked, all is done', async () => {
    await began();
    const receiver = new CommandReceiver();
    const older = start(olderRelease(), receiver, false);
    await log.append('task-a', 'no_stream', [requested()]);
    await settled(older, log);
    const its = newerRelease();
    await its.register();
    const newer = start(its, receiver, true);
    await log.append('task-b', 'no_stream', [sung(), requested(undefined, 2)]);
    await until(async () => receiver.distinct.includes('b/1'), 'the rest of the lane');
    expect(receiver.distinct).toEqual(['a/0', 'b/0', 'b/0', 'b/1']);
    expect(await newer.control.status()).toMatchObject([{ owner: 'this', parked: 0 }]);
  });

  it('parks an event that no running release reads, and a later release retries it', async () => {
    await began();
    const receiver = new CommandReceiver();
    const older = start(olderRelease(), receiver, false);
    await log.append('task-b', 'no_stream', [sung(), requested(undefined, 2)]);
    await settled(older, log);
    expect(await older.control.status()).toMatchObject([{ parked: 1 }]);
    await older.stop();
    const newer = start(newerRelease(), receiver, true);
    await until(async () => (await newer.control.status())[0]?.parked === 0, 'the retry');
    await until(async () => receiver.distinct.includes('b/1'), 'what was left out');
    expect(receiver.distinct).toEqual(['b/0', 'b/0', 'b/1']);
    expect(await newer.control.parked('notifying')).toEqual([]);
  });
});

describe('timers of an older release', () => {
  const start = (of: Releases, isNewer: boolean) => {
    const receiver = new CommandReceiver();
    if (!isNewer)
      receiver.answer = async () => {
        throw new NewerReleaseNeeded('TaskSung', 1);
      };
    // Its own retry would come after the end of the test.
    const options = { processes: [], releases: of, stuckFirstMs: 3_600_000 };
    const one = processesOn(database.url, log, receiver, options);
    running.push(one);
    one.start();
    return { one, receiver };
  };

  it('are left to a newer release beside it, which fires the due ones', async () => {
    const older = start(olderRelease(), false);
    const its = newerRelease();
    await its.register();
    const newer = start(its, true);
    await log.append('task-a', 'no_stream', [requested()]);
    await until(async () => newer.receiver.distinct.includes('a'), 'the timer');
    await log.append('task-a', 0, [taskEvent({ type: 'TaskDone' })]);
    await settled(newer.one, log);
    await until(async () => (await newer.one.control.status())[0]?.parked === 0, 'the end of it');
    expect(await older.one.control.parked('reminding')).toEqual([]);
  });

  it('are fired at once by a newer release that starts later', async () => {
    await log.append('task-a', 'no_stream', [requested()]);
    const older = start(olderRelease(), false);
    const stuck = () => older.one.control.parked('reminding');
    await until(async () => (await stuck()).length === 1, 'that it is stuck');
    expect((await stuck())[0]?.error).toMatch(/NewerReleaseNeeded/);
    await older.one.stop();
    const newer = start(newerRelease(), true);
    await until(async () => newer.receiver.distinct.includes('a'), 'the timer');
  });
});
