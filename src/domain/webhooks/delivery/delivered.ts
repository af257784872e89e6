/**
 * What is on disk of deliveries that went well at once, in journals by subscription and day of
 * their own: `delivered-<webhookId>.<yyyymmdd>`. They were never queued, nobody counts them and no
 * read model follows them; a fact holds as many as were made at about the same time.
 */
import { z } from 'zod';
import { instant, text } from '../../../engine/aggregates/event-fields.ts';

export const deliveredEventSchemas = {
  /** First attempts that succeeded, and change nothing about the subscription's health. */
  DeliveriesSucceeded: z.strictObject({
    type: z.literal('DeliveriesSucceeded'),
    webhookId: z.uuid(),
    deliveries: z
      .array(
        z.strictObject({
          /** Of the event: with the subscription's it names the delivery. */
          messageId: z.uuid(),
          /** What was sent, byte for byte. */
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
