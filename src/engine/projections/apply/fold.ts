import type { Codec, Recorded } from '../../log/codec.ts';
import type { StoredEvent } from '../../log/event-store.ts';
import { estimatedRowSize } from '../../concurrency/estimated-size.ts';
import { forEachInSlices } from '../../concurrency/slices.ts';
import { rowFold, type AnyProjection } from '../projection.ts';

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

/** Yields between slices. */
export type GiveWay = () => Promise<unknown>;

export const decodeAhead = async (
  codec: Pick<Codec<{ type: string }>, 'decode'>,
  events: readonly StoredEvent[],
  decoded: Decoded,
  giveWay?: GiveWay,
): Promise<void> => {
  let isReadable = true;
  const decode = (event: StoredEvent) => {
    if (!isReadable || decoded.has(event)) return;
    try {
      decoded.set(event, codec.decode(event));
    } catch {
      isReadable = false;
    }
  };
  await forEachInSlices(events, decode, giveWay);
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

/**
 * The estimated bytes of the facts, each with the row that it is the first to touch. Facts from
 * the first one beyond `bytesMax` are left for another batch, but never all.
 *
 * @returns `left`: the first fact that is left; `null` if all fit.
 */
export const fitting = (
  { keyOf }: Pick<AnyProjection, 'keyOf'>,
  { facts, keys }: Readable,
  rows: ReadonlyMap<string, object>,
  bytesMax: number,
): { readonly bytes: number; readonly left: Recorded | null } => {
  let bytes = 0;
  for (const fact of facts) bytes += estimatedRowSize(fact.event);
  for (const row of rows.values()) bytes += estimatedRowSize(row);
  if (bytes <= bytesMax) return { bytes, left: null };
  bytes = 0;
  const untouched = new Set(keys);
  for (const [at, fact] of facts.entries()) {
    const key = keyOf(fact);
    const row = key !== null && untouched.delete(key) ? rows.get(key) : undefined;
    const size = estimatedRowSize(fact.event) + (row ? estimatedRowSize(row) : 0);
    if (at > 0 && bytes + size > bytesMax) return { bytes, left: fact };
    bytes += size;
  }
  return { bytes, left: null };
};

/** The rows after the batch. A fact whose fold throws parks its stream in `parked`. */
export const folded = async (
  projection: AnyProjection,
  { facts, parked }: Readable,
  events: readonly StoredEvent[],
  rows: ReadonlyMap<string, object>,
  giveWay?: GiveWay,
): Promise<ReadonlyMap<string, object | null>> => {
  const broken = new Set<string>();
  const fold = rowFold<{ type: string }, object>(projection, rows, {
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
  await forEachInSlices(facts, fold.take, giveWay);
  return fold.after;
};
