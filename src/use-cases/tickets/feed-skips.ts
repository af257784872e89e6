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

/** The category of streams with skipped events of the change feed. */
export const FEED_SKIP_CATEGORY = 'feedskip';

/** Events that operators have had the change feed skip. */
export interface FeedSkipRepository {
  /**
   * By revision of the ticket's stream.
   *
   * @throws `LogUnavailable`.
   */
  of(ticketId: string): Promise<ReadonlyMap<number, SkippedEvent>>;
  /**
   * Idempotent: returns the first record.
   *
   * @throws `LogUnavailable`.
   */
  skip(skip: NewSkip): Promise<SkippedEvent>;
}

export interface NewSkip extends Omit<FeedSkipEvent, 'type'> {
  readonly ticketId: string;
  /** The organisation of the feed, if known, whose long polls are woken. */
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
