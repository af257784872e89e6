import { LOG_PAGED_BUSY_EVENTS, LOG_PAGED_EVERY_MS, LOG_PAGED_QUIET_MS } from '../../limits.ts';
import { pause } from '../../concurrency/backoff.ts';
import { READ_PAGE_EVENTS } from '../event-store.ts';
import type { EventStoreDbReader } from './reader.ts';
import type { SubscriptionBuffer } from './subscription-buffer.ts';

/**
 * Follows the log by reading it, from where `buffer` is until it grows slowly. A server before 24.2
 * keeps some thirty events for a subscriber and drops who is later than that; where the log grows
 * by hundreds a second that happens every second, and the server takes longer to serve a new
 * subscription from the disk than a page takes to read.
 *
 * @param categories Absent: all.
 * @throws What the reading throws; what was put into `buffer` stays good.
 */
export const pageWhileBusy = async (
  reader: Pick<EventStoreDbReader, 'all'>,
  buffer: SubscriptionBuffer,
  categories: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<void> => {
  const range = { limit: READ_PAGE_EVENTS, ...(categories ? { categories } : {}) };
  let quietAt = performance.now() + LOG_PAGED_QUIET_MS;
  while (!signal.aborted) {
    const { events, next, end } = await reader.all(buffer.position, range);
    for (const event of events) buffer.put({ event });
    buffer.put({ upTo: next, live: end });
    await buffer.room(signal);
    if (!end) continue;
    const now = performance.now();
    if (events.length > LOG_PAGED_BUSY_EVENTS) quietAt = now + LOG_PAGED_QUIET_MS;
    else if (now >= quietAt) return;
    await pause(LOG_PAGED_EVERY_MS, signal);
  }
};
