import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase, type Database } from '../../../../src/engine/postgres/pool.ts';
import { systemClock } from '../../../../src/engine/time/clock.ts';
import { loggerOf } from '../../../../src/engine/observe/logging.ts';
import {
  batchApplier,
  type BatchApplier,
} from '../../../../src/engine/projections/apply/batch-applier.ts';
import { RowCache } from '../../../../src/engine/projections/apply/row-cache.ts';
import { statementsOf } from '../../../../src/engine/projections/apply/table-sql.ts';
import { writer, type WriterOptions } from '../../../../src/engine/projections/apply/writer.ts';
import type { AnyProjection } from '../../../../src/engine/projections/projection.ts';
import { SLICE_MAX_MS } from '../../../../src/engine/limits.ts';
import type { NewEvent, Position, StoredEvent } from '../../../../src/engine/log/event-store.ts';
import { memoryEventStore } from '../../../../src/engine/log/memory/store.ts';
import { estimatedRowSize } from '../../../../src/engine/concurrency/estimated-size.ts';
import { freshDatabase } from '../../../support/postgres/database.ts';
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
import { poolThrough } from '../../../support/postgres/pool-through.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let db: Database;
let onWrite: () => void;
let applied: BatchApplier;

/** Without a row cache, so that rows come only from the table and the previous batch. */
beforeEach(async () => {
  database = await freshDatabase();
  db = openDatabase({ url: database.url, logger: loggerOf('silent') });
  onWrite = () => {};
  for (const statement of statementsOf(widgets).create) await db.pool.query(statement);
  await db.pool.query(
    `insert into consumers.checkpoint (consumer, epoch, updated_at)
     values ('projection/widgets@1', 1, now())`,
  );
  applied = applierOf();
});
afterEach(async () => {
  await db.close();
  await database.drop();
});

const applierOf = (options?: WriterOptions, projection: AnyProjection = widgets): BatchApplier => {
  const pool = poolThrough(db.pool, (statement, send) => {
    if (statement === 'widgets_v1 write') onWrite();
    return send();
  });
  let position: Position | null = null;
  const own = { consumer: 'projection/widgets@1', epoch: 1 };
  return batchApplier({
    writer: writer(projection, statementsOf(projection), pool, { relaxed: true, ...options }),
    cache: new RowCache(0, false),
    parked: new Set(),
    passedOver: new Set(),
    monthsAt: systemClock.now(),
    moveTo: (to, caughtUp) => ({ ...own, from: position, to, caughtUp, at: systemClock.now() }),
    arrived: (to) => {
      position = to;
    },
    onParked: () => {},
  });
};

const apply = (events: readonly StoredEvent[]) =>
  applied.apply(events, events.at(-1)!.position, false);

/** Applies each batch while the previous one is being written. */
const inTurn = async (batches: readonly (readonly StoredEvent[])[]) => {
  for (const [index, batch] of batches.entries()) {
    const done = apply(batch);
    applied.ahead(batches[index + 1] ?? []);
    await done;
  }
};

/** Stored events of `[stream, event]`, by batches as the log delivers them. */
const recorded = async (
  batches: readonly (readonly (readonly [widget: string, event: NewEvent])[])[],
) => {
  const log = memoryEventStore();
  for (const [widget, event] of batches.flat())
    await log.append(`widget-${widget}`, 'any', [event]);
  const { events } = await log.readAll(null, { limit: 1_000 });
  await log.close();
  let from = 0;
  return batches.map(({ length }) => events.slice(from, (from += length)));
};

const shown = async () => {
  expect(await talliesOf(db)).toEqual(await countedOf(db));
  return (await rowsOf(db)).map(({ id, colour, facts }) => [id, colour, facts]);
};

const skipped = async () => {
  const { rows } = await db.pool.query<{ stream: string; skipped: number }>(
    'select stream, skipped from consumers.parked order by stream',
  );
  return rows.map((row) => [row.stream, row.skipped]);
};

const unkeepable = () => painted('a colour too long for its column');

describe('a prefetched batch', () => {
  it('is folded onto the previous one, though that is not written yet', async () => {
    const batches = await recorded([
      [['a', made('red')]],
      [['a', painted('blue')]],
      [['a', lost()]],
      [['a', made('green')]],
      [['a', painted('white')]],
    ]);
    await inTurn(batches);
    expect(await shown()).toEqual([['a', 'white', 2]]);
  });

  it('skips the streams that the previous one parks', async () => {
    const batches = await recorded([
      [
        ['a', made('red')],
        ['b', made('red')],
      ],
      [['a', garbled()]],
      [
        ['a', painted('blue')],
        ['b', painted('blue')],
      ],
    ]);
    await inTurn(batches);
    expect(await shown()).toEqual([
      ['a', 'red', 1],
      ['b', 'blue', 2],
    ]);
    expect(await skipped()).toEqual([['widget-a', 1]]);
  });

  it('is folded again where the previous one is refused', async () => {
    const batches = await recorded([
      [['a', made('red')]],
      [['a', unkeepable()]],
      [['a', painted('blue')]],
    ]);
    await inTurn(batches);
    expect(await shown()).toEqual([['a', 'red', 1]]);
    expect(await skipped()).toEqual([['widget-a', 1]]);
  });

  it('waits while the previous one is bisected', async () => {
    const [first, second] = await recorded([
      [
        ['a', made('red')],
        ['a', unkeepable()],
      ],
      [['a', painted('blue')]],
    ]);
    let writes = 0;
    // The whole batch is refused, then its second half, which is then parked.
    onWrite = () => {
      writes += 1;
      if (writes === 4) applied.ahead(second!);
    };
    await apply(first!);
    expect(writes).toBe(4);
    await apply(second!);
    expect(await shown()).toEqual([['a', 'red', 1]]);
    expect(await skipped()).toEqual([['widget-a', 1]]);
  });
});

describe('a batch of large events', () => {
  it('is written in several statements, and parks a stream once', async () => {
    applied = applierOf({ bytesMax: 1 });
    const batches = await recorded([
      [
        ['a', made('red')],
        ['b', made('red')],
        ['a', garbled()],
        ['a', painted('white')],
        ['b', unkeepable()],
        ['c', made('green')],
      ],
      [
        ['b', painted('blue')],
        ['c', painted('blue')],
      ],
    ]);
    let writes = 0;
    onWrite = () => {
      writes += 1;
    };
    await inTurn(batches);
    expect(await shown()).toEqual([
      ['a', 'red', 1],
      ['b', 'red', 1],
      ['c', 'blue', 2],
    ]);
    expect(await skipped()).toEqual([
      ['widget-a', 1],
      ['widget-b', 1],
    ]);
    expect(writes).toBeGreaterThanOrEqual(6);
  });

  it('is not folded onto by the next one before all of it is written', async () => {
    applied = applierOf({ bytesMax: 1 });
    const [first, second] = await recorded([
      [
        ['a', made('red')],
        ['a', painted('blue')],
      ],
      [['a', painted('white')]],
    ]);
    // While its first part is written, and while its second one is.
    onWrite = () => applied.ahead(second!);
    await apply(first!);
    await apply(second!);
    expect(await shown()).toEqual([['a', 'white', 3]]);
  });

  it('counts the rows that it changes, and not only its events', async () => {
    const [first, second] = await recorded([
      [
        ['a', made('red')],
        ['b', made('red')],
      ],
      [
        ['a', painted('blue')],
        ['b', painted('blue')],
      ],
    ]);
    // Two events fit, but not with their rows.
    const bytesMax = second!.length * estimatedRowSize(second![0]!.data as object) + 100;
    applied = applierOf({ bytesMax });
    let writes = 0;
    await apply(first!);
    onWrite = () => {
      writes += 1;
    };
    await apply(second!);
    expect(writes).toBe(2);
    expect(await shown()).toEqual([
      ['a', 'blue', 2],
      ['b', 'blue', 2],
    ]);
  });

  it('gives way to other work between events that take long', async () => {
    let pauses = 0;
    const slow: AnyProjection = {
      ...widgets,
      rowAfter(...fact: Parameters<typeof widgets.rowAfter>) {
        const since = performance.now();
        while (performance.now() - since < SLICE_MAX_MS) Math.random();
        return widgets.rowAfter(...fact);
      },
    };
    const giveWay = async () => {
      pauses += 1;
    };
    applied = applierOf({ giveWay }, slow);
    const [events] = await recorded([
      [
        ['a', made('red')],
        ['b', made('red')],
        ['c', made('red')],
      ],
    ]);
    await apply(events!);
    expect(pauses).toBeGreaterThanOrEqual(3);
    expect(await shown()).toHaveLength(3);
  });
});

it('does not query the table for rows that the previous batch inserts or deletes', () => {
  const kept = { id: 'a' };
  const before = new Map([
    ['a', kept],
    ['b', null],
  ]);
  const { rows, unknown } = new RowCache(0, false).known(['a', 'b', 'c'], before);
  expect([...rows]).toEqual([['a', kept]]);
  expect(unknown).toEqual(['c']);
});

describe('a commit', () => {
  it.each([
    [true, 'off'],
    [false, 'on'],
  ])('is answered before it is on disk only if relaxed: %s', async (relaxed, setting) => {
    const [events] = await recorded([[['a', made('red')]]]);
    const client = await db.pool.connect();
    await client.query('begin');
    const { apply: applyAlone } = writer(widgets, statementsOf(widgets), client, { relaxed });
    const at = systemClock.now();
    const consumer = 'projection/widgets@1';
    const move = { consumer, epoch: 1, from: null, to: '1', caughtUp: false, at };
    await applyAlone(move, events!, new RowCache(0, false), new Set());
    const { rows } = await client.query('show synchronous_commit');
    await client.query('rollback');
    client.release();
    expect(rows).toEqual([{ synchronous_commit: setting }]);
  });
});
