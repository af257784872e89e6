import { subjectText } from '../../domain/bus/subject.ts';
import type { Payload } from '../../domain/bus/events.ts';
import type { Instant } from '../../domain/decider.ts';
import { retiresAt } from '../../domain/retention/retention.ts';
import {
  BUS_PAGE_BYTES_MAX,
  BUS_READ_AT_ONCE_EVENTS,
  BUS_SEARCH_EVENTS_MAX,
} from '../../limits.ts';
import type { Clock } from '../../ops/clock.ts';
import { NewerReleaseNeeded, UnreadableEvent } from '../../store/codec.ts';
import { busCodec } from '../../store/codecs.ts';
import {
  mustLieIn,
  type EventStore,
  type Position,
  type StoredEvent,
} from '../../store/event-store.ts';
import type { Message } from '../bus.ts';
import { BUS_CATEGORY, buildingOf, messageOf } from './messages.ts';

export interface BusSelection {
  readonly type?: string | undefined;
  /** Messages about these alone. Absent: about all. */
  readonly buildings?: ReadonlySet<string> | undefined;
}

/** A message as operators see it. */
export interface BusItem {
  readonly position: Position;
  readonly subject: string;
  readonly data: Payload;
  readonly at: Instant;
}

export interface BusPage {
  readonly items: readonly BusItem[];
  /** Where to go on, now or later; `null` only where the log is empty. */
  readonly next: Position | null;
}

export interface BusPageParts {
  readonly log: EventStore;
  readonly clock: Clock;
  /** Before every subject. */
  readonly prefix: string;
}

/**
 * The messages of the log after `after` (`null`: from the oldest there is), in the order in which
 * they were published. Searches at most {@link BUS_SEARCH_EVENTS_MAX} events, so that a page may
 * be short, or empty, before the end. What this release cannot read is left out.
 *
 * @throws `UnknownPosition`; `LogUnavailable`.
 */
export const busPage =
  ({ log, clock, prefix }: BusPageParts) =>
  async (
    { type, buildings }: BusSelection,
    after: Position | null,
    limit: number,
  ): Promise<BusPage> => {
    const items: BusItem[] = [];
    const seen = new Set<string>();
    let next = after;
    let bytes = 0;
    for (let searched = 0; searched < BUS_SEARCH_EVENTS_MAX;) {
      const read = { limit: BUS_READ_AT_ONCE_EVENTS, categories: [BUS_CATEGORY] };
      const page = await log.readAll(next, read);
      searched += BUS_READ_AT_ONCE_EVENTS;
      if (page.end && page.events.length === 0 && next !== null) await mustLieIn(log, next);
      for (const stored of page.events) {
        // A journal that is about to go is gone, however soon it is deleted.
        const isOver = (retiresAt(stored.stream) ?? '') <= clock.now();
        const isOther = buildings?.has(buildingOf(stored.stream)) === false;
        const message = isOver || isOther || seen.has(stored.id) ? null : readable(stored);
        if (!message || (type !== undefined && message.subject.type !== type)) continue;
        const { subject, data, at } = message;
        seen.add(stored.id);
        items.push({ position: stored.position, subject: subjectText(prefix, subject), data, at });
        bytes += JSON.stringify(data).length;
        if (items.length === limit || bytes >= BUS_PAGE_BYTES_MAX)
          return { items, next: stored.position };
      }
      next = page.next;
      if (page.end) break;
    }
    return { items, next };
  };

/** A message of a later release, or of none, is none here; its consumers list it. */
const readable = (stored: StoredEvent): Message | null => {
  try {
    return messageOf(busCodec.decode(stored));
  } catch (error) {
    if (error instanceof NewerReleaseNeeded || error instanceof UnreadableEvent) return null;
    throw error;
  }
};
