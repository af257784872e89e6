/**
 * Positions of the log as readers keep them. A log that was restored from a backup gives out again
 * the positions of what was lost; so a cursor names the timeline that its position was given in.
 */
import { UnknownPosition, type EventStore, type Position } from './event-store.ts';
import type { Timeline } from './log-identity.ts';

/** What stood at the cursor was lost with a restore of the log. */
export class LostPosition extends Error {
  /** Where the reader goes on, in the same form; `null`: at the beginning. */
  readonly restartAt: string | null;

  constructor(restartAt: string | null) {
    super('the events before this cursor were lost when the log was restored from a backup');
    this.name = 'LostPosition';
    this.restartAt = restartAt;
  }
}

export interface Cursors {
  /** What names the present timeline in a cursor; `null`: the log was never restored. */
  readonly timeline: string | null;
  /** The position alone in a log that was never restored. */
  textOf(position: Position): string;
  /** @throws {@link UnknownPosition} for another text; {@link LostPosition}. */
  positionIn(text: string): Position;
}

/** As the log's timelines are now. @throws {@link LogUnavailable}. */
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
      // A timeline that was itself lost: nobody knows where it had begun.
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
