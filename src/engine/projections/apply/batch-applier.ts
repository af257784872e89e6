import { isBadData } from '../../postgres/errors.ts';
import type { Instant } from '../../aggregates/decider.ts';
import type { Position, StoredEvent } from '../../log/event-store.ts';
import type { RowCache } from './row-cache.ts';
import { UnwritableRow, type CheckpointMove, type Prepared, type writer } from './writer.ts';

export interface BatchApplierParts {
  readonly writer: ReturnType<typeof writer>;
  readonly cache: RowCache;
  /** Parked streams; this adds to them. */
  readonly parked: Set<string>;
  readonly passedOver: ReadonlySet<string>;
  /** Rows of months that are too old at this time are not written. */
  readonly monthsAt: Instant;
  /** The move from the checkpoint's position to `to`. */
  readonly moveTo: (to: Position | null, caughtUp: boolean) => CheckpointMove;
  /** The events up to `to` are durable in the rows. */
  readonly arrived: (to: Position, caughtUp: boolean) => void;
  readonly onParked: (stream: string, error: unknown) => void;
}

export interface BatchApplier {
  /** Applies a batch; one that the database refuses is halved until the event at fault is found. */
  readonly apply: (
    events: readonly StoredEvent[],
    upTo: Position,
    caughtUp: boolean,
  ) => Promise<void>;
  /**
   * Folds the next batch while one is being applied, on the rows that result from that one, so that
   * it can be written as soon as its turn comes.
   */
  readonly ahead: (events: readonly StoredEvent[]) => void;
}

export const batchApplier = (parts: BatchApplierParts): BatchApplier => {
  const { cache, parked, passedOver, monthsAt, moveTo, arrived, onParked } = parts;
  const { decode, prepare, write, park } = parts.writer;
  /** The batch that is being written, until it is committed. */
  let current: Promise<Prepared> | null = null;
  let next: {
    readonly events: readonly StoredEvent[];
    readonly prepared: Promise<Prepared>;
  } | null = null;
  /** Batches that are being applied in parts, one within the other. */
  let depth = 0;

  const preparedUpon = (before: Prepared | null, events: readonly StoredEvent[]) =>
    prepare(events, { cache, parked, passedOver, before, monthsAt });

  const ahead = (events: readonly StoredEvent[]) => {
    // The next batch cannot be folded on a part, and a half may yet park a stream.
    if (events.length === 0 || depth > 0) return;
    const before = Promise.resolve(current);
    const prepared = decode(events).then(async () => preparedUpon(await before, events));
    // Handled when its turn comes; it may be discarded before.
    prepared.catch(() => {});
    next = { events, prepared };
  };

  const applied = async (events: readonly StoredEvent[], upTo: Position, caughtUp: boolean) => {
    current = next?.events === events ? next.prepared : preparedUpon(null, events);
    next = null;
    let prepared: Prepared;
    try {
      prepared = await current;
    } catch (error) {
      current = null;
      return refused(error, events, upTo, caughtUp);
    }
    const { left } = prepared;
    if (left.length === 0) return written(prepared, events, upTo, caughtUp);
    return inParts(async () => {
      const fitting = events.slice(0, -left.length);
      await written(prepared, fitting, fitting.at(-1)!.position, false);
      await applied(left, upTo, caughtUp);
    });
  };

  const written = async (
    prepared: Prepared,
    events: readonly StoredEvent[],
    upTo: Position,
    caughtUp: boolean,
  ) => {
    try {
      await write(moveTo(upTo, caughtUp), prepared);
    } catch (error) {
      return refused(error, events, upTo, caughtUp);
    } finally {
      current = null;
    }
    cache.keep(prepared.after);
    for (const [stream, { error }] of prepared.parked) {
      parked.add(stream);
      onParked(stream, error);
    }
    arrived(upTo, caughtUp);
  };

  /** @throws `error`, unless the events themselves are at fault. */
  const refused = async (
    error: unknown,
    events: readonly StoredEvent[],
    upTo: Position,
    caughtUp: boolean,
  ) => {
    if (!isBadData(error) && !(error instanceof UnwritableRow)) throw error;
    await inParts(() => halved(events, upTo, caughtUp, error));
  };

  /** A batch folded ahead on the whole of this one is void. */
  const inParts = async (work: () => Promise<void>) => {
    next = null;
    depth += 1;
    await work();
    depth -= 1;
  };

  /**
   * Halves the batch, because the database does not report which event is at fault. It refuses
   * rows, not events: a row that a later event of the same batch corrects is never refused.
   */
  const halved = async (
    events: readonly StoredEvent[],
    upTo: Position,
    caughtUp: boolean,
    error: unknown,
  ) => {
    const [first] = events;
    if (events.length <= 1 && first) {
      await park(moveTo(upTo, caughtUp), first, error);
      parked.add(first.stream);
      onParked(first.stream, error);
      arrived(upTo, caughtUp);
      return;
    }
    const half = events.length >> 1;
    await applied(events.slice(0, half), events[half - 1]!.position, false);
    await applied(events.slice(half), upTo, caughtUp);
  };

  return { apply: applied, ahead };
};
