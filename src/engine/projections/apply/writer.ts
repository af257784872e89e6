import type { Instant } from '../../aggregates/decider.ts';
import { forEachInSlices } from '../../concurrency/slices.ts';
import { CheckpointMoved, type Queryable } from '../../consumers/checkpoints.ts';
import { PROJECTION_BATCH_BYTES_MAX, PROJECTION_TURN_BYTES } from '../../limits.ts';
import { errorLine } from '../../postgres/errors.ts';
import { NewerReleaseNeeded } from '../../log/codec.ts';
import type { StoredEvent } from '../../log/event-store.ts';
import {
  decodeAhead,
  fitting,
  folded,
  readable,
  type Decoded,
  type GiveWay,
  type Parked,
} from './fold.ts';
import { monthsOf, type Months } from './partitions.ts';
import type { AnyProjection, Tally } from '../projection.ts';
import type { RowCache } from './row-cache.ts';
import { loadedRowOf, moveValues, storedRowOf, type Move, type Statements } from './table-sql.ts';
import { UnwritableRow } from './unwritable-row.ts';

export { UnwritableRow } from './unwritable-row.ts';

/** How a checkpoint moves, without the number of applied events. */
export type CheckpointMove = Omit<Move, 'applied'>;

/** The result of folding a batch, before any of it is written. */
export interface Prepared {
  /** By key; `null` for a row that is deleted. Empty for rows that never change. */
  readonly after: ReadonlyMap<string, object | null>;
  /** Streams that this batch parks. */
  readonly parked: ReadonlyMap<string, Parked>;
  readonly applied: number;
  /** The rows, as parameters of the statement. */
  readonly values: readonly unknown[];
  /** The events of the batch that did not fit, for a batch of their own. */
  readonly left: readonly StoredEvent[];
}

/** The state on which a batch is folded. */
export interface Ground {
  readonly cache: RowCache;
  readonly parked: ReadonlySet<string>;
  readonly passedOver?: ReadonlySet<string>;
  /** Rows of months that are too old at this time are not written. */
  readonly monthsAt: Instant;
  /** The previous batch, if it may be uncommitted. */
  readonly before?: Prepared | null;
}

export interface WriterOptions {
  /**
   * A commit is acknowledged before it is on disk, so that a batch costs no fsync: a server crash
   * may lose the last ones, rows and checkpoint together, but their owner has lost its lease by
   * then. Default false.
   */
  readonly relaxed?: boolean;
  /** May throw, so that a newer release reads the event. Default: its stream is parked. */
  readonly beforeParking?: (error: NewerReleaseNeeded) => Promise<void>;
  /** Yields to other work between the slices of a batch. Default: until the next turn. */
  readonly giveWay?: GiveWay;
  /**
   * Estimated bytes of the events and changed rows of one statement. Default
   * {@link PROJECTION_BATCH_BYTES_MAX}.
   */
  readonly bytesMax?: number;
}

/**
 * Folds events into rows and writes them, all in one statement with the checkpoint.
 *
 * Nothing in the cache changes until that is committed, so a batch that fails can be tried again
 * in parts.
 */
export const writer = (
  projection: AnyProjection,
  statements: Statements,
  db: Queryable,
  options: WriterOptions = {},
) => {
  const { relaxed = false, beforeParking, giveWay } = options;
  const { bytesMax = PROJECTION_BATCH_BYTES_MAX } = options;
  const { schema } = statements;
  const tallies: readonly Tally<object>[] = projection.tallies ?? [];
  const stored = storedRowOf(projection.table);
  const loadedRow = loadedRowOf(projection.table);
  const key = projection.table.key;
  const months = monthsOf(projection, schema);
  const decoded: Decoded = new WeakMap();

  /** Decodes events before they are prepared, while the batch before them is. */
  const decode = (events: readonly StoredEvent[]): Promise<void> =>
    decodeAhead(projection.codec, events, decoded, giveWay);

  const load = async (keys: readonly string[], { cache, before }: Ground) => {
    const { rows, unknown } = cache.known(keys, before?.after);
    if (unknown.length === 0) return rows;
    const loaded = await db.query<Record<string, unknown>>({
      name: `${schema} load`,
      text: statements.load,
      values: [unknown],
    });
    for (const row of loaded.rows) rows.set(String(row[key]), loadedRow(row));
    return rows;
  };

  /** The rows of an append-only table that are to be written, each with its partition. */
  const placed = async (
    months: Months,
    after: ReadonlyMap<string, object | null>,
    now: Instant,
  ): Promise<ReadonlyMap<string, object>> => {
    const rows = [...after].flatMap(([name, row]) => (row ? [[name, row] as const] : []));
    const kept = new Set(
      months.kept(
        rows.map(([, row]) => row),
        now,
      ),
    );
    await months.make(db, [...kept]);
    return new Map(rows.filter(([, row]) => kept.has(row)));
  };

  const valuesOf = async (
    rows: ReadonlyMap<string, object>,
    after: ReadonlyMap<string, object | null>,
    parked: readonly object[],
  ): Promise<unknown[]> => {
    const kept: string[] = [];
    const gone: string[] = [];
    const counts = tallies.map((): Counts => new Map());
    const add = ([key, row]: readonly [string, object | null]) => {
      const before = rows.get(key) ?? null;
      if (row === before) return;
      if (row) kept.push(JSON.stringify(stored(row)));
      else gone.push(key);
      tallies.forEach((tally, index) => {
        if (before) count(counts[index]!, tally.keysOf(before), -1);
        if (row) count(counts[index]!, tally.keysOf(row), 1);
      });
    };
    try {
      await forEachInSlices(after, add, giveWay);
      return [
        JSON.stringify(parked),
        `[${kept.join(',')}]`,
        gone,
        ...tallies.map((tally, index) => JSON.stringify(deltasOf(tally, counts[index]!))),
      ];
    } catch (error) {
      throw new UnwritableRow(error);
    }
  };

  /**
   * Folds `events`, which may be done while the batch before them is being written: no other
   * batch may come between. Streams that turn out to be unreadable or cannot be folded are parked
   * when it is written. Events beyond `bytesMax` are left out.
   *
   * @throws {@link UnwritableRow}; what `beforeParking` throws; what the database throws where rows
   *   had to be loaded.
   */
  const prepare = async (batch: readonly StoredEvent[], ground: Ground): Promise<Prepared> => {
    const { parked: already, passedOver, before, monthsAt } = ground;
    const earlier = before?.parked.size ? new Set([...already, ...before.parked.keys()]) : already;
    await decode(batch);
    const all = readable(projection, batch, earlier, decoded, passedOver);
    const rows = months ? NONE : await load(all.keys, ground);
    const { bytes, left } = fitting(projection, all, rows, bytesMax);
    const end = left ? batch.findIndex(({ id }) => id === left.id) : batch.length;
    const events = left ? batch.slice(0, end) : batch;
    const read = left ? readable(projection, events, earlier, decoded, passedOver) : all;
    for (const { error } of read.parked.values())
      if (error instanceof NewerReleaseNeeded) await beforeParking?.(error);
    // Otherwise the first slices of all projections that take these events are one turn.
    if (bytes > PROJECTION_TURN_BYTES) await giveWay?.();
    const folding = await folded(projection, read, events, rows, giveWay);
    const after = months ? await placed(months, folding, monthsAt) : folding;
    const { parked, skipped } = read;
    const books = [
      ...[...parked].map(([stream, parkedAt]) => parkedRow(stream, parkedAt)),
      ...[...skipped].map(([stream, count]) => ({ ...UNUSED, stream, skipped: count })),
    ];
    const unapplied = sum(skipped.values()) + sum([...parked.values()].map((it) => 1 + it.skipped));
    const values = await valuesOf(rows, after, books);
    return {
      after: months ? NONE : after,
      parked,
      applied: events.length - unapplied,
      values,
      left: batch.slice(end),
    };
  };

  /**
   * Writes a batch and moves the checkpoint as `move` says.
   *
   * @throws {@link CheckpointMoved}; nothing was written.
   */
  const write = async (
    move: CheckpointMove,
    { applied, values }: Pick<Prepared, 'applied' | 'values'>,
  ): Promise<void> => {
    const { rowCount } = await db.query({
      name: `${schema} write`,
      text: statements.write,
      values: [...moveValues({ ...move, applied }), ...values, relaxed],
    });
    if (rowCount !== 1) throw new CheckpointMoved(move.consumer);
  };

  return {
    prepare,
    write,
    decode,

    /**
     * Folds and writes at once.
     *
     * @returns The streams that were parked.
     * @throws {@link CheckpointMoved}; nothing was written.
     */
    async apply(
      move: CheckpointMove,
      events: readonly StoredEvent[],
      cache: RowCache,
      parked: ReadonlySet<string>,
      passedOver?: ReadonlySet<string>,
    ): Promise<ReadonlyMap<string, Parked>> {
      const found = new Map<string, Parked>();
      for (let left = events; left.length > 0;) {
        const already = new Set([...parked, ...found.keys()]);
        const ground = {
          cache,
          parked: already,
          monthsAt: move.at,
          ...(passedOver && { passedOver }),
        };
        const prepared = await prepare(left, ground);
        await write(move, prepared);
        cache.keep(prepared.after);
        for (const [stream, parkedAt] of prepared.parked) found.set(stream, parkedAt);
        left = prepared.left;
      }
      return found;
    },

    /** Parks the stream of `event` and moves the checkpoint over it. */
    async park(move: CheckpointMove, event: StoredEvent, error: unknown): Promise<void> {
      const parked = [parkedRow(event.stream, { event, error, skipped: 0 })];
      await write(move, { applied: 0, values: await valuesOf(new Map(), new Map(), parked) });
    },
  };
};

const NONE: ReadonlyMap<string, object> = new Map();

/** A parked stream as a row of `consumers.parked`. */
export const parkedRow = (stream: string, { event, error, skipped }: Parked) => ({
  stream,
  event_id: event.id,
  revision: event.revision,
  position: event.position,
  reason: errorLine(error),
  skipped,
});

/** Unused columns of a stream that is parked already: only its count is updated. */
const UNUSED = {
  event_id: '00000000-0000-0000-0000-000000000000',
  revision: 0,
  position: '',
  reason: '',
};

/** A key of a tally, and how many rows more or fewer have it. */
interface Counted {
  readonly key: readonly (string | null)[];
  n: number;
}

/** Counts by a text of their key, because a Map does not compare arrays. */
export type Counts = Map<string, Counted>;

export const count = (
  counts: Counts,
  keys: readonly (readonly (string | null)[])[],
  by: number,
): void => {
  for (const key of keys) {
    let text = '';
    // With lengths, as in netstrings: no two keys have one text, whatever they are made of.
    for (const value of key) text += value === null ? '-' : `${value.length}:${value}`;
    const counted = counts.get(text);
    if (counted) counted.n += by;
    else counts.set(text, { key, n: by });
  }
};

/** The rows of a tally, out of what {@link count} has counted. */
export const deltasOf = (tally: Tally<object>, counts: Counts): object[] =>
  [...counts.values()].filter(({ n }) => n !== 0).map((counted) => tallyRow(tally, counted));

/** The row of a tally by its members. */
const tallyRow = ({ columns }: Tally<object>, { key, n }: Counted): object => {
  const row: Record<string, unknown> = { n };
  Object.keys(columns).forEach((member, index) => (row[member] = key[index] ?? null));
  return row;
};

const sum = (numbers: Iterable<number>): number => {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
};
