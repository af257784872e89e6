import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { memoryEventStore } from '../../src/store/memory.ts';
import type { EventStore } from '../../src/store/event-store.ts';
import { freshDatabase } from '../support/database.ts';
import {
  caughtUp,
  countedOf,
  lost,
  made,
  painted,
  platform,
  rowsOf,
  talliesOf,
  type Platform,
} from './things.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let log: EventStore;
let running: Platform[];

beforeEach(async () => {
  database = await freshDatabase();
  log = memoryEventStore();
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((each) => each.stop()));
  await log.close();
  await database.drop();
});

const started = (
  ...options: Parameters<typeof platform> extends [string, EventStore, ...infer O] ? O : never
) => {
  const one = platform(database.url, log, ...options);
  running.push(one);
  one.start();
  return one;
};

describe('a fact', () => {
  it('becomes a row, changes it and takes it away', async () => {
    await log.append('thing-a', 'no_stream', [made('red'), painted('blue')]);
    await log.append('thing-b', 'no_stream', [made('red', 9)]);
    await log.append('thing-c', 'no_stream', [made('red'), lost()]);
    const { models, db } = started();
    await caughtUp(models, log);
    expect(await rowsOf(db)).toEqual([
      {
        id: 'a',
        colour: 'blue',
        size: 1,
        madeAt: '2026-03-02T12:00:00.000Z',
        facts: 2,
        history: ['red', 'blue'],
      },
      {
        id: 'b',
        colour: 'red',
        size: 9,
        madeAt: '2026-03-02T12:00:00.000Z',
        facts: 1,
        history: ['red'],
      },
    ]);
    await log.append('thing-b', 0, [painted('green')]);
    await log.append('thing-a', 1, [lost()]);
    await caughtUp(models, log);
    expect((await rowsOf(db)).map(({ id, colour }) => [id, colour])).toEqual([['b', 'green']]);
    expect(await talliesOf(db)).toEqual(await countedOf(db));
    expect(await models.ready()).toBe(true);
    expect(await models.status()).toMatchObject([
      {
        name: 'things',
        version: 1,
        lagEvents: 0,
        lagSeconds: 0,
        state: 'live',
        owner: 'this',
        parked: 0,
      },
    ]);
  });
});
