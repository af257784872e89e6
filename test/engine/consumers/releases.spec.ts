import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { processId } from '../../../src/engine/consumers/consumer.ts';
import {
  isReadBy,
  neededIn,
  releases,
  type Releases,
} from '../../../src/engine/consumers/releases.ts';
import { errorLine } from '../../../src/engine/postgres/errors.ts';
import { openDatabase, type Database } from '../../../src/engine/postgres/pool.ts';
import { systemClock } from '../../../src/engine/time/clock.ts';
import { loggerOf } from '../../../src/engine/observe/logging.ts';
import { NewerReleaseNeeded } from '../../../src/engine/log/codec.ts';
import { freshDatabase } from '../../support/postgres/database.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let db: Database;
const logger = loggerOf('silent');

beforeEach(async () => {
  database = await freshDatabase();
  db = openDatabase({ url: database.url, logger });
});
afterEach(async () => {
  await db.close();
  await database.drop();
});

const releaseOf = (name: string, reads: Record<string, number>): Releases =>
  releases({ db, clock: systemClock, logger, name, roles: ['processes'], runs, reads });

const runs = [processId('notifying')];

const painted2 = { type: 'Painted', version: 2 };

describe('the running releases', () => {
  it('are the registered ones, until their processes end', async () => {
    const older = releaseOf('1.0.0', { Painted: 1 });
    const newer = releaseOf('1.1.0', { Painted: 2 });
    await older.register();
    const ending = new AbortController();
    await newer.register();
    const kept = newer.keepRegistered(ending.signal);
    const seen = await older.running();
    expect(seen).toHaveLength(2);
    expect(seen).toContainEqual(expect.objectContaining({ name: '1.0.0', isThis: true }));
    expect(seen).toContainEqual(expect.objectContaining({ name: '1.1.0', isThis: false }));
    ending.abort();
    await kept;
    expect((await older.running()).map(({ name }) => name)).toEqual(['1.0.0']);
  });

  it('exclude those whose heartbeat has expired', async () => {
    const one = releaseOf('1.0.0', {});
    await one.register();
    await db.pool.query(`update consumers.heartbeat set beat_at = beat_at - interval '1 minute'`);
    expect(await one.running()).toEqual([]);
    await one.register();
    expect(await one.running()).toHaveLength(1);
  });
});

describe('an event is read elsewhere', () => {
  it('where another release reads it and runs the consumer', async () => {
    const older = releaseOf('1.0.0', { Painted: 1 });
    await older.register();
    expect(await older.isReadElsewhere(painted2, processId('notifying'))).toBe(false);
    const newer = releaseOf('1.1.0', { Painted: 2 });
    await newer.register();
    expect(await older.isReadElsewhere(painted2, processId('notifying'))).toBe(true);
    expect(await older.isReadElsewhere(painted2, processId('other'))).toBe(false);
    expect(await older.isReadElsewhere({ type: 'Sold', version: 1 }, processId('notifying'))).toBe(
      false,
    );
  });

  it('never where this release reads it', async () => {
    const [one, other] = [releaseOf('1.1.0', { Painted: 2 }), releaseOf('1.1.0', { Painted: 2 })];
    await one.register();
    await other.register();
    expect(await one.isReadElsewhere(painted2, processId('notifying'))).toBe(false);
  });
});

describe('the stored reason of a failure', () => {
  it('names the event that needs a newer release', () => {
    const reason = errorLine(new NewerReleaseNeeded('Painted', 2));
    expect(neededIn(reason)).toEqual(painted2);
    expect(
      neededIn('UnknownEvent: this release does not know the event Painted in version 2'),
    ).toEqual(painted2);
    expect(neededIn('UnreadableEvent: Painted does not fit its schema')).toBe(null);
    expect(neededIn(null)).toBe(null);
  });

  it('is read by a release of that version or a later one', () => {
    expect(isReadBy({ Painted: 3 }, painted2)).toBe(true);
    expect(isReadBy({ Painted: 1 }, painted2)).toBe(false);
    expect(isReadBy({}, { type: 'constructor', version: 1 })).toBe(false);
  });
});
