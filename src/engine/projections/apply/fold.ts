import type { Codec, Recorded } from '../../log/codec.ts';
import type { StoredEvent } from '../../log/event-store.ts';
import { rowsAfter, type AnyProjection } from '../projection.ts';

/** A stream parked for a projection: its first event that cannot be applied. */
export interface Parked {
  readonly event: StoredEvent;
  readonly error: unknown;
  /** Number of later events of the stream that were skipped. */
  skipped: number;
}

/** The decoded facts of a batch, before any row is loaded. */
export interface Readable {
  readonly facts: readonly Recorded[];
  /** Keys of the rows that their folds change or read. */
  readonly keys: readonly string[];
  /** Streams that this batch parks. */
  readonly parked: Map<string, Parked>;
  /** Number of skipped events by stream, for streams parked before this batch. */
  readonly skipped: Map<string, number>;
}

/** Events decoded ahead; an unreadable event is absent, and fails when it is applied. */
export type Decoded = WeakMap<StoredEvent, Recorded>;

export const decodeAhead = (
  codec: Pick<Codec<{ type: string }>, 'decode'>,
  events: readonly StoredEvent[],
  decoded: Decoded,
): void => {
  for (const event of events)
    try {
      decoded.set(event, codec.decode(event));
    } catch {
      return;
    }
};

/**
 * Decodes a batch. An event that cannot be read, or has no key, parks its stream from there on;
 * events of parked streams are only counted.
 *
 * @param passedOver Ids of events that an operator has skipped.
 */
export const readable = (
  projection: Pick<AnyProjection, 'keyOf' | 'readsKeyOf' | 'codec'>,
  events: readonly StoredEvent[],
  already: ReadonlySet<string>,
  decoded: Decoded,
  passedOver: ReadonlySet<string> = NONE,
): Readable => {
  const parked = new Map<string, Parked>();
  const skipped = new Map<string, number>();
  const facts: Recorded[] = [];
  const keys = new Set<string>();
  for (const event of events) {
    const { stream } = event;
    if (passedOver.size > 0 && passedOver.has(event.id)) continue;
    const here = parked.get(stream);
    if (here) here.skipped += 1;
    else if (already.has(stream)) skipped.set(stream, (skipped.get(stream) ?? 0) + 1);
    else
      try {
        const fact = decoded.get(event) ?? projection.codec.decode(event);
        const key = projection.keyOf(fact);
        if (key === null) continue;
        keys.add(key);
        const readKey = projection.readsKeyOf?.(fact) ?? null;
        if (readKey !== null) keys.add(readKey);
        facts.push(fact);
      } catch (error) {
        parked.set(stream, { event, error, skipped: 0 });
      }
  }
  return { facts, keys: [...keys], parked, skipped };
};

const NONE: ReadonlySet<string> = new Set();

/** The rows after the batch. A fact whose fold throws parks its stream in `parked`. */
export const folded = (
  projection: AnyProjection,
  { facts, parked }: Readable,
  events: readonly StoredEvent[],
  rows: ReadonlyMap<string, object>,
): Map<string, object | null> => {
  const broken = new Set<string>();
  return rowsAfter<{ type: string }, object>(projection, facts, rows, {
    leavesOut(fact) {
      if (!broken.has(fact.stream)) return false;
      parked.get(fact.stream)!.skipped += 1;
      return true;
    },
    on(fact, error) {
      broken.add(fact.stream);
      const event = events.find(({ id }) => id === fact.id)!;
      // The stream may have been parked further on already, by an event that cannot be read.
      const later = parked.get(fact.stream);
      parked.set(fact.stream, { event, error, skipped: later ? later.skipped + 1 : 0 });
    },
  });
};
