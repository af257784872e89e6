/**
 * The bus as the log keeps it: what was published, in journals by building and day
 * (`bus-<buildingId>.<yyyymmdd>`), and what a consumer could not use (`busParked-<consumer>`).
 */
import { z } from 'zod';
import { instant, text } from '../../engine/aggregates/event-fields.ts';

/** What a publisher says. Its members are the publisher's; they are handed on as they are. */
export type Payload = Readonly<Record<string, unknown>>;

const payload = z.custom<Payload>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be a JSON object',
);

const message = {
  buildingId: z.uuid(),
  /** `cafm.work-order.created`. The prefix is the deployment's and is not kept. */
  subjectType: text,
  /** The publisher's name for it: the same one again is the same message. */
  eventId: text,
  data: payload,
};

export const busEventSchemas = {
  MessagePublished: z.strictObject({ type: z.literal('MessagePublished'), ...message }),
};

export type BusEvent = z.infer<typeof busEventSchemas.MessagePublished>;

export const parkedEventSchemas = {
  /** The consumer went on without it. */
  MessageParked: z.strictObject({
    type: z.literal('MessageParked'),
    consumer: text,
    messageId: z.uuid(),
    ...message,
    publishedAt: instant,
    error: text,
  }),
  /** An operator had it tried again, and it was taken; or has it left out for good. */
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
