/**
 * Direct deliveries that succeeded at once, in journals of their own by subscription and day:
 * `delivered-<webhookId>.<yyyymmdd>`. They were never queued, and no read model or process follows
 * them; one event holds those of about the same time.
 */
import { z } from 'zod';
import { instant, text } from '../../../engine/log/event-fields.ts';
import { keptDays } from '../../../engine/retention/terms.ts';
import { DELIVERY_RETENTION_DAYS } from '../limits.ts';

/** Retention of all journals of deliveries. */
export const deliveryTerm = keptDays(DELIVERY_RETENTION_DAYS);

export const deliveredEventSchemas = {
  /** First attempts that succeeded and do not change the subscription's health. */
  DeliveriesSucceeded: z.strictObject({
    type: z.literal('DeliveriesSucceeded'),
    webhookId: z.uuid(),
    deliveries: z
      .array(
        z.strictObject({
          /** Identifies the delivery together with the subscription's id. */
          messageId: z.uuid(),
          /** As it was sent, byte for byte. */
          body: text,
          httpCode: z.int(),
          responseBody: z.string(),
          startedAt: instant,
          durationMs: z.int().min(0),
        }),
      )
      .min(1),
  }),
};

export type DeliveriesSucceeded = Readonly<
  z.infer<(typeof deliveredEventSchemas)['DeliveriesSucceeded']>
>;
export type SucceededDelivery = DeliveriesSucceeded['deliveries'][number];

/** The journal of a subscription for the day of `at` (UTC). */
export const deliveredJournal = (webhookId: string, at: string): string =>
  `delivered-${webhookId}.${at.slice(0, 10).replaceAll('-', '')}`;
