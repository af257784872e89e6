import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { array, assert, asyncProperty, constantFrom, integer, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../../src/engine/postgres/pool.ts';
import { loggerOf } from '../../../../src/engine/observe/logging.ts';
import { systemClock } from '../../../../src/engine/time/clock.ts';
import { buildShadow } from '../../../../src/engine/projections/rebuild/shadow-build.ts';
import { progressMeter, type ProgressMeter } from '../../../../src/engine/consumers/progress.ts';
import { swap } from '../../../../src/engine/projections/rebuild/swap.ts';
import { CheckpointMoved } from '../../../../src/engine/consumers/checkpoints.ts';
import type { NewEvent } from '../../../../src/engine/log/event-store.ts';
import { memoryEventStore } from '../../../../src/engine/log/memory/store.ts';
import { postgresEventStore, prepareLog } from '../../../../src/engine/log/postgres/store.ts';
import {
  caughtUp,
  projectionTests,
  requestDone,
  requestEnded,
  type RunningProjections,
} from '../../../support/consumers/running-projections.ts';
import {
  countedOf,
  garbled,
  lost,
  made,
  painted,
  rowsOf,
  talliesOf,
  widgets,
} from '../../../support/consumers/sample-projection.ts';
import { REBUILDS_AT_ONCE_MAX } from '../../../../src/engine/limits.ts';
import { inBatchesOf } from '../../../support/log/batches.ts';
import { logWith } from '../../../../src/engine/log/log-with.ts';
import { letPass, until, WAITS_MAX_MS } from '../../../support/until.ts';
import { poolThrough } from '../../../support/postgres/pool-through.ts';

const test = projectionTests();

/** Schemas and rows left behind by shadow builds. */
const leftovers = async ({ db }: RunningProjections) => {
  const { rows } = await db.pool.query<{ name: string }>(
    `select nspname as name from pg_namespace where nspname like '%\\_shadow\\_%'
     union all select consumer from consumers.checkpoint where consumer like '%+shadow%'
     union all select consumer from consumers.parked where consumer like '%+shadow%'`,
  );
  return rows.map(({ name }) => name);
};

const shownBy = async (one: RunningProjections) => ({
  rows: await rowsOf(one.db),
  tallies: await talliesOf(one.db),
});

const indexesOf = async ({ db }: RunningProjections) => {
  const { rows } = await db.pool.query<{ indexdef: string }>(
    `select indexdef from pg_indexes where schemaname = 'widgets_v1' order by indexdef`,
  );
  return rows.map(({ indexdef }) => indexdef);
};

/** Each stream is the history of a widget, with events in any order. */
const streams = array(
  record({
    widget: constantFrom('a', 'b', 'c', 'd', 'e'),
    kind: constantFrom('made', 'painted', 'lost', 'garbled', 'unkeepable'),
    colour: constantFrom('red', 'blue', 'tab\tline\nback\\slash', '', '\\N', 'é"\u{1f3a8}'),
    size: integer({ min: 0, max: 9 }),
  }),
  { minLength: 1, maxLength: 60 },
);

/**
 * The database refuses a value when it is written: live after each event, in a rebuild at the
 * end. A refused value that a later event overwrites is dropped here, as a rebuild never writes it.
 */
const unmended = <Step extends { widget: string; kind: string }>(history: readonly Step[]) => {
  const refused = new Set<string>();
  return history.map((step) => {
    if (step.kind === 'unkeepable') refused.add(step.widget);
    return refused.has(step.widget) && step.kind !== 'garbled'
      ? { ...step, kind: 'unkeepable' }
      : step;
  });
};

const eventOf = ({ kind, colour, size }: { kind: string; colour: string; size: number }) => {
  const kinds: Record<string, () => NewEvent> = {
    made: () => made(colour, size),
    painted: () => painted(colour),
    lost,
    garbled,
    unkeepable: () => painted('a colour too long for its column'),
  };
  return kinds[kind]!();
};

describe('a rebuild', () => {
  it('equals the live read model and its parked streams, for any log', async () => {
    await assert(
      asyncProperty(streams, integer({ min: 1, max: 6 }), async (history, rowsInMemoryMax) => {
        const own = memoryEventStore();
        const revisions = new Map<string, number>();
        for (const step of unmended(history)) {
          const stream = `widget-${step.widget}`;
          const last = revisions.get(stream);
          await own.append(stream, last ?? 'no_stream', [eventOf(step)]);
          revisions.set(stream, (last ?? -1) + 1);
        }
        // Event by event, so that both meet an unstorable value at the same event.
        const single = logWith(own, {
          subscribe: (after, options) => own.subscribe(after, { ...options, batchEventsMax: 1 }),
        });
        const one = test.start({ rowsInMemoryMax }, single);
        await caughtUp(one.models, own);
        const before = await shownBy(one);
        const parkedBefore = await one.models.parked('widgets');
        expect(await requestDone(one, { kind: 'rebuild' })).toMatchObject({ state: 'done' });
        await caughtUp(one.models, own);
        expect(await shownBy(one)).toEqual(before);
        expect(await talliesOf(one.db)).toEqual(await countedOf(one.db));
        const parkedBy = (parked: typeof parkedBefore) =>
          parked.map(({ stream, revision, skipped }) => ({ stream, revision, skipped }));
        expect(parkedBy(await one.models.parked('widgets'))).toEqual(parkedBy(parkedBefore));
        expect(await leftovers(one)).toEqual([]);
        await one.stop();
        await openAndDrop();
        await own.close();
      }),
      { numRuns: 12 },
    );
  });

  it('of more rows than fit in memory is copied in portions, not written by batches', async () => {
    for (const widget of ['a', 'b', 'c', 'd', 'e', 'f'])
      await test.log.append(`widget-${widget}`, 'no_stream', [made('red'), painted('blue')]);
    await test.log.append('widget-a', 1, [painted('green')]);
    await test.log.append('widget-b', 1, [lost()]);
    await test.log.append('widget-b', 2, [made('tan')]);
    await test.log.append('widget-c', 1, [lost()]);
    await test.log.append('widget-g', 'no_stream', [made('red')]);
    const one = test.start();
    await caughtUp(one.models, test.log);
    const before = await shownBy(one);
    const phases: string[] = [];
    const meter = progressMeter();
    const progress: ProgressMeter = {
      get now() {
        return meter.now;
      },
      done: (done) => meter.done(done),
      phase(phase, total) {
        phases.push(phase);
        meter.phase(phase, total);
      },
    };
    const small = inBatchesOf(1, test.log);
    const { position } = await test.log.head();
    const { pool } = one.db;
    const consumers = { log: small, pool, clock: systemClock, logger: loggerOf('silent') };
    const options = {
      epoch: 99,
      signal: new AbortController().signal,
      progress,
      passedOver: new Set<string>(),
      target: async () => position,
    };
    const parts = { projection: widgets, consumers, rowsInMemoryMax: 2 };
    await buildShadow(parts, options, async ({ statements: { schema, tables } }) => {
      const { rows } = await pool.query<{ name: string }>(
        `select relname as name from pg_class
         where relnamespace = '${schema}'::regnamespace and relkind = 'r'`,
      );
      expect(rows.map(({ name }) => `${schema}.${name}`).sort()).toEqual([...tables].sort());
      expect(await rowsOf(one.db, schema)).toEqual(before.rows);
      const { rows: counts } = await pool.query(
        `select colour, big, n from ${schema}.by_colour order by colour, big nulls first`,
      );
      expect(counts).toEqual(before.tallies);
    });
    expect(phases).toEqual(['reading', 'writing', 'indexing']);
  });

  /** Drops all tables of a run, so that the next history starts empty. */
  const openAndDrop = async () => {
    const db = openDatabase({ url: test.url, logger: loggerOf('silent') });
    await db.pool.query(`drop schema if exists widgets_v1, projections cascade`);
    await db.close();
  };

  it('restores altered rows and tallies, and continues from there', async () => {
    await test.log.append('widget-a', 'no_stream', [made('red'), painted('blue')]);
    await test.log.append('widget-b', 'no_stream', [made('red')]);
    const one = test.start();
    await caughtUp(one.models, test.log);
    const before = await shownBy(one);
    await one.db.pool.query(`update widgets_v1.widget set colour = 'wrong', facts = 90`);
    await one.db.pool.query('update widgets_v1.by_colour set n = 7');
    expect(await requestDone(one, { kind: 'rebuild' })).toMatchObject({ state: 'done' });
    expect(await shownBy(one)).toEqual(before);
    await test.log.append('widget-a', 1, [painted('green')]);
    await caughtUp(one.models, test.log);
    expect((await rowsOf(one.db)).map(({ id, facts }) => [id, facts])).toEqual([
      ['a', 3],
      ['b', 1],
    ]);
    expect(await talliesOf(one.db)).toEqual(await countedOf(one.db));
  });

  it('has the indexes of the live read model', async () => {
    await test.log.append('widget-a', 'no_stream', [made('red')]);
    const one = test.start();
    await caughtUp(one.models, test.log);
    const before = await indexesOf(one);
    await requestDone(one, { kind: 'rebuild' });
    expect(await indexesOf(one)).toEqual(before);
    expect(before.length).toBe(3);
  });

  it('includes events recorded while it runs, and never returns fewer than before', async () => {
    await test.log.append('widget-a', 'no_stream', [made()]);
    const one = test.start();
    await caughtUp(one.models, test.log);
    const { id } = await one.models.ask('widgets', { kind: 'rebuild', by: 'ana' });
    let revision = 0;
    let shown = 0;
    while ((await one.models.requests('widgets'))[0]?.endedAt === null) {
      const { position } = await test.log.append('widget-a', revision, [painted('blue')]);
      revision += 1;
      expect(await one.models.waitFor(['widgets'], position, WAITS_MAX_MS)).toBe(true);
      const facts = (await rowsOf(one.db))[0]!.facts;
      expect(facts).toBeGreaterThanOrEqual(Math.max(shown, revision + 1));
      shown = facts;
    }
    expect(await requestEnded(one, id)).toMatchObject({ state: 'done' });
    expect((await rowsOf(one.db))[0]!.facts).toBe(revision + 1);
  });

  it('returns no fewer events than before, wherever the log reports its head', async () => {
    const behind = logWith(test.log, { head: async () => ({ position: '1', recordedAt: null }) });
    await test.log.append('widget-a', 'no_stream', [made(), painted('blue'), painted('green')]);
    const one = test.start({}, behind);
    await caughtUp(one.models, test.log);
    expect(await requestDone(one, { kind: 'rebuild' })).toMatchObject({
      result: { position: '3' },
    });
    expect((await rowsOf(one.db))[0]!.facts).toBe(3);
  });

  it('appends no event to the log', async () => {
    await test.log.append('widget-a', 'no_stream', [made()]);
    const one = test.start();
    await caughtUp(one.models, test.log);
    const before = await test.log.head();
    await requestDone(one, { kind: 'rebuild' });
    await requestDone(one, { kind: 'verify' });
    expect(await test.log.head()).toEqual(before);
  });

  it('is refused while another one runs', async () => {
    await test.log.append('widget-a', 'no_stream', [made()]);
    const one = test.open();
    await one.models.ask('widgets', { kind: 'rebuild', by: 'ana' });
    await expect(one.models.ask('widgets', { kind: 'verify', by: 'ana' })).rejects.toThrow(
      'is being rebuilt or verified already',
    );
  });
});

describe('readers', () => {
  it('can query the read model throughout a rebuild, by statements of every kind', async () => {
    for (let at = 0; at < 50; at += 1) await test.log.append(`widget-${at}`, 'no_stream', [made()]);
    const one = test.start();
    await caughtUp(one.models, test.log);
    const readers = openDatabase({
      url: test.url,
      logger: loggerOf('silent'),
      connectionsMax: 6,
    });
    const stop = new AbortController();
    let reads = 0;
    /** Total and page of one snapshot, one table after the other. */
    const together = async () => {
      const client = await readers.pool.connect();
      await client.query('begin isolation level repeatable read read only');
      const total = await client.query<{ n: number }>(
        'select sum(n)::int as n from widgets_v1.by_colour',
      );
      const page = await client.query('select id, colour from widgets_v1.widget');
      await client.query('commit');
      client.release();
      return [total.rows[0]!.n, page.rowCount];
    };
    const named = async () => {
      const { rows } = await readers.pool.query<{ n: number }>({
        name: 'widgets counted',
        text: 'select count(colour) as n from widgets_v1.widget where size = $1',
        values: [1],
      });
      return [rows[0]!.n];
    };
    const plain = async () => {
      const { rows } = await readers.pool.query<{ n: number }>(
        'select sum(n)::int as n from widgets_v1.by_colour',
      );
      return [rows[0]!.n];
    };
    const read = async (which: number) => {
      const way = [together, named, plain][which % 3]!;
      while (!stop.signal.aborted) {
        reads += 1;
        expect(new Set(await way())).toEqual(new Set([50]));
      }
    };
    const reading = Promise.all(Array.from({ length: 6 }, (_, which) => read(which)));
    for (let round = 0; round < 3; round += 1)
      expect(await requestDone(one, { kind: 'rebuild' })).toMatchObject({ state: 'done' });
    stop.abort();
    await reading;
    expect(reads).toBeGreaterThan(100);
    await readers.close();
  });

  it('that hold a table for long delay the swap, and are not terminated', async () => {
    await test.log.append('widget-a', 'no_stream', [made()]);
    const one = test.start();
    await caughtUp(one.models, test.log);
    const reader = await one.db.pool.connect();
    await reader.query('begin');
    await reader.query('select from widgets_v1.widget');
    const { id } = await one.models.ask('widgets', { kind: 'rebuild', by: 'ana' });
    await until(async () => {
      const [status] = await one.models.status();
      return status?.work?.progress?.phase === 'swapping';
    });
    await test.log.append('widget-a', 0, [painted('blue')]);
    await caughtUp(one.models, test.log);
    expect((await one.models.requests('widgets'))[0]?.endedAt).toBe(null);
    await reader.query('select from widgets_v1.by_colour');
    await reader.query('commit');
    reader.release();
    expect(await requestEnded(one, id)).toMatchObject({ state: 'done' });
    expect((await rowsOf(one.db))[0]!.facts).toBe(2);
  });
});

describe('an unfinished rebuild', () => {
  /** Starts a rebuild whose swap is blocked by a reader, so that its shadow stays. */
  const heldBack = async (one: RunningProjections) => {
    const reader = await one.db.pool.connect();
    await reader.query('begin');
    await reader.query('select from widgets_v1.widget');
    const { id } = await one.models.ask('widgets', { kind: 'rebuild', by: 'ana' });
    await until(async () => {
      const [status] = await one.models.status();
      return status?.work?.progress?.phase === 'swapping';
    });
    const letGo = async () => {
      await reader.query('commit');
      reader.release();
    };
    return { id, letGo };
  };

  it('can be cancelled: the live read model stays, and no shadow does', async () => {
    await test.log.append('widget-a', 'no_stream', [made(), painted('blue')]);
    const one = test.start();
    await caughtUp(one.models, test.log);
    await one.db.pool.query(`update widgets_v1.widget set colour = 'by hand'`);
    const { id, letGo } = await heldBack(one);
    expect(await leftovers(one)).not.toEqual([]);
    expect(await one.models.cancel('widgets')).toMatchObject({ id });
    expect(await requestEnded(one, id)).toMatchObject({ state: 'cancelled', error: null });
    await letGo();
    expect((await rowsOf(one.db))[0]!.colour).toBe('by hand');
    expect(await leftovers(one)).toEqual([]);
    expect(await one.models.cancel('widgets')).toBe(null);
  });

  it('can be cancelled before an owner has begun it', async () => {
    const one = test.open();
    const { id } = await one.models.ask('widgets', { kind: 'rebuild', by: 'ana' });
    await one.models.cancel('widgets');
    expect(await requestEnded(one, id)).toMatchObject({ state: 'cancelled' });
    one.start();
    await test.log.append('widget-a', 'no_stream', [made()]);
    await caughtUp(one.models, test.log);
    expect(await requestDone(one, { kind: 'verify' })).toMatchObject({ state: 'done' });
    expect((await one.models.requests('widgets')).map(({ state }) => state)).toEqual([
      'done',
      'cancelled',
    ]);
  });

  it('is not swapped in by the owner of an earlier epoch', async () => {
    await test.log.append('widget-a', 'no_stream', [made(), painted('blue')]);
    const one = test.start();
    await caughtUp(one.models, test.log);
    const { id, letGo } = await heldBack(one);
    await one.db.pool.query(`update widgets_v1.widget set colour = 'by hand'`);
    await one.db.pool.query('update consumers.checkpoint set epoch = epoch + 1000');
    await letGo();
    expect(await requestEnded(one, id)).toMatchObject({ state: 'failed' });
    expect((await rowsOf(one.db))[0]!.colour).toBe('by hand');
  });

  it('fails to swap under an expired epoch, and leaves no shadow', async () => {
    await test.log.append('widget-a', 'no_stream', [made(), painted('blue')]);
    const one = test.start();
    await caughtUp(one.models, test.log);
    await one.db.pool.query(`update widgets_v1.widget set colour = 'by hand'`);
    const { pool } = one.db;
    const consumers = { log: test.log, pool, clock: systemClock, logger: loggerOf('silent') };
    const options = {
      epoch: 999,
      signal: new AbortController().signal,
      progress: progressMeter(),
      passedOver: new Set<string>(),
      target: async () => '2',
    };
    const swapping = buildShadow({ projection: widgets, consumers }, options, (shadow) =>
      swap(shadow, widgets, { epoch: 999, at: systemClock.now(), waitMs: 500 }),
    );
    await expect(swapping).rejects.toBeInstanceOf(CheckpointMoved);
    expect((await rowsOf(one.db))[0]!.colour).toBe('by hand');
    expect(await leftovers(one)).toEqual([]);
  });

  it('leaves no shadow after a failure between two portions of its rows', async () => {
    for (const widget of ['a', 'b', 'c', 'd', 'e'])
      await test.log.append(`widget-${widget}`, 'no_stream', [made('red')]);
    const one = test.start();
    await caughtUp(one.models, test.log);
    await one.db.pool.query(`update widgets_v1.widget set colour = 'by hand'`);
    const single = inBatchesOf(1, test.log);
    let storing = 0;
    const failing = logWith(test.log, {
      async *subscribe(after, subscription) {
        for await (const batch of single.subscribe(after, subscription)) {
          // With memory for two rows, the first portion is written by now.
          const { rows } = await one.db.pool.query(
            `select from pg_locks join pg_stat_activity using (pid)
             where locktype = 'transactionid' and datname = current_database()`,
          );
          storing = rows.length;
          if (batch.events.some(({ stream }) => stream === 'widget-e')) throw new Error('gone');
          yield batch;
        }
      },
    });
    const { pool } = one.db;
    const options = {
      epoch: 99,
      signal: new AbortController().signal,
      progress: progressMeter(),
      passedOver: new Set<string>(),
      target: async () => '5',
    };
    const consumers = { log: failing, pool, clock: systemClock, logger: loggerOf('silent') };
    const parts = { projection: widgets, consumers, rowsInMemoryMax: 2 };
    await expect(buildShadow(parts, options, async () => {})).rejects.toThrow('gone');
    expect(storing).toBeGreaterThan(0);
    expect(await leftovers(one)).toEqual([]);
    expect((await rowsOf(one.db)).map(({ colour }) => colour)).toEqual(Array(5).fill('by hand'));
    expect(await requestDone(one, { kind: 'rebuild' })).toMatchObject({ state: 'done' });
    expect((await rowsOf(one.db)).map(({ colour }) => colour)).toEqual(Array(5).fill('red'));
  });

  it('is stopped orderly with its process', async () => {
    await test.log.append('widget-a', 'no_stream', [made()]);
    const one = test.start();
    await caughtUp(one.models, test.log);
    const { id, letGo } = await heldBack(one);
    const stopping = one.stop();
    await letGo();
    await stopping;
    const next = test.start();
    await caughtUp(next.models, test.log);
    expect(await requestEnded(next, id)).toMatchObject({ state: 'failed' });
    expect(await leftovers(next)).toEqual([]);
  });

  it('is killed: the live read model stays, and the next owner drops the shadow', async () => {
    await prepareLog(test.url);
    const shared = postgresEventStore({ url: test.url });
    for (let at = 0; at < 20; at += 1)
      await shared.append(`widget-${at}`, 'no_stream', [made(), painted('blue')]);
    const born = async () => {
      const child = spawn(
        process.execPath,
        [
          fileURLToPath(new URL('../../consumers/sample-projection-child.ts', import.meta.url)),
          test.url,
          '3000',
        ],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      await once(child.stdout, 'data');
      return child;
    };
    const watcher = test.open({}, shared);
    const first = await born();
    await caughtUp(watcher.models, shared);
    await watcher.db.pool.query(`update widgets_v1.widget set colour = 'by hand' where id = '0'`);
    const { id, letGo } = await heldBack(watcher);
    first.kill('SIGKILL');
    await once(first, 'exit');
    await letGo();
    expect(await leftovers(watcher)).toEqual([
      expect.stringMatching(/^widgets_v1_shadow_\d+$/),
      expect.stringMatching(/^projection\/widgets@1\+shadow-\d+$/),
    ]);
    expect((await rowsOf(watcher.db)).filter(({ colour }) => colour === 'by hand').length).toBe(1);

    const second = await born();
    await caughtUp(watcher.models, shared);
    await until(async () => (await leftovers(watcher)).length === 0, 'the sweep');
    expect(await requestEnded(watcher, id)).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('was ended'),
    });
    expect((await rowsOf(watcher.db)).filter(({ colour }) => colour === 'by hand').length).toBe(1);
    expect(await requestDone(watcher, { kind: 'rebuild' })).toMatchObject({ state: 'done' });
    expect((await rowsOf(watcher.db)).filter(({ colour }) => colour === 'by hand').length).toBe(0);
    second.kill('SIGKILL');
    await watcher.stop();
    await shared.close();
  });
});

describe('the parked streams of a rebuild', () => {
  it('refuse the swap if more than the live ones', async () => {
    await test.log.append('widget-a', 'no_stream', [made(), painted('blue')]);
    await test.log.append('widget-b', 'no_stream', [made(), garbled()]);
    const one = test.start();
    await caughtUp(one.models, test.log);
    // As if the previous release could read an event that this one cannot.
    await one.db.pool.query('delete from consumers.parked');
    await one.db.pool.query(`update widgets_v1.widget set colour = 'by hand' where id = 'a'`);
    expect(await requestDone(one, { kind: 'rebuild' })).toMatchObject({
      state: 'refused',
      error: expect.stringMatching(/^1 streams would be parked .*widget-b/),
      result: { newlyParked: 1, first: ['widget-b'] },
    });
    expect((await rowsOf(one.db))[0]!.colour).toBe('by hand');
    expect(await leftovers(one)).toEqual([]);
    expect(await requestDone(one, { kind: 'rebuild', acceptParked: true })).toMatchObject({
      state: 'done',
    });
    expect((await rowsOf(one.db))[0]!.colour).toBe('blue');
    expect((await one.models.parked('widgets')).map(({ stream }) => stream)).toEqual(['widget-b']);
    expect(await requestDone(one, { kind: 'rebuild' })).toMatchObject({ state: 'done' });
  });

  it('refuse the swap if parked from an earlier event than the live ones', async () => {
    await test.log.append('widget-b', 'no_stream', [made(), garbled(), painted('blue'), garbled()]);
    const one = test.start();
    await caughtUp(one.models, test.log);
    await one.db.pool.query('update consumers.parked set revision = 3');
    expect(await requestDone(one, { kind: 'rebuild' })).toMatchObject({ state: 'refused' });
  });

  it('are only those with an unreadable event, and all others are correct', async () => {
    for (const widget of ['a', 'b', 'c'])
      await test.log.append(`widget-${widget}`, 'no_stream', [made(), painted('blue')]);
    const one = test.start({ rebuildEventsMin: 1 });
    await caughtUp(one.models, test.log);
    await test.log.append('widget-b', 1, [garbled(), painted('green')]);
    await test.log.append('widget-c', 1, [painted('green')]);
    await caughtUp(one.models, test.log);
    expect(await requestDone(one, { kind: 'rebuild' })).toMatchObject({ state: 'done' });
    expect((await rowsOf(one.db)).map(({ id, colour, facts }) => [id, colour, facts])).toEqual([
      ['a', 'blue', 2],
      ['b', 'blue', 2],
      ['c', 'green', 3],
    ]);
    expect(await one.models.parked('widgets')).toMatchObject([
      { stream: 'widget-b', revision: 2, skipped: 1 },
    ]);
  });
});

/** A log that blocks the reads of builds until `release`. */
const heldLog = () => {
  const released = Promise.withResolvers<void>();
  const reads = { open: 0, most: 0, release: released.resolve };
  const log = logWith(test.log, {
    async *subscribe(after, options) {
      // The live feed reads all categories.
      const isBuild = options.categories !== undefined;
      if (isBuild) reads.most = Math.max(reads.most, (reads.open += 1));
      try {
        if (isBuild) await released.promise;
        yield* test.log.subscribe(after, options);
      } finally {
        if (isBuild) reads.open -= 1;
      }
    },
  });
  return { log, reads };
};

describe('the first build of a read model', () => {
  it.each([
    ['rebuild', 'while it runs'],
    ['verify', 'while it runs'],
    ['rebuild', 'before it begins'],
  ] as const)('precedes a request to %s that is made %s', async (kind, when) => {
    await test.log.append('widget-a', 'no_stream', [made(), painted('blue')]);
    let offers = 0;
    const pool = poolThrough(test.openDatabase().pool, (statement, send) => {
      if (statement === 'consumers requests') offers += 1;
      return send();
    });
    const { log, reads } = heldLog();
    const one = test.open({ rebuildEventsMin: 1, db: { pool } }, log);
    const ask = () => one.models.ask('widgets', { kind, by: 'ana' });
    const before = when === 'before it begins' ? await ask() : null;
    one.start();
    await until(() => reads.open > 0, 'the build to read');
    const { id } = before ?? (await ask());
    const states = async () =>
      (await one.models.requests('widgets')).map((asked) => `${asked.kind}: ${asked.state}`).sort();
    const offered = offers;
    await until(
      async () => offers > offered + 1 || !(await states()).includes(`${kind}: waiting`),
      'the request to be offered twice',
    );
    const during = await states();
    reads.release();
    expect(during).toEqual(['build: running', `${kind}: waiting`]);
    expect(await requestEnded(one, id)).toMatchObject({ state: 'done' });
    expect(await states()).toEqual(['build: done', `${kind}: done`]);
  });
});

describe('builds of many read models', () => {
  const names = ['one', 'two', 'three', 'four'];
  const projections = names.map((name) => ({ ...widgets, name }));

  const areAsked = async ({ models }: RunningProjections) =>
    (await models.status()).every(({ work }) => work?.kind === 'build');

  it('run two at a time, so that their rows fit into memory', async () => {
    await test.log.append('widget-a', 'no_stream', [made(), painted('blue')]);
    const { log, reads } = heldLog();
    const one = test.start({ projections, rebuildEventsMin: 1 }, log);
    await until(() => areAsked(one), 'four builds');
    await until(async () => reads.open >= REBUILDS_AT_ONCE_MAX, 'two of them to read');
    await letPass(300, 'the other two would read, too, if nothing held them back');
    reads.release();
    for (const name of names) await caughtUp(one.models, test.log, name);
    expect(reads.most).toBe(REBUILDS_AT_ONCE_MAX);
  });

  it('end with their process while queued', async () => {
    await test.log.append('widget-a', 'no_stream', [made()]);
    const { log, reads } = heldLog();
    const one = test.start({ projections, rebuildEventsMin: 1 }, log);
    await until(() => areAsked(one), 'four builds');
    await until(async () => reads.open >= REBUILDS_AT_ONCE_MAX, 'two of them to read');
    const stopped = one.stop();
    reads.release();
    await stopped;
    expect(reads.most).toBe(REBUILDS_AT_ONCE_MAX);
    const other = test.start({ projections, rebuildEventsMin: 1 });
    for (const name of names) await caughtUp(other.models, test.log, name);
  });
});
