import { subjectText } from '../../domain/bus/subject.ts';
import type { Payload } from '../../domain/bus/events.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import { BUS_PAGE_BYTES_MAX, BUS_PAGE_EVENTS_MAX, BUS_READ_AT_ONCE_EVENTS } from '../limits.ts';
import { READ_YOUR_WRITES_WAIT_MS } from '../../limits.ts';
import { decodeReadable } from '../../engine/log/codec.ts';
import { busCodec } from '../../domain/bus/codecs.ts';
import type { EventStore, Position, StoredEvent } from '../../engine/log/event-store.ts';
import { coversHead, eventsAt, type LogIndex } from '../../engine/log/log-index.ts';
import type { Message } from '../bus.ts';
import { messageOf } from './messages.ts';

export interface BusSelection {
  readonly type?: string | undefined;
  /** Only messages about these. Absent: about all. */
  readonly buildings?: ReadonlySet<string> | undefined;
}

/** A message as shown to operators. */
export interface BusItem {
  readonly position: Position;
  readonly subject: string;
  readonly data: Payload;
  readonly at: Instant;
}

export interface BusPage {
  readonly items: readonly BusItem[];
  /** The cursor of the next page: the last searched message; `null` before the first. */
  readonly next: Position | null;
  /** The page reached the newest message of the selection. */
  readonly caughtUp: boolean;
}

export interface BusPageParts {
  readonly log: EventStore;
  readonly index: LogIndex<BusSelection>;
  /** Prefix of every subject. */
  readonly prefix: string;
  /** How long a page waits for the index. Default {@link READ_YOUR_WRITES_WAIT_MS}. */
  readonly indexWaitMs?: number;
}

/**
 * The messages of the log after `after` (`null`: from the oldest), in order of publication.
 * Searches at most {@link BUS_PAGE_EVENTS_MAX} messages, so that a page may be short, or empty,
 * before the end. Messages that this release cannot read are omitted.
 *
 * @throws `UnknownPosition`; `LogUnavailable`.
 */
export const busPage =
  ({ log, index, prefix, indexWaitMs = READ_YOUR_WRITES_WAIT_MS }: BusPageParts) =>
  async (selection: BusSelection, after: Position | null, limit: number): Promise<BusPage> => {
    const head = { selection, after, waitMs: indexWaitMs };
    const covered = await coversHead(log, index, head);
    const items: BusItem[] = [];
    let next = after;
    let bytes = 0;
    for (let looked = 0; looked < BUS_PAGE_EVENTS_MAX;) {
      const count = Math.min(limit - items.length, BUS_READ_AT_ONCE_EVENTS);
      // One more than needed shows whether there are more.
      const { events } = await index.after(selection, next, count + 1);
      const hasMore = events.length > count;
      const some = events.slice(0, count);
      looked += some.length;
      for (const stored of await eventsAt(log, some)) {
        const message = readable(stored);
        if (!message) continue;
        const { subject, data, at } = message;
        items.push({ position: stored.position, subject: subjectText(prefix, subject), data, at });
        bytes += JSON.stringify(data).length;
        if (bytes < BUS_PAGE_BYTES_MAX) continue;
        const isLast = !hasMore && stored.position === some.at(-1)!.position;
        return { items, next: stored.position, caughtUp: covered && isLast };
      }
      next = some.at(-1)?.position ?? next;
      if (!hasMore) return { items, next, caughtUp: covered };
      if (items.length === limit) break;
    }
    return { items, next, caughtUp: false };
  };

/** A message of a later release, or a malformed one, is omitted here; its consumers list it. */
const readable = (stored: StoredEvent): Message | null => {
  const recorded = decodeReadable(busCodec, stored);
  return recorded && messageOf(recorded);
};
