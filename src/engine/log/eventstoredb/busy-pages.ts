import { LOG_PAGED_BUSY_EVENTS, LOG_PAGED_EVERY_MS, LOG_PAGED_QUIET_MS } from '../../limits.ts';
import { pause } from '../../concurrency/backoff.ts';
import { READ_PAGE_EVENTS } from '../event-store.ts';
import type { EventStoreDbReader } from './reader.ts';
import type { SubscriptionBuffer } from './subscription-buffer.ts';

/**
 * Reads the log page by page, from the position of `buffer` until it grows slowly. A server before
 * 24.2 buffers some thirty events per subscriber and drops a slower one; in a log that grows by
 * hundreds of events a second that happens every second, and the server needs longer to resume a
 * subscription from the disk than to return a page.
 *
 * @param categories Absent: all.
 * @throws Errors of the reads; what was put into `buffer` stays valid.
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
