import { beforeEach, describe, expect, it } from 'vitest';
import { LogUnavailable, READ_PAGE_EVENTS } from '../../../../src/engine/log/event-store.ts';
import { logWith } from '../../../../src/engine/log/log-with.ts';
import { errorLine } from '../../../../src/engine/postgres/errors.ts';
import { PartlyApplied } from '../../../../src/engine/projections/apply/claim.ts';
import type { Projection } from '../../../../src/engine/projections/projection.ts';
import {
  caughtUp,
  type ProjectionsOptions,
  projectionTests,
  requestDone,
  type RunningProjections,
} from '../../../support/consumers/running-projections.ts';
import {
  countedOf,
  garbled,
  made,
  painted,
  rowsOf,
  talliesOf,
  type Widget,
  type WidgetEvent,
  widgets,
} from '../../../support/consumers/sample-projection.ts';
import { letPass, until } from '../../../support/until.ts';

const test = projectionTests();

const startedAndCaughtUp = async (options: ProjectionsOptions = {}) => {
  const one = test.start(options);
  await caughtUp(one.models, test.log);
  return one;
};

const factsOf = async (one: RunningProjections) =>
  (await rowsOf(one.db)).map(({ id, colour, facts }) => [id, colour, facts]);

/** A fold with a bug: nothing can be painted black. */
const colourBlind: Projection<WidgetEvent, Widget> = {
  ...widgets,
  rowAfter: (recorded, row) => {
    const { event } = recorded;
    if (event.type === 'WidgetPainted' && event.colour === 'black') throw new Error('what colour?');
    return widgets.rowAfter(recorded, row);
  },
};

beforeEach(async () => {
  await test.log.append('widget-a', 'no_stream', [made(), painted('black'), painted('blue')]);
  await test.log.append('widget-b', 'no_stream', [made()]);
});

describe('a parked stream', () => {
  it('is applied from its first parked event on once the fault is fixed', async () => {
    const buggy = await startedAndCaughtUp({ projections: [colourBlind] });
    expect(await factsOf(buggy)).toEqual([
      ['a', 'red', 1],
      ['b', 'red', 1],
    ]);
    await buggy.stop();
    const one = await startedAndCaughtUp();
    expect((await one.models.parked('widgets')).map(({ stream }) => stream)).toEqual(['widget-a']);
    expect(await requestDone(one, { kind: 'retry', stream: 'widget-a' })).toMatchObject({
      state: 'done',
      result: { stream: 'widget-a', revision: 1, skipped: false, parkedAgain: null },
    });
    await test.log.append('widget-a', 2, [painted('green')]);
    await caughtUp(one.models, test.log);
    expect(await factsOf(one)).toEqual([
      ['a', 'green', 4],
      ['b', 'red', 1],
    ]);
    expect(await one.models.parked('widgets')).toEqual([]);
    expect(await talliesOf(one.db)).toEqual(await countedOf(one.db));
  });

  it('is parked again at the event that fails now', async () => {
    await test.log.append('widget-a', 2, [painted('a colour too long for its column')]);
    await (await startedAndCaughtUp({ projections: [colourBlind] })).stop();
    const one = await startedAndCaughtUp();
    expect(await requestDone(one, { kind: 'retry', stream: 'widget-a' })).toMatchObject({
      state: 'done',
      result: { parkedAgain: { revision: 3, error: expect.stringContaining('too long') } },
    });
    expect((await factsOf(one))[0]).toEqual(['a', 'blue', 3]);
    expect(await one.models.parked('widgets')).toMatchObject([{ revision: 3, skipped: 0 }]);
    expect(await talliesOf(one.db)).toEqual(await countedOf(one.db));
  });

  it('continues without a skipped event, also after every rebuild', async () => {
    const one = await startedAndCaughtUp({ projections: [colourBlind] });
    expect(await requestDone(one, { kind: 'skip', stream: 'widget-a' })).toMatchObject({
      state: 'done',
      result: { revision: 1, skipped: true, parkedAgain: null },
    });
    expect((await factsOf(one))[0]).toEqual(['a', 'blue', 2]);
    expect(await requestDone(one, { kind: 'rebuild' })).toMatchObject({ state: 'done' });
    expect((await factsOf(one))[0]).toEqual(['a', 'blue', 2]);
    await one.db.pool.query('drop schema widgets_v1 cascade');
    await until(async () => (await one.models.ready()) === true && (await factsOf(one)).length > 1);
    expect((await factsOf(one))[0]).toEqual(['a', 'blue', 2]);
    expect(await one.models.parked('widgets')).toEqual([]);
    expect(await requestDone(one, { kind: 'verify' })).toMatchObject({ result: { equal: true } });
  });

  describe('longer than a page of the log', () => {
    /** Whose second read of the parked stream runs `between` first. */
    const readingBetween = (between: () => Promise<void>) => {
      let reads = 0;
      return logWith(test.log, {
        async readStream(stream, range) {
          if (stream === 'widget-a') reads += 1;
          if (reads === 2) await between();
          return test.log.readStream(stream, range);
        },
      });
    };
    const LATER = 2 * READ_PAGE_EVENTS;
    const later = (n: number, colour = 'blue') => Array.from({ length: n }, () => painted(colour));
    const parkedOf = async (one: RunningProjections) =>
      (await one.models.parked('widgets')).map(({ revision, skipped, error }) => ({
        revision,
        skipped,
        error,
      }));

    beforeEach(async () => {
      await test.log.append('widget-a', 2, later(LATER));
      await (await startedAndCaughtUp({ projections: [colourBlind] })).stop();
    });

    it('is applied in parts, in between parked at the next one', async () => {
      const seen: unknown[] = [];
      const log = readingBetween(async () => {
        seen.push((await factsOf(one))[0], ...(await parkedOf(one)));
      });
      const one = test.start({}, log);
      await caughtUp(one.models, log);
      expect(await parkedOf(one)).toMatchObject([{ revision: 1, skipped: LATER + 1 }]);
      expect(await requestDone(one, { kind: 'retry', stream: 'widget-a' })).toMatchObject({
        state: 'done',
        result: { revision: 1, skipped: false, parkedAgain: null },
      });
      expect(seen).toEqual([
        ['a', 'blue', READ_PAGE_EVENTS],
        {
          revision: READ_PAGE_EVENTS,
          skipped: LATER + 2 - READ_PAGE_EVENTS,
          error: expect.stringContaining('the others follow'),
        },
      ]);
      expect(await factsOf(one)).toEqual([
        ['a', 'blue', LATER + 3],
        ['b', 'red', 1],
      ]);
      expect(await parkedOf(one)).toEqual([]);
      expect(await talliesOf(one.db)).toEqual(await countedOf(one.db));
    });

    it('is parked again at the event that fails, with the number of all later ones', async () => {
      await test.log.append('widget-a', LATER + 2, [...later(9, 'black'), ...later(LATER)]);
      const one = await startedAndCaughtUp({ projections: [colourBlind] });
      expect(await requestDone(one, { kind: 'skip', stream: 'widget-a' })).toMatchObject({
        state: 'done',
        result: { revision: 1, skipped: true, parkedAgain: { revision: LATER + 3 } },
      });
      expect((await factsOf(one))[0]).toEqual(['a', 'blue', LATER + 2]);
      expect(await parkedOf(one)).toMatchObject([{ revision: LATER + 3, skipped: LATER + 8 }]);
    });

    it('is applied to its end by the next owner', async () => {
      const reached = Promise.withResolvers<void>();
      const stopped = Promise.withResolvers<void>();
      const log = readingBetween(async () => {
        reached.resolve();
        await stopped.promise;
        throw new LogUnavailable('the process is stopped');
      });
      const one = test.start({}, log);
      await caughtUp(one.models, log);
      await one.models.ask('widgets', { kind: 'skip', stream: 'widget-a', by: 'ana' });
      await reached.promise;
      const stopping = one.stop();
      stopped.resolve();
      await stopping;
      const next = test.start();
      await until(async () => (await next.models.parked('widgets')).length === 0, 'the last part');
      expect((await factsOf(next))[0]).toEqual(['a', 'blue', LATER + 2]);
    });
  });

  it('is read by one read model at a time, each of which holds a connection', async () => {
    const names = ['one', 'two', 'three', 'four'];
    const projections = names.map((name) => ({ ...colourBlind, name }));
    const one = test.start({ projections });
    for (const name of names) await caughtUp(one.models, test.log, name);
    await one.db.pool.query('update consumers.parked set reason = $1', [
      errorLine(new PartlyApplied()),
    ]);
    await one.stop();
    const reads = { open: 0, most: 0 };
    const log = logWith(test.log, {
      async readStream(...call) {
        reads.most = Math.max(reads.most, (reads.open += 1));
        await letPass(50, 'a slow log');
        reads.open -= 1;
        return test.log.readStream(...call);
      },
    });
    const next = test.start({ projections: names.map((name) => ({ ...widgets, name })) }, log);
    const parked = async () => (await Promise.all(names.map(next.models.parked))).flat();
    await until(async () => (await parked()).length === 0, 'all four');
    expect(reads.most).toBe(1);
  });

  it('loses no event that only waits for the next part when skip is repeated', async () => {
    const one = await startedAndCaughtUp({ projections: [colourBlind] });
    // As an interrupted skip leaves it.
    await one.db.pool.query('update consumers.parked set reason = $1', [
      errorLine(new PartlyApplied()),
    ]);
    expect(await requestDone(one, { kind: 'skip', stream: 'widget-a' })).toMatchObject({
      state: 'done',
      result: { revision: 1, skipped: false, parkedAgain: { revision: 1 } },
    });
    const { rowCount } = await one.db.pool.query('select from consumers.skipped');
    expect(rowCount).toBe(0);
  });

  it('is refused where it is not parked', async () => {
    const one = await startedAndCaughtUp();
    expect(await requestDone(one, { kind: 'retry', stream: 'widget-b' })).toMatchObject({
      state: 'refused',
      error: 'widget-b is not parked',
    });
  });

  it("is handled by the read model's owner, in any process", async () => {
    const feeder = await startedAndCaughtUp({ projections: [colourBlind] });
    const asking = test.open();
    expect(await requestDone(asking, { kind: 'skip', stream: 'widget-a' })).toMatchObject({
      state: 'done',
    });
    expect((await factsOf(feeder))[0]).toEqual(['a', 'blue', 2]);
  });
});

describe('verifying', () => {
  const verdictOf = async (one: RunningProjections) => {
    const { state, result } = await requestDone(one, { kind: 'verify' });
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
  const found = async (one: RunningProjections) => {
    const { equal, tables } = await verdictOf(one);
    const different = tables.filter((table) => table.different > 0);
    return { equal, tables: different.map(({ table, first }) => ({ table, first })) };
  };

  it('finds no difference in an intact read model', async () => {
    await test.log.append('widget-c', 'no_stream', [made(), garbled()]);
    const one = await startedAndCaughtUp();
    // A tally may keep a key whose count is 0.
    await test.log.append('widget-b', 0, [painted('white')]);
    await caughtUp(one.models, test.log);
    await one.db.pool.query(`insert into widgets_v1.by_colour values ('none', null, 0)`);
    expect(await verdictOf(one)).toMatchObject({
      equal: true,
      tables: [{ table: 'widgets_v1.widget' }, { table: 'widgets_v1.by_colour' }],
      parked: { live: 1, rebuilt: 1 },
    });
  });

  it('finds an altered row, a missing one and a surplus one', async () => {
    const one = await startedAndCaughtUp();
    await one.db.pool.query(`update widgets_v1.widget set facts = 9 where id = 'a'`);
    await one.db.pool.query(`delete from widgets_v1.widget where id = 'b'`);
    await one.db.pool.query(
      `insert into widgets_v1.widget values ('z', 'red', 1, '2026-01-01', 1, '[]')`,
    );
    expect(await found(one)).toEqual({
      equal: false,
      tables: [
        {
          table: 'widgets_v1.widget',
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

  it('finds a wrong tally', async () => {
    const one = await startedAndCaughtUp();
    await one.db.pool.query(`update widgets_v1.by_colour set n = n + 1 where colour = 'red'`);
    expect(await found(one)).toEqual({
      equal: false,
      tables: [
        { table: 'widgets_v1.by_colour', first: [{ key: '["red", null]', what: 'altered' }] },
      ],
    });
  });

  it('compares at one position, whichever events are recorded meanwhile', async () => {
    const one = await startedAndCaughtUp();
    const stop = new AbortController();
    const writing = (async () => {
      for (let revision = 0; !stop.signal.aborted; revision += 1) {
        await test.log.append('widget-b', revision, [painted(revision % 2 ? 'red' : 'green')]);
        await new Promise((go) => setImmediate(go));
      }
    })();
    for (let round = 0; round < 3; round += 1)
      expect(await found(one)).toEqual({ equal: true, tables: [] });
    stop.abort();
    await writing;
  });
});
