import { getHeapStatistics } from 'node:v8';
import { REBUILD_BYTES_IN_MEMORY_MAX, REBUILDS_AT_ONCE_MAX } from '../../limits.ts';
import {
  LogUnavailable,
  type Batch,
  type EventStore,
  type Position,
  type StoredEvent,
} from '../../log/event-store.ts';
import { estimatedRowSize } from '../../concurrency/estimated-size.ts';
import { forEachInSlices } from '../../concurrency/slices.ts';
import { decodeAhead, readable, type Decoded, type Parked } from '../apply/fold.ts';
import { MeasuredRows } from '../apply/measured-rows.ts';
import type { AnyProjection } from '../projection.ts';

/** A read model after a part of the log: rows in memory, and others in a table. */
export interface Folded {
  readonly position: Position | null;
  /** The rows in memory. */
  readonly rows: Rows;
  readonly parked: ReadonlyMap<string, Parked>;
  readonly applied: number;
}

type Rows = ReadonlyMap<string, object>;

export const emptyFold: Folded = { position: null, rows: new Map(), parked: new Map(), applied: 0 };

/** A table for rows that do not fit into memory. */
export interface Overflow {
  /** Writes all rows of the fold. */
  readonly store: (rows: Rows) => Promise<void>;
  /**
   * Takes the stored rows of these keys back into memory: they are deleted unless they are stored
   * again. Absent for rows that never change.
   */
  readonly load?: (keys: readonly string[]) => Promise<Rows>;
}

export interface FoldOptions {
  /** More rows are stored after the batch. */
  readonly rowsMax: number;
  /**
   * Rows are also stored beyond this much memory, approximately. Default: all rebuilds together use
   * half of the process's heap, each at most {@link REBUILD_BYTES_IN_MEMORY_MAX}.
   */
  readonly bytesMax?: number;
  readonly overflow: Overflow;
  readonly passedOver: ReadonlySet<string>;
  readonly onProgress: (upTo: Position, events: number) => void;
}

/** Folds `batches` from no rows: the fold of the live read model, in memory where it can be. */
export const foldAll = async (
  projection: AnyProjection,
  batches: AsyncIterable<Batch>,
  options: FoldOptions,
): Promise<Folded> => {
  const { rowsMax, bytesMax = bytesInMemoryMax(), overflow } = options;
  const { passedOver, onProgress } = options;
  const { codec, keyOf, readsKeyOf, rowAfter } = projection;
  const decoded: Decoded = new WeakMap();
  const parked = new Map<string, Parked>();
  let rows = new MeasuredRows();
  /** Keys whose rows are in memory or do not exist; `null`: all of them. */
  let loadedKeys: Set<string> | null = null;
  let position: Position | null = null;
  let events = 0;

  /** An event that cannot be read or folded parks its stream; later ones are only counted. */
  const take = (event: StoredEvent): void => {
    if (passedOver.size > 0 && passedOver.has(event.id)) return;
    const aside = parked.size > 0 ? parked.get(event.stream) : undefined;
    if (aside) {
      aside.skipped += 1;
      return;
    }
    try {
      const fact = (loadedKeys && decoded.get(event)) ?? codec.decode(event);
      const key = keyOf(fact);
      if (key === null) return;
      const before = rows.get(key) ?? null;
      const readKey = readsKeyOf?.(fact) ?? null;
      const read = readKey === null ? null : (rows.get(readKey) ?? null);
      const after = rowAfter(fact, before, true, read) as object | null;
      if (after === null) rows.delete(key);
      else if (after === before) rows.grow(estimatedRowSize(fact.event));
      else rows.set(key, after);
    } catch (error) {
      parked.set(event.stream, { event, error, skipped: 0 });
    }
  };

  const loadRowsOf = async (batch: readonly StoredEvent[]) => {
    if (loadedKeys === null || !overflow.load) return;
    await decodeAhead(codec, batch, decoded);
    const { keys } = readable(projection, batch, new Set(parked.keys()), decoded, passedOver);
    const missing = keys.filter((key) => !loadedKeys!.has(key));
    if (missing.length === 0) return;
    for (const [key, row] of await overflow.load(missing)) rows.set(key, row);
    for (const key of missing) loadedKeys.add(key);
  };

  /** @returns Whether there is too little memory for the next batch. */
  const isFull = async (): Promise<boolean> => {
    if (rows.size > rowsMax) return true;
    if (rows.bytes <= bytesMax) return false;
    await rows.measure();
    // Otherwise they would be measured again after the next few batches, and again.
    return rows.bytes > bytesMax * FULL_SHARE;
  };

  for await (const batch of batches) {
    await loadRowsOf(batch.events);
    await forEachInSlices(batch.events, take);
    position = batch.upTo;
    events += batch.events.length;
    onProgress(position, events);
    if (!(await isFull())) continue;
    await overflow.store(rows.all());
    rows = new MeasuredRows();
    loadedKeys = new Set();
  }
  let unapplied = 0;
  for (const { skipped } of parked.values()) unapplied += 1 + skipped;
  return { position, rows: rows.all(), parked, applied: events - unapplied };
};

const bytesInMemoryMax = (): number =>
  Math.min(
    REBUILD_BYTES_IN_MEMORY_MAX,
    getHeapStatistics().heap_size_limit / 2 / REBUILDS_AT_ONCE_MAX,
  );

/** Share of the memory bound at which measuring stops. */
const FULL_SHARE = 0.9;

/**
 * The log from just after `after` up to `to` and no further, as it was when `to` was its head.
 *
 * @throws When `signal` aborts, or the log is closed, before `to` was reached.
 */
export async function* readTo(
  log: EventStore,
  after: Position | null,
  to: Position | null,
  options: { readonly categories: readonly string[]; readonly signal: AbortSignal },
): AsyncGenerator<Batch, void, undefined> {
  if (to === null || log.compare(after, to) >= 0) return;
  // Left when `to` is reached, not when a batch says it has caught up: that may be another node.
  for await (const batch of log.subscribe(after, options)) {
    const beyond = log.compare(batch.upTo, to);
    if (beyond < 0) {
      yield { ...batch, caughtUp: false };
      continue;
    }
    const events =
      beyond === 0
        ? batch.events
        : batch.events.filter(({ position }) => log.compare(position, to) <= 0);
    yield { events, upTo: to, caughtUp: true };
    return;
  }
  options.signal.throwIfAborted();
  throw new LogUnavailable('the subscription has ended');
}
