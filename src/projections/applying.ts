import { isBadData } from '../db/failures.ts';
import type { Position, StoredEvent } from '../store/event-store.ts';
import type { RowCache } from './row-cache.ts';
import { UnwritableRow, type CheckpointMove, type writer } from './writer.ts';

export interface ApplyingParts {
  readonly writer: ReturnType<typeof writer>;
  readonly cache: RowCache;
  /** Streams set aside; grows with what is parked here. */
  readonly parked: Set<string>;
  readonly passedOver: ReadonlySet<string>;
  /** From where the checkpoint stands to `to`. */
  readonly moveTo: (to: Position | null, caughtUp: boolean) => CheckpointMove;
  /** The events up to `to` are durable in the rows. */
  readonly arrived: (to: Position, caughtUp: boolean) => void;
  readonly onParked: (stream: string, error: unknown) => void;
}

/** Applies batches; one that the database refuses is halved until the event at fault is found. */
export const applying = (parts: ApplyingParts) => {
  const { cache, parked, passedOver, moveTo, arrived, onParked } = parts;
  const { apply, park } = parts.writer;

  const applied = async (events: readonly StoredEvent[], upTo: Position, caughtUp: boolean) => {
    try {
      const now = await apply(moveTo(upTo, caughtUp), events, cache, parked, passedOver);
      for (const [stream, { error }] of now) {
        parked.add(stream);
        onParked(stream, error);
      }
    } catch (error) {
      if (!isBadData(error) && !(error instanceof UnwritableRow)) throw error;
      await halved(events, upTo, caughtUp, error);
      return;
    }
    arrived(upTo, caughtUp);
  };

  /**
   * Which of the events it is, the database does not say. It refuses rows, not events: a row that
   * a later event of the same batch mends is never seen.
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

  return applied;
};
