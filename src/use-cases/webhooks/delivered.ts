/** Direct deliveries that succeeded, read from the log. docs/decisions/0033. */
import { v5 as uuidFrom } from 'uuid';
import { DAY_MS } from '../../engine/time/calendar.ts';
import {
  deliveredJournal,
  type SucceededDelivery,
} from '../../domain/webhooks/delivery/delivered.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import { DELIVERY_RETENTION_DAYS } from '../../domain/webhooks/limits.ts';
import { deliveredCodec } from '../../domain/webhooks/codecs.ts';
import type { EventStore, StoredEvent } from '../../engine/log/event-store.ts';

/** The id of the delivery of a message to a subscription. Deliveries on request have other ids. */
export const deliveryIdOf = (webhookId: string, messageId: string): string =>
  uuidFrom(webhookId, messageId);

export interface DeliveredPlace {
  readonly delivery: SucceededDelivery;
  readonly journal: string;
  readonly revision: number;
}

/**
 * The last `limit` of a subscription, newest first.
 *
 * @throws `LogUnavailable`.
 */
export const lastDelivered = async (
  log: Pick<EventStore, 'readStream'>,
  webhookId: string,
  { now, limit }: { readonly now: Instant; readonly limit: number },
): Promise<readonly DeliveredPlace[]> => {
  const since = new Date(Date.parse(now) - DELIVERY_RETENTION_DAYS * DAY_MS).toISOString();
  const found: DeliveredPlace[] = [];
  for await (const stored of backwards(log, webhookId, { since, until: now })) {
    const { stream: journal, revision } = stored;
    const { deliveries } = deliveredCodec.decode(stored).event;
    found.push(...deliveries.toReversed().map((delivery) => ({ delivery, journal, revision })));
    if (found.length >= limit) break;
  }
  return found.slice(0, limit);
};

/**
 * The ids of the messages that were delivered directly to a subscription from `since` on.
 *
 * @throws `LogUnavailable`.
 */
export const deliveredSince = async (
  log: Pick<EventStore, 'readStream'>,
  webhookId: string,
  { since, now }: { readonly since: Instant; readonly now: Instant },
): Promise<ReadonlySet<string>> => {
  const found = new Set<string>();
  for await (const stored of backwards(log, webhookId, { since, until: now })) {
    const { at, event } = deliveredCodec.decode(stored);
    if (at < since) break;
    for (const { messageId } of event.deliveries) found.add(messageId);
  }
  return found;
};

/** Reads its journals backwards, from the day of `until` to that of `since`. */
async function* backwards(
  log: Pick<EventStore, 'readStream'>,
  webhookId: string,
  { since, until }: { readonly since: Instant; readonly until: Instant },
): AsyncGenerator<StoredEvent> {
  const first = Date.parse(`${since.slice(0, 10)}T00:00:00.000Z`);
  for (let day = Date.parse(until); day >= first; day -= DAY_MS) {
    const journal = deliveredJournal(webhookId, new Date(day).toISOString());
    // One event may hold all deliveries, or a single one.
    for (
      let limit = FACTS_FIRST, from: number | undefined;
      ;
      limit = Math.min(2 * limit, FACTS_MAX)
    ) {
      const page = await log.readStream(journal, {
        backwards: true,
        limit,
        ...(from === undefined ? {} : { from }),
      });
      yield* page;
      const last = page.at(-1);
      if (page.length < limit || !last || last.revision === 0) break;
      from = last.revision - 1;
    }
  }
}

const FACTS_FIRST = 4;
const FACTS_MAX = 64;
