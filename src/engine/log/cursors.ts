/**
 * Positions of the log as clients store them. A log that was restored from a backup reuses the
 * positions of lost events, so a cursor names the timeline of its position.
 */
import { UnknownPosition, type EventStore, type Position } from './event-store.ts';
import type { Timeline } from './log-identity.ts';

/** The event at the cursor was lost in a restore of the log. */
export class LostPosition extends Error {
  /** The cursor at which the reader continues; `null`: the beginning. */
  readonly restartAt: string | null;

  constructor(restartAt: string | null) {
    super('the events before this cursor were lost when the log was restored from a backup');
    this.name = 'LostPosition';
    this.restartAt = restartAt;
  }
}

export interface Cursors {
  /** The name of the current timeline in a cursor; `null`: the log was never restored. */
  readonly timeline: string | null;
  /** Only the position if the log was never restored. */
  textOf(position: Position): string;
  /** @throws {@link UnknownPosition} for another text; {@link LostPosition}. */
  positionIn(text: string): Position;
}

/** Reads the current timelines of the log. @throws {@link LogUnavailable}. */
export type LogCursors = () => Promise<Cursors>;

export const cursorsIn = (
  { compare }: Pick<EventStore, 'compare'>,
  timelines: readonly Pick<Timeline, 'id' | 'after' | 'position'>[],
): Cursors => {
  const restored = timelines.slice(1).map(({ id, after }) => ({ name: id.slice(0, 8), after }));

  const textOf = (position: Position) => {
    const timeline = restored.findLast(({ after }) => compare(position, after) > 0);
    return timeline ? `${timeline.name}:${position}` : position;
  };

  return {
    timeline: restored.at(-1)?.name ?? null,
    textOf,

    positionIn(text) {
      const [, name, position] = /^(?:([0-9a-f]{8}):)?(.+)$/s.exec(text) ?? [];
      if (position === undefined || !isPosition(compare, position))
        throw new UnknownPosition(`not a cursor: ${text}`);
      const at = restored.findIndex((one) => one.name === name);
      // The timeline itself was lost, and its beginning with it.
      if (name !== undefined && at === -1) throw new LostPosition(null);
      const next = restored[at + 1];
      if (next === undefined || compare(position, next.after) <= 0) return position;
      throw new LostPosition(next.after === null ? null : textOf(next.after));
    },
  };
};

export const isPosition = (compare: EventStore['compare'], text: string): boolean => {
  try {
    compare(text, null);
    return true;
  } catch {
    return false;
  }
};
