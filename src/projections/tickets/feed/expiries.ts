/** The expired facts of a ticket, for readers of a part of its stream. decision 0124. */
import { mayHaveExpired } from '../../../domain/tickets/expiry.ts';
import { datedCache } from '../../../engine/concurrency/dated-cache.ts';
import { PERSON_KEY_TRUSTED_MS } from '../../../engine/limits.ts';
import type { EventStore, StoredEvent } from '../../../engine/log/event-store.ts';
import { pagesOf } from '../../../engine/log/history.ts';
import type { Clock } from '../../../engine/time/clock.ts';
import { TICKET_EXPIRIES_CACHED_MAX } from '../limits.ts';
import { instantOf } from './unreadable.ts';

export interface Expiries {
  /**
   * The revision of the ticket's last expiry at or after `event`, at most
   * {@link PERSON_KEY_TRUSTED_MS} old; -1: none. A recent event costs no read.
   *
   * @throws `LogUnavailable`.
   */
  lastAfter(event: StoredEvent): Promise<number>;
}

interface Found {
  readonly from: number;
  readonly last: number;
}

export const expiriesIn = (
  log: Pick<EventStore, 'readStream'>,
  clock: Pick<Clock, 'now'>,
): Expiries => {
  const cached = datedCache<Found>(TICKET_EXPIRIES_CACHED_MAX, PERSON_KEY_TRUSTED_MS);
  return {
    async lastAfter(event) {
      const { stream, revision: from } = event;
      if (!mayHaveExpired(instantOf(event), clock.now())) return -1;
      const found = cached.get(stream)?.value;
      if (found && found.from <= from) return found.last;
      const readAt = performance.now();
      let last = -1;
      for await (const page of pagesOf(log, stream, from))
        for (const stored of page) if (isExpiryEvent(stored)) last = stored.revision;
      cached.set(stream, { from, last }, readAt);
      return last;
    },
  };
};

/** Tested without decoding: the reader of the stream reports an invalid event. */
const isExpiryEvent = ({ type, data }: StoredEvent): boolean =>
  type === 'TicketPersonalDataErased' && (data as { readonly expired?: unknown }).expired === true;
