/** The body of a delivery and its idempotency key. interface.md «Webhook delivery». */
import type { Instant } from '../../../engine/aggregates/decider.ts';

/** The same text for the same event, in every delivery. */
export const webhookBody = (message: {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly timestamp: Instant;
}): string => {
  const { event, data, timestamp } = message;
  return JSON.stringify({ event, data, timestamp });
};

/** The event of a body. */
export const eventIn = (body: string): { readonly event: string; readonly timestamp: Instant } => {
  const { event, timestamp } = JSON.parse(body) as { event: string; timestamp: Instant };
  return { event, timestamp };
};

/** The building of a body; `null`: the event is of none, such as `webhook.test`. */
export const buildingIn = (body: string): string | null => {
  const { data } = JSON.parse(body) as { data?: { buildingId?: unknown } };
  return typeof data?.buildingId === 'string' ? data.buildingId : null;
};

/** `<id>:<event name>:<epoch milliseconds>`: the same in every delivery of the event. */
export const idempotencyKey = (message: {
  readonly messageId: string;
  readonly event: string;
  readonly timestamp: Instant;
}): string => `${message.messageId}:${message.event}:${Date.parse(message.timestamp)}`;
