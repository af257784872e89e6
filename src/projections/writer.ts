import type { ClientBase } from 'pg';
import { lineOf } from '../db/failures.ts';
import type { StoredEvent } from '../store/event-store.ts';
import { decodeAhead, folded, readable, type Decoded, type Parked } from './fold.ts';
import type { AnyProjection, Tally } from './projection.ts';
import type { RowCache } from './row-cache.ts';
import { columnsOf, moveValues, type Move, type Statements } from './rows.ts';

/** The checkpoint was not where, or not whose, this runner has it: what was folded is void. */
export class CheckpointMoved extends Error {
  constructor(name: string) {
    super(`the checkpoint of ${name} is not what its owner has read`);
    this.name = 'CheckpointMoved';
  }
}

/** A row that cannot even be sent: a fold made something that is not JSON. */
export class UnwritableRow extends Error {
  constructor(cause: unknown) {
    super(`a row cannot be written: ${lineOf(cause)}`, { cause });
    this.name = 'UnwritableRow';
  }
}

/** How a checkpoint moves, but for how many events are behind it. */
export type CheckpointMove = Omit<Move, 'applied'>;

/** A pool, or one connection where everything is to stand in one transaction. */
export type Queryable = Pick<ClientBase, 'query'>;

/**
 * Folds events into rows and writes them, all in one statement with the checkpoint.
 *
 * Nothing in memory changes until that is committed, so a batch that fails can be tried again in
 * parts.
 */
export const writer = (projection: AnyProjection, statements: Statements, db: Queryable) => {
  const { schema } = statements;
  const tallies: readonly Tally<object>[] = projection.tallies ?? [];
  const columns = columnsOf(Object.keys(projection.table.columns));
  const key = projection.table.key;
  const decoded: Decoded = new WeakMap();

  const load = async (cache: RowCache, keys: readonly string[]) => {
    const { rows, unknown } = cache.known(keys);
    if (unknown.length === 0) return rows;
    const loaded = await db.query<Record<string, unknown>>({
      name: `${schema} load`,
      text: statements.load,
      values: [unknown],
    });
    for (const row of loaded.rows) rows.set(String(row[key]), row);
    return rows;
  };

  const write = async (
    move: Move,
    rows: ReadonlyMap<string, object>,
    after: ReadonlyMap<string, object | null>,
    parked: readonly object[],
  ) => {
    const kept: object[] = [];
    const gone: string[] = [];
    const counts = tallies.map(() => new Map<string, number>());
    let values: unknown[];
    try {
      for (const [key, row] of after) {
        const before = rows.get(key) ?? null;
        if (row === before) continue;
        if (row) kept.push(columns(row));
        else gone.push(key);
        tallies.forEach((tally, index) => {
          if (before) count(counts[index]!, tally.keysOf(before), -1);
          if (row) count(counts[index]!, tally.keysOf(row), 1);
        });
      }
      values = [
        ...moveValues(move),
        JSON.stringify(parked),
        JSON.stringify(kept),
        gone,
        ...tallies.map((tally, index) => JSON.stringify(deltasOf(tally, counts[index]!))),
      ];
    } catch (error) {
      throw new UnwritableRow(error);
    }
    const { rowCount } = await db.query({
      name: `${schema} write`,
      text: statements.write,
      values,
    });
    if (rowCount !== 1) throw new CheckpointMoved(schema);
  };

  return {
    /** Decodes events before their turn, while the database is busy with those before them. */
    prepare(events: readonly StoredEvent[]): void {
      decodeAhead(projection.codec, events, decoded);
    },

    /**
     * Applies `events` and moves the checkpoint as `move` says. Streams that turn out to be
     * unreadable or cannot be folded are parked in the same statement.
     *
     * @returns The streams that were parked.
     * @throws {@link CheckpointMoved}; nothing was written.
     */
    async apply(
      move: CheckpointMove,
      events: readonly StoredEvent[],
      cache: RowCache,
      parkedBefore: ReadonlySet<string>,
      passedOver?: ReadonlySet<string>,
    ): Promise<ReadonlyMap<string, Parked>> {
      const read = readable(projection, events, parkedBefore, decoded, passedOver);
      const rows = await load(cache, read.keys);
      const after = folded(projection, read, events, rows);
      const { parked, skipped } = read;
      const books = [
        ...[...parked].map(([stream, its]) => parkedRow(stream, its)),
        ...[...skipped].map(([stream, count]) => ({ ...UNUSED, stream, skipped: count })),
      ];
      const left = sum(skipped.values()) + sum([...parked.values()].map((it) => 1 + it.skipped));
      await write({ ...move, applied: events.length - left }, rows, after, books);
      cache.keep(after);
      return parked;
    },

    /** Sets the stream of `event` aside and moves the checkpoint over it. */
    async park(move: CheckpointMove, event: StoredEvent, error: unknown): Promise<void> {
      const row = parkedRow(event.stream, { event, error, skipped: 0 });
      await write({ ...move, applied: 0 }, new Map(), new Map(), [row]);
    },

    /** Moves the checkpoint and nothing else. */
    async move(move: CheckpointMove): Promise<void> {
      await write({ ...move, applied: 0 }, new Map(), new Map(), []);
    },
  };
};

/** As a line of `projections.parked`. */
export const parkedRow = (stream: string, { event, error, skipped }: Parked) => ({
  stream,
  event_id: event.id,
  revision: event.revision,
  position: event.position,
  error: lineOf(error),
  skipped,
});

/** For a stream whose line is there already: only the count is added to it. */
const UNUSED = {
  event_id: '00000000-0000-0000-0000-000000000000',
  revision: 0,
  position: '',
  error: '',
};

/** Keys are arrays; a Map compares them by their JSON. */
export const count = (
  counts: Map<string, number>,
  keys: readonly (readonly (string | null)[])[],
  by: number,
): void => {
  for (const key of keys) {
    const text = JSON.stringify(key);
    counts.set(text, (counts.get(text) ?? 0) + by);
  }
};

const deltasOf = (tally: Tally<object>, counts: ReadonlyMap<string, number>): object[] => {
  const named = columnsOf([...Object.keys(tally.columns), 'n']);
  return [...counts].filter(([, n]) => n !== 0).map((counted) => named(tallyRow(tally, counted)));
};

/** The row of a tally by its members, out of what {@link count} has counted. */
export const tallyRow = ({ columns }: Tally<object>, [text, n]: readonly [string, number]) => {
  const values = JSON.parse(text) as readonly (string | null)[];
  const row: Record<string, unknown> = { n };
  Object.keys(columns).forEach((member, index) => (row[member] = values[index] ?? null));
  return row;
};

const sum = (numbers: Iterable<number>): number => {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
};
