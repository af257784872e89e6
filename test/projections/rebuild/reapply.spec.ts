import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Projection } from '../../../src/projections/projection.ts';
import type { Asked } from '../../../src/projections/read-models.ts';
import type { EventStore } from '../../../src/store/event-store.ts';
import { memoryEventStore } from '../../../src/store/memory.ts';
import { freshDatabase } from '../../support/postgres/database.ts';
import {
  caughtUp,
  countedOf,
  garbled,
  made,
  painted,
  platform,
  rowsOf,
  talliesOf,
  things,
  until,
  type Platform,
  type PlatformOptions,
  type Thing,
  type ThingEvent,
} from '../../support/consumers/sample-projection.ts';

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

const started = async (options: PlatformOptions = {}) => {
  const one = platform(database.url, log, options);
  running.push(one);
  one.start();
  await caughtUp(one.models, log);
  return one;
};

const done = async ({ models }: Platform, asked: Omit<Asked, 'by'>) => {
  const { id } = await models.ask('things', { ...asked, by: 'ana' });
  const find = async () => (await models.requests('things')).find((its) => its.id === id)!;
  await until(async () => (await find()).endedAt !== null, 'the end of a request');
  return find();
};

const factsOf = async (one: Platform) =>
  (await rowsOf(one.db)).map(({ id, colour, facts }) => [id, colour, facts]);

/** A fold with a bug: nothing can be painted black. */
const colourBlind: Projection<ThingEvent, Thing> = {
  ...things,
  rowAfter: (recorded, row) => {
    const { event } = recorded;
    if (event.type === 'ThingPainted' && event.colour === 'black') throw new Error('what colour?');
    return things.rowAfter(recorded, row);
  },
};

beforeEach(async () => {
  await log.append('thing-a', 'no_stream', [made(), painted('black'), painted('blue')]);
  await log.append('thing-b', 'no_stream', [made()]);
});

describe('a parked stream', () => {
  it('is applied from its first parked event on once the fault is mended', async () => {
    const buggy = await started({ projections: [colourBlind] });
    expect(await factsOf(buggy)).toEqual([
      ['a', 'red', 1],
      ['b', 'red', 1],
    ]);
    await running.pop()!.stop();
    const one = await started();
    expect((await one.models.parked('things')).map(({ stream }) => stream)).toEqual(['thing-a']);
    expect(await done(one, { kind: 'retry', stream: 'thing-a' })).toMatchObject({
      state: 'done',
      result: { stream: 'thing-a', revision: 1, skipped: false, parkedAgain: null },
    });
    await log.append('thing-a', 2, [painted('green')]);
    await caughtUp(one.models, log);
    expect(await factsOf(one)).toEqual([
      ['a', 'green', 4],
      ['b', 'red', 1],
    ]);
    expect(await one.models.parked('things')).toEqual([]);
    expect(await talliesOf(one.db)).toEqual(await countedOf(one.db));
  });

  it('is parked again, where it fails now', async () => {
    await log.append('thing-a', 2, [painted('a colour too long for its column')]);
    await (await started({ projections: [colourBlind] })).stop();
    running.pop();
    const one = await started();
    expect(await done(one, { kind: 'retry', stream: 'thing-a' })).toMatchObject({
      state: 'done',
      result: { parkedAgain: { revision: 3, error: expect.stringContaining('too long') } },
    });
    expect((await factsOf(one))[0]).toEqual(['a', 'blue', 3]);
    expect(await one.models.parked('things')).toMatchObject([{ revision: 3, skipped: 0 }]);
    expect(await talliesOf(one.db)).toEqual(await countedOf(one.db));
  });

  it('goes on without the event that is skipped, after every rebuild as well', async () => {
    const one = await started({ projections: [colourBlind] });
    expect(await done(one, { kind: 'skip', stream: 'thing-a' })).toMatchObject({
      state: 'done',
      result: { revision: 1, skipped: true, parkedAgain: null },
    });
    expect((await factsOf(one))[0]).toEqual(['a', 'blue', 2]);
    expect(await done(one, { kind: 'rebuild' })).toMatchObject({ state: 'done' });
    expect((await factsOf(one))[0]).toEqual(['a', 'blue', 2]);
    await one.db.pool.query('drop schema things_v1 cascade');
    await until(async () => (await one.models.ready()) === true && (await factsOf(one)).length > 1);
    expect((await factsOf(one))[0]).toEqual(['a', 'blue', 2]);
    expect(await one.models.parked('things')).toEqual([]);
    expect(await done(one, { kind: 'verify' })).toMatchObject({ result: { equal: true } });
  });

  it('that is none is refused', async () => {
    const one = await started();
    expect(await done(one, { kind: 'retry', stream: 'thing-b' })).toMatchObject({
      state: 'refused',
      error: 'thing-b is not parked',
    });
  });

  it('is seen to by whoever feeds the read model, in whichever process', async () => {
    const feeder = await started({ projections: [colourBlind] });
    const asking = platform(database.url, log);
    running.push(asking);
    expect(await done(asking, { kind: 'skip', stream: 'thing-a' })).toMatchObject({
      state: 'done',
    });
    expect((await factsOf(feeder))[0]).toEqual(['a', 'blue', 2]);
  });
});

describe('verifying', () => {
  const verdictOf = async (one: Platform) => {
    const { state, result } = await done(one, { kind: 'verify' });
    expect(state).toBe('done');
    const { rows } = await one.db.pool.query(
      `select nspname from pg_namespace where nspname like '%shadow%'
       union all select consumer from consumers.checkpoint where consumer like '%shadow%'`,
    );
    expect(rows).toEqual([]);
    return result as {
      equal: boolean;
      tables: { table: string; different: number; first: { key: string; what: string }[] }[];
    };
  };
  const found = async (one: Platform) => {
    const { equal, tables } = await verdictOf(one);
    const different = tables.filter((table) => table.different > 0);
    return { equal, tables: different.map(({ table, first }) => ({ table, first })) };
  };

  it('finds nothing where there is nothing to find', async () => {
    await log.append('thing-c', 'no_stream', [made(), garbled()]);
    const one = await started();
    // A tally may keep a key that nothing counts under any more.
    await log.append('thing-b', 0, [painted('white')]);
    await caughtUp(one.models, log);
    await one.db.pool.query(`insert into things_v1.by_colour values ('none', null, 0)`);
    expect(await verdictOf(one)).toMatchObject({
      equal: true,
      tables: [{ table: 'things_v1.thing' }, { table: 'things_v1.by_colour' }],
      parked: { live: 1, rebuilt: 1 },
    });
  });

  it('finds a row that was altered, one that is missing, and one too many', async () => {
    const one = await started();
    await one.db.pool.query(`update things_v1.thing set facts = 9 where id = 'a'`);
    await one.db.pool.query(`delete from things_v1.thing where id = 'b'`);
    await one.db.pool.query(
      `insert into things_v1.thing values ('z', 'red', 1, '2026-01-01', 1, '[]')`,
    );
    expect(await found(one)).toEqual({
      equal: false,
      tables: [
        {
          table: 'things_v1.thing',
          first: [
            { key: 'a', what: 'altered' },
            { key: 'b', what: 'missing' },
            { key: 'z', what: 'surplus' },
          ],
        },
      ],
    });
    expect((await factsOf(one))[0]).toEqual(['a', 'blue', 9]);
  });

  it('finds a tally that is wrong', async () => {
    const one = await started();
    await one.db.pool.query(`update things_v1.by_colour set n = n + 1 where colour = 'red'`);
    expect(await found(one)).toEqual({
      equal: false,
      tables: [
        { table: 'things_v1.by_colour', first: [{ key: '["red", null]', what: 'altered' }] },
      ],
    });
  });

  it('compares at one position, whatever is recorded meanwhile', async () => {
    const one = await started();
    const stop = new AbortController();
    const writing = (async () => {
      for (let revision = 0; !stop.signal.aborted; revision += 1) {
        await log.append('thing-b', revision, [painted(revision % 2 ? 'red' : 'green')]);
        await new Promise((go) => setImmediate(go));
      }
    })();
    for (let round = 0; round < 3; round += 1)
      expect(await found(one)).toEqual({ equal: true, tables: [] });
    stop.abort();
    await writing;
  });
});
