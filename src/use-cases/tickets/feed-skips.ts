import {
  feedSkipDecider,
  skippedAfter,
  type FeedSkipEvent,
  type SkippedEvent,
} from '../../domain/tickets/feed-skips.ts';
import type { Actor, Instant } from '../../engine/aggregates/decider.ts';
import { aggregate } from '../../engine/aggregates/aggregate.ts';
import { feedSkipCodec } from '../../domain/tickets/codecs.ts';
import type { EventStore } from '../../engine/log/event-store.ts';

/** Of the streams that say what the change feed passes over. */
export const FEED_SKIP_CATEGORY = 'feedskip';

/** What operators have had the change feed pass over, as the log says it now. */
export interface FeedSkipRepository {
  /**
   * By revision of the ticket's stream.
   *
   * @throws `LogUnavailable`.
   */
  of(ticketId: string): Promise<ReadonlyMap<number, SkippedEvent>>;
  /**
   * Doing it twice is doing it once, and answers what was recorded first.
   *
   * @throws `LogUnavailable`.
   */
  skip(skip: NewSkip): Promise<SkippedEvent>;
}

export interface NewSkip extends Omit<FeedSkipEvent, 'type'> {
  readonly ticketId: string;
  /** Whose feed it is, where that can be told: those who wait for it are woken. */
  readonly organisation: string | null;
  readonly at: Instant;
  readonly by: Actor;
}

export const feedSkips = (log: EventStore): FeedSkipRepository => {
  const skips = aggregate({
    log,
    category: FEED_SKIP_CATEGORY,
    codec: feedSkipCodec,
    decider: feedSkipDecider,
    viewAfter: skippedAfter,
  });
  return {
    of: async (ticketId) => (await skips.look(ticketId))?.view ?? new Map(),

    async skip({ ticketId, organisation, at, by, ...event }) {
      const given = {
        commandId: event.eventId,
        command: { type: 'SkipEvent', ...event } as const,
        ...(organisation === null ? {} : { organisation }),
      };
      const { view } = await skips.give(ticketId, given, { at, by, origin: 'system' });
      return view.get(event.revision)!;
    },
  };
};
