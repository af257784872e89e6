/**
 * Events of deliveries, in journals by subscription and day: `delivery-<webhookId>.<yyyymmdd>`.
 * Their ids follow from their content, so that readers drop an event that was recorded twice.
 */
import { z } from 'zod';
import { instant, text } from '../../../engine/log/event-fields.ts';

const ofDelivery = {
  deliveryId: z.uuid(),
  webhookId: z.uuid(),
};

/** Why it was queued: a new event, a probe of a paused subscription, or a request. */
const deliveryReasons = ['event', 'probe', 'recovery', 'redelivery', 'test'] as const;

export const deliveryEventSchemas = {
  /** Ends delivered, dead-lettered or cancelled. */
  DeliveryQueued: z.strictObject({
    type: z.literal('DeliveryQueued'),
    ...ofDelivery,
    reason: z.enum(deliveryReasons),
    /** The same in every delivery of the event. */
    messageId: z.uuid(),
    /** `building.point.updated`. */
    event: text,
    /** When the event happened. */
    timestamp: instant,
    /** Sent byte for byte in every attempt. */
    body: text,
    attemptsMax: z.int().min(1),
    /** Its first attempt is already running and will have ended by then. Absent: due at once. */
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
    /** A stable name; `null` if it succeeded. */
    error: text.nullable(),
    /** The first bytes of the response; `null`: no response. */
    responseBody: z.string().nullable(),
    durationMs: z.int().min(0),
    startedAt: instant,
    finishedAt: instant,
    /** `null`: there is no further attempt. */
    nextAttemptAt: instant.nullable(),
    deadLettered: z.boolean(),
    /** A success that may change the subscription's health; no other success is counted. */
    clears: z.boolean(),
    /** Where it was queued. */
    journal: text,
    revision: z.int().min(0),
  }),
  /** Its subscription was deleted. */
  DeliveryCancelled: z.strictObject({ type: z.literal('DeliveryCancelled'), ...ofDelivery }),
  /** Events that a paused subscription missed. They can be recovered. */
  EventsSkipped: z.strictObject({
    type: z.literal('EventsSkipped'),
    webhookId: z.uuid(),
    /** The event that holds them. */
    journal: text,
    revision: z.int().min(0),
    /** The number of its skipped messages, and the message that was sent as a probe. */
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
