/**
 * A ticket's timeline in pages, read from its own stream. A page needs the ticket before it: cached
 * for readers who continue, and folded again for others, one part of the stream at a time.
 * contract.md section 5.
 */
import { addToNote, entriesBy, type TimelineItem } from '../../../domain/tickets/timeline.ts';
import type { TicketView } from '../../../domain/tickets/view.ts';
import {
  TIMELINE_PAGE_BYTES_MAX,
  TIMELINE_PLACES_KEPT_BYTES_MAX,
  TIMELINE_PLACES_KEPT_MAX,
  TIMELINE_READ_AT_ONCE_EVENTS,
} from '../limits.ts';
import { asExpired } from '../../../domain/tickets/expiry.ts';
import { estimatedSize } from '../../../engine/concurrency/estimated-size.ts';
import { datedCache } from '../../../engine/concurrency/dated-cache.ts';
import { PERSON_KEY_TRUSTED_MS } from '../../../engine/limits.ts';
import { ticketCodec } from '../../../domain/tickets/codecs.ts';
import type { EventStore } from '../../../engine/log/event-store.ts';
import { streamOf } from '../../../engine/log/streams.ts';
import { systemClock, type Clock } from '../../../engine/time/clock.ts';
import { expiriesIn } from './expiries.ts';

export interface Timelines {
  /**
   * Items after a revision, oldest first. A page ends early at {@link TIMELINE_PAGE_BYTES_MAX} of
   * text.
   *
   * @throws `LogUnavailable`.
   */
  page(query: TimelineQuery): Promise<TimelinePage>;
}

export interface TimelineQuery {
  readonly ticketId: string;
  /** `next` of the page before; -1: from the opening. */
  readonly after: number;
  readonly limit: number;
  readonly isShown: (item: TimelineItem) => boolean;
}

export interface TimelinePage {
  readonly items: readonly TimelineItem[];
  /** The last revision of the page; `null` at the end of the timeline. */
  readonly next: number | null;
}

/** @param clock The platform's. Default: the system's. */
export const timelines = (
  log: Pick<EventStore, 'readStream'>,
  clock: Pick<Clock, 'now'> = systemClock,
): Timelines => {
  const expiries = expiriesIn(log, clock);
  /** By ticket and revision, the ticket at that revision. */
  const places = datedCache<TicketView>(TIMELINE_PLACES_KEPT_MAX, PERSON_KEY_TRUSTED_MS, {
    weightMax: TIMELINE_PLACES_KEPT_BYTES_MAX,
    weightOf: (view) => estimatedSize(view),
  });

  return {
    async page({ ticketId, after, limit, isShown }) {
      const stream = streamOf('ticket', ticketId);
      const place = places.get(placeOf(ticketId, after));
      const readAt = place?.readAt ?? performance.now();
      let view = place?.value ?? null;
      let lastEntry = view === null ? -1 : after;
      const items: TimelineItem[] = [];
      let bytes = 0;
      let expired: number | null = null;
      for (;;) {
        const read = { from: lastEntry + 1, limit: TIMELINE_READ_AT_ONCE_EVENTS };
        const events = await log.readStream(stream, read);
        if (events[0]) expired ??= await expiries.lastAfter(events[0]);
        for (const event of events) {
          const decoded = ticketCodec.decode(event);
          const recorded = event.revision <= (expired ?? -1) ? asExpired(decoded) : decoded;
          const now = entriesBy(recorded, view);
          const { item } = now;
          if (event.revision > after && item !== null && isShown(item)) {
            const isFull = items.length === limit || bytes >= TIMELINE_PAGE_BYTES_MAX;
            if (isFull) {
              if (view !== null) places.set(placeOf(ticketId, lastEntry), view, readAt);
              return { items, next: lastEntry };
            }
            items.push(item);
            bytes += JSON.stringify(item).length;
          }
          addToNote(items, recorded.event);
          ({ view } = now);
          lastEntry = event.revision;
        }
        if (events.length < TIMELINE_READ_AT_ONCE_EVENTS) return { items, next: null };
      }
    },
  };
};

const placeOf = (ticketId: string, revision: number): string => `${ticketId}/${revision}`;
