import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EventStore, NewEvent } from '../../../../src/engine/log/event-store.ts';
import { memoryEventStore } from '../../../../src/engine/log/memory/store.ts';
import { freshDatabase } from '../../../support/postgres/database.ts';
import {
  caughtUp,
  projectionsOn,
  type RunningProjections,
} from '../../../support/consumers/running-projections.ts';
import {
  countedOf,
  garbled,
  made,
  painted,
  rowsOf,
  talliesOf,
} from '../../../support/consumers/sample-projection.ts';
import { inBatchesOf } from '../../../support/log/batches.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let log: EventStore;
let one: RunningProjections;

beforeEach(async () => {
  database = await freshDatabase();
  log = memoryEventStore();
  one = projectionsOn(database.url, log);
});
afterEach(async () => {
  await one.stop();
  await log.close();
  await database.drop();
});

const parkedOf = async () => {
  const { rows } = await one.db.pool.query<{ stream: string; revision: number; error: string }>(
    `select consumer, stream, revision, position, skipped, reason as error
     from consumers.parked order by stream`,
  );
  return rows;
};

const CONSUMER = 'projection/widgets@1';

/** Events that cannot be applied, and the error of each. */
const poisons: [string, () => NewEvent, RegExp][] = [
  ['an event that its schema rejects', garbled, /UnreadableEvent/],
  [
    'an event this release does not know',
    () => ({ ...painted(''), type: 'Sold' }),
    /NewerReleaseNeeded/,
  ],
  ['a value that the table refuses', () => made('white', 3_000_000_000), /out of range/],
  ['a character that Postgres rejects', () => painted('\0'), /\\u0000|Unicode|byte sequence/],
  ['an unpaired surrogate', () => painted('\ud800'), /syntax for type json/],
];

describe.each(poisons)('%s', (_, poison, error) => {
  it.each([2, 1_000])('parks its stream and nothing else, in batches of %i', async (batch) => {
    for (const stream of ['a', 'b', 'c', 'd'])
      await log.append(`widget-${stream}`, 'no_stream', [made('red', 1), painted('blue')]);
    await log.append('widget-b', 1, [painted('white'), poison(), painted('green')]);
    for (const stream of ['a', 'c', 'd'])
      await log.append(`widget-${stream}`, 1, [painted('green')]);
    await log.append('widget-b', 4, [painted('green')]);
    one = projectionsOn(database.url, inBatchesOf(batch, log));
    one.start();
    await caughtUp(one.models, log);
    await log.append('widget-b', 5, [painted('green')]);
    await log.append('widget-a', 2, [painted('black')]);
    await caughtUp(one.models, log);

    expect((await rowsOf(one.db)).map(({ id, colour, facts }) => [id, colour, facts])).toEqual([
      ['a', 'black', 4],
      ['b', 'white', 3],
      ['c', 'green', 3],
      ['d', 'green', 3],
    ]);
    expect(await talliesOf(one.db)).toEqual(await countedOf(one.db));
    expect(await parkedOf()).toMatchObject([
      { consumer: CONSUMER, stream: 'widget-b', revision: 3, position: '10', skipped: 3 },
    ]);
    expect((await parkedOf())[0]?.error).toMatch(error);
    expect(await one.models.status()).toMatchObject([{ parked: 1, lagEvents: 0, state: 'live' }]);
    expect(await one.models.ready()).toBe(true);
  });
});

it('parks a stream whose fold throws, from that event on', async () => {
  await log.append('widget-a', 'no_stream', [painted('red'), made(), painted('blue')]);
  await log.append('widget-b', 'no_stream', [made()]);
  one.start();
  await caughtUp(one.models, log);
  expect((await rowsOf(one.db)).map(({ id }) => id)).toEqual(['b']);
  expect(await parkedOf()).toMatchObject([{ stream: 'widget-a', revision: 0, skipped: 2 }]);
});

it('parks several streams of one batch, each at its own event', async () => {
  await log.append('widget-a', 'no_stream', [made(), garbled(), painted('blue')]);
  await log.append('widget-b', 'no_stream', [made(), painted('a colour too long for it')]);
  await log.append('widget-c', 'no_stream', [painted('red')]);
  await log.append('widget-d', 'no_stream', [made()]);
  one.start();
  await caughtUp(one.models, log);
  expect((await parkedOf()).map(({ stream, revision }) => [stream, revision])).toEqual([
    ['widget-a', 1],
    ['widget-b', 1],
    ['widget-c', 0],
  ]);
  expect((await rowsOf(one.db)).map(({ id, facts }) => [id, facts])).toEqual([
    ['a', 1],
    ['b', 1],
    ['d', 1],
  ]);
});

it('accepts an invalid row that a later event of the batch corrects', async () => {
  await log.append('widget-a', 'no_stream', [made()]);
  await log.append('widget-a', 0, [painted('a colour too long for it'), painted('blue')]);
  one.start();
  await caughtUp(one.models, log);
  expect(await parkedOf()).toEqual([]);
});

it('keeps parked streams over a restart, and parks them again in new tables', async () => {
  await log.append('widget-a', 'no_stream', [made(), garbled()]);
  one.start();
  await caughtUp(one.models, log);
  await one.stop();
  one = projectionsOn(database.url, log);
  await log.append('widget-a', 1, [painted('blue')]);
  one.start();
  await caughtUp(one.models, log);
  expect(await parkedOf()).toMatchObject([{ stream: 'widget-a', revision: 1, skipped: 1 }]);
  await one.stop();
  one = projectionsOn(database.url, log);
  await one.db.pool.query('drop schema widgets_v1 cascade');
  one.start();
  await caughtUp(one.models, log);
  expect(await parkedOf()).toMatchObject([{ stream: 'widget-a', revision: 1, skipped: 1 }]);
});
