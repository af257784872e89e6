/**
 * What is on disk of deliveries, in journals by subscription and day:
 * `delivery-<webhookId>.<yyyymmdd>`. The ids of these facts follow from what they are about, so
 * that one that is recorded again is dropped by whoever reads the journal.
 */
import { z } from 'zod';
import { instant, text } from '../../../engine/aggregates/event-fields.ts';

const ofDelivery = {
  deliveryId: z.uuid(),
  webhookId: z.uuid(),
};

/** How it came to be: an event as it happened; a probe; what was asked for by hand. */
export const deliveryReasons = ['event', 'probe', 'recovery', 'redelivery', 'test'] as const;

export const deliveryEventSchemas = {
  /** From here on it ends delivered, dead-lettered or cancelled. */
  DeliveryQueued: z.strictObject({
    type: z.literal('DeliveryQueued'),
    ...ofDelivery,
    reason: z.enum(deliveryReasons),
    /** Of the event: the same in every delivery of it. */
    messageId: z.uuid(),
    /** `building.point.updated`. */
    event: text,
    /** When the event happened. */
    timestamp: instant,
    /** What is sent, byte for byte, in every attempt. */
    body: text,
    attemptsMax: z.int().min(1),
    /** Its first attempt is under way already, and over by then. Absent: it is due at once. */
    notBefore: instant.optional(),
  }),
  DeliveryAttempted: z.strictObject({
    type: z.literal('DeliveryAttempted'),
    ...ofDelivery,
    reason: z.enum(deliveryReasons),
    messageId: z.uuid(),
    event: text,
    timestamp: instant,
    attempt: z.int().min(1),
    succeeded: z.boolean(),
    httpCode: z.int().nullable(),
    /** Why it failed, by a name that stays; `null` where it did not. */
    error: text.nullable(),
    /** The beginning of it; `null` where there was none. */
    responseBody: z.string().nullable(),
    durationMs: z.int().min(0),
    startedAt: instant,
    finishedAt: instant,
    /** `null` where there will be none. */
    nextAttemptAt: instant.nullable(),
    deadLettered: z.boolean(),
    /** A success that may change the subscription's health; others need not be looked at. */
    clears: z.boolean(),
    /** Where it was queued. */
    journal: text,
    revision: z.int().min(0),
  }),
  /** Its subscription is gone. */
  DeliveryCancelled: z.strictObject({ type: z.literal('DeliveryCancelled'), ...ofDelivery }),
  /** Events that were not queued because the subscription was paused. They can be recovered. */
  EventsSkipped: z.strictObject({
    type: z.literal('EventsSkipped'),
    webhookId: z.uuid(),
    /** The fact that tells of them. */
    journal: text,
    revision: z.int().min(0),
    /** How many of its messages, and the one that was let through. */
    count: z.int().min(1),
    except: z.uuid().nullable(),
  }),
};

/** Version 1 numbered the attempts of a subscription. */
export const withoutOrdinal = (data: Record<string, unknown>): Record<string, unknown> => {
  const { ordinal: _, ...rest } = data;
  return rest;
};

export type DeliveryEvent = {
  [T in keyof typeof deliveryEventSchemas]: Readonly<z.infer<(typeof deliveryEventSchemas)[T]>>;
}[keyof typeof deliveryEventSchemas];

export type DeliveryQueued = Extract<DeliveryEvent, { type: 'DeliveryQueued' }>;
export type DeliveryAttempted = Extract<DeliveryEvent, { type: 'DeliveryAttempted' }>;
export type EventsSkipped = Extract<DeliveryEvent, { type: 'EventsSkipped' }>;

/** The journal of a subscription for the day of `at` (UTC). */
export const deliveryJournal = (webhookId: string, at: string): string =>
  `delivery-${webhookId}.${at.slice(0, 10).replaceAll('-', '')}`;
