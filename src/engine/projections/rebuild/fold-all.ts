import { REBUILD_BYTES_IN_MEMORY_MAX } from '../../limits.ts';
import {
  LogUnavailable,
  type Batch,
  type EventStore,
  type Position,
  type StoredEvent,
} from '../../log/event-store.ts';
import { estimatedRowSize } from '../../concurrency/estimated-size.ts';
import { forEachInSlices } from '../../concurrency/slices.ts';
import { MeasuredRows } from '../apply/measured-rows.ts';
import type { Parked } from '../apply/fold.ts';
import type { AnyProjection, Tally } from '../projection.ts';
import { count, tallyRow, type Counts } from '../apply/writer.ts';

/** What a read model is after a part of the log, in memory. */
export interface Folded {
  readonly position: Position | null;
  readonly rows: ReadonlyMap<string, object>;
  readonly parked: ReadonlyMap<string, Parked>;
  readonly applied: number;
}

export const nothing: Folded = { position: null, rows: new Map(), parked: new Map(), applied: 0 };

export interface FoldOptions {
  /** The fold ends with the batch after which there are more. */
  readonly rowsMax: number;
  /** Also beyond this much memory, approximately. Default {@link REBUILD_BYTES_IN_MEMORY_MAX}. */
  readonly bytesMax?: number;
  readonly passedOver: ReadonlySet<string>;
  readonly onProgress: (upTo: Position, events: number) => void;
}

/** Folds `batches` from no rows: the fold of the live read model, without a database. */
export const foldAll = async (
  projection: AnyProjection,
  batches: AsyncIterable<Batch>,
  { rowsMax, bytesMax = REBUILD_BYTES_IN_MEMORY_MAX, passedOver, onProgress }: FoldOptions,
): Promise<Folded> => {
  const { codec, keyOf, readsKeyOf, rowAfter } = projection;
  const rows = new MeasuredRows();
  const parked = new Map<string, Parked>();
  let position: Position | null = null;
  let events = 0;

  /** What cannot be read or folded parks its stream; later events of it are only counted. */
  const take = (event: StoredEvent): void => {
    if (passedOver.size > 0 && passedOver.has(event.id)) return;
    const aside = parked.size > 0 ? parked.get(event.stream) : undefined;
    if (aside) {
      aside.skipped += 1;
      return;
    }
    try {
      const fact = codec.decode(event);
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

  for await (const batch of batches) {
    for (const event of batch.events) take(event);
    position = batch.upTo;
    events += batch.events.length;
    onProgress(position, events);
    if (rows.size > rowsMax) break;
    if (rows.bytes <= bytesMax) continue;
    await rows.measure();
    // Otherwise they would be measured again after the next few batches, and again.
    if (rows.bytes > bytesMax * FULL_SHARE) break;
  }
  let left = 0;
  for (const { skipped } of parked.values()) left += 1 + skipped;
  return { position, rows: rows.all(), parked, applied: events - left };
};

/** Share of the memory bound at which measuring stops. */
const FULL_SHARE = 0.9;

/** The rows of each tally over all of `rows`, which are counted while others get their turn. */
export const tallied = async (
  tallies: readonly Tally<object>[],
  rows: Iterable<object>,
): Promise<readonly (readonly object[])[]> => {
  const counted = tallies.map((tally) => ({ tally, counts: new Map() as Counts }));
  await forEachInSlices(rows, (row) => {
    for (const { tally, counts } of counted) count(counts, tally.keysOf(row), 1);
  });
  return counted.map(({ tally, counts }) =>
    [...counts.values()].map((found) => tallyRow(tally, found)),
  );
};

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
