import type { Codec, Recorded } from '../log/codec.ts';

/**
 * A read model, written as a fold from facts to rows.
 *
 * Nothing here runs a statement. The runner loads the rows a batch touches, folds the batch in
 * memory, writes what changed with one statement a table and moves the checkpoint in the same
 * transaction, so a fact takes effect exactly once. A rebuild is the same fold from no rows.
 */
export interface Projection<Event extends { readonly type: string }, Row extends object> {
  /** kebab-case. With the version it names the schema: `ticket-list` 2 is `ticket_list_v2`. */
  readonly name: string;
  /** Raise it when a stored row would differ. A new version is built beside the old one. */
  readonly version: number;
  /** The categories of the streams it follows; all their events pass through `codec`. */
  readonly categories: readonly string[];
  readonly codec: Pick<Codec<Event>, 'decode'>;
  readonly table: Table<Row>;
  /** Counters kept exactly in step with the rows, for totals that need no `count(*)`. */
  readonly tallies?: readonly Tally<Row>[];
  /** The key of the row that a fact belongs to, or `null` if it belongs to none. */
  readonly keyOf: (recorded: Recorded<Event>) => string | null;
  /**
   * The key of a second row that the fold of a fact reads and never changes; `null`: none. Default:
   * none.
   */
  readonly readsKeyOf?: (recorded: Recorded<Event>) => string | null;
  /**
   * Pure and total. `null` for no row: not there yet, or gone.
   *
   * @param inPlace `row` may be modified and returned, which spares a rebuild a copy of the row per
   *   fact. If the fold throws, it has changed nothing. Default false.
   * @param read The row of {@link Projection.readsKeyOf}; `null` if there is none.
   */
  readonly rowAfter: (
    recorded: Recorded<Event>,
    row: Row | null,
    inPlace?: boolean,
    read?: Row | null,
  ) => Row | null;
}

/**
 * Columns are the row's members in snake_case; rows are read and written in camelCase. Each member
 * is a column, or one of the document, or both.
 */
export interface Table<Row extends object> {
  readonly name: string;
  readonly columns: { readonly [K in keyof Row]?: ColumnType };
  /** Default: none. */
  readonly document?: RowDocument<Row>;
  /** The member that is the primary key. */
  readonly key: keyof Row & string;
  /** Postgres extensions that the indexes need; created in `public` first. */
  readonly extensions?: readonly string[];
  /** Storage parameters of the table, set before there are rows: `fillfactor = 90`. */
  readonly storage?: string;
  /** Further DDL; `$table` is the table's name. Run after the rows, where a rebuild fills it. */
  readonly indexes: readonly string[];
  /** Absent: the fold inserts, changes and deletes rows. */
  readonly partitions?: Partitions<Row>;
}

/**
 * Members that are stored together, as the JSON text that they print to: readers of all of them
 * need not parse a column for each.
 */
export interface RowDocument<Row extends object> {
  /** Of type `text not null`: `json` would be checked once more at each write. */
  readonly column: string;
  /** Pure. Members of the row, in the order of the text. */
  readonly of: (row: Row) => Partial<Row>;
}

/**
 * Makes a table append-only, in partitions of a calendar month (UTC). Each fact has a row of its
 * own, named by its key and its time, that never changes: no row is loaded, and an existing one is
 * kept. The fold must not change the row that it receives, which a repeated event has left. Such a
 * table has no tallies, and its fold reads no second row.
 *
 * Rows of a month that is wholly older than `keptMonths` calendar months are not written, live or
 * by a rebuild, and its partition is dropped whole. Older rows within the oldest month may still
 * exist: readers filter by time.
 */
export interface Partitions<Row extends object> {
  /** The member with the row's time: a `timestamptz` that is never null. */
  readonly by: keyof Row & string;
  readonly keptMonths: number;
}

/** A type as Postgres writes it, including `not null`. */
export type ColumnType = string;

/**
 * A table of counts: `columns` are the key, at least one, and `n` is the number of rows that have
 * it. Earlier releases left keys that no row had any more, with an `n` of 0.
 */
export interface Tally<Row> {
  readonly name: string;
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** The keys (values in the order of `columns`) this row counts under; none for `[]`. */
  readonly keysOf: (row: Row) => readonly (readonly (string | null)[])[];
}

/** A projection without its types, for the runner. */
// oxlint-disable-next-line typescript/no-explicit-any -- a list of projections is of many types
export type AnyProjection = Projection<any, any>;

/** `ticket-list` in version 2 lives in schema `ticket_list_v2`. */
export const schemaOf = ({ name, version }: { name: string; version: number }): string =>
  `${name.replaceAll('-', '_')}_v${version}`;

export const snake = (camel: string): string =>
  camel.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Folds facts into rows, one by one. */
export interface RowFold<Event extends { readonly type: string }, Row extends object> {
  /** The rows after the facts so far, by key. */
  readonly after: ReadonlyMap<string, Row | null>;
  take(recorded: Recorded<Event>): void;
}

/**
 * @param rows The rows that the facts may touch, as they were.
 * @param failed Called for a fact whose fold throws, which then changes nothing; returns whether
 *   another one is to be skipped.
 */
export const rowFold = <Event extends { readonly type: string }, Row extends object>(
  {
    keyOf,
    readsKeyOf,
    rowAfter,
  }: Pick<Projection<Event, Row>, 'keyOf' | 'readsKeyOf' | 'rowAfter'>,
  rows: ReadonlyMap<string, Row>,
  failed: Failed<Event>,
): RowFold<Event, Row> => {
  const after = new Map<string, Row | null>();
  const rowOf = (key: string): Row | null =>
    after.has(key) ? after.get(key)! : (rows.get(key) ?? null);
  return {
    after,
    take(recorded) {
      if (failed.leavesOut(recorded)) return;
      try {
        const key = keyOf(recorded);
        if (key === null) return;
        const readKey = readsKeyOf?.(recorded) ?? null;
        const read = readKey === null ? null : rowOf(readKey);
        after.set(key, rowAfter(recorded, rowOf(key), false, read));
      } catch (error) {
        failed.on(recorded, error);
      }
    },
  };
};

/** Handles facts that cannot be folded. */
export interface Failed<Event extends { readonly type: string }> {
  leavesOut(recorded: Recorded<Event>): boolean;
  on(recorded: Recorded<Event>, error: unknown): void;
}
