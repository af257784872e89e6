/**
 * Bus messages in the log: published ones, in journals by building and day
 * (`bus-<buildingId>.<yyyymmdd>`), and those that a consumer could not use
 * (`busParked-<consumer>`).
 */
import { z } from 'zod';
import { instant, text } from '../../engine/log/event-fields.ts';
import { keptDays } from '../../engine/retention/terms.ts';
import { ANNOUNCEMENT_RETENTION_DAYS } from '../../limits.ts';

/** A publisher's data, which is forwarded unchanged. */
export type Payload = Readonly<Record<string, unknown>>;

const payload = z.custom<Payload>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be a JSON object',
);

const message = {
  buildingId: z.uuid(),
  /** `cafm.work-order.created`. The deployment's prefix is not stored. */
  subjectType: text,
  /** The publisher's id: a repeated id is the same message. */
  eventId: text,
  data: payload,
};

export const busEventSchemas = {
  MessagePublished: z.strictObject({ type: z.literal('MessagePublished'), ...message }),
};

/** Retention of the journals of messages. */
export const messageTerm = keptDays(ANNOUNCEMENT_RETENTION_DAYS);

export type BusEvent = z.infer<typeof busEventSchemas.MessagePublished>;

export const parkedEventSchemas = {
  /** The consumer continued without it. */
  MessageParked: z.strictObject({
    type: z.literal('MessageParked'),
    consumer: text,
    messageId: z.uuid(),
    ...message,
    publishedAt: instant,
    error: text,
    /** The full ticket that refused it; the list shows all that it refused as one entry. */
    fullTicketId: z.exactOptional(z.uuid()),
  }),
  /** An operator retried it with success, or skipped it for good. */
  ParkedMessageSettled: z.strictObject({
    type: z.literal('ParkedMessageSettled'),
    consumer: text,
    /** The id of the event that parked it. */
    parkedId: z.uuid(),
    outcome: z.enum(['taken', 'skipped']),
  }),
};

export type ParkedEvent = z.infer<
  (typeof parkedEventSchemas)['MessageParked' | 'ParkedMessageSettled']
>;
