/** What is sent. interface.md «Webhook delivery». */
import type { Instant } from '../../../engine/aggregates/decider.ts';

/** The body: the same text for the same event, whoever asks and however often. */
export const webhookBody = (message: {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly timestamp: Instant;
}): string => {
  const { event, data, timestamp } = message;
  return JSON.stringify({ event, data, timestamp });
};

/** What a body says of its event. */
export const eventIn = (body: string): { readonly event: string; readonly timestamp: Instant } => {
  const { event, timestamp } = JSON.parse(body) as { event: string; timestamp: Instant };
  return { event, timestamp };
};

/** `<id>:<event name>:<epoch milliseconds>`: names the event in every delivery of it. */
export const idempotencyKey = (message: {
  readonly messageId: string;
  readonly event: string;
  readonly timestamp: Instant;
}): string => `${message.messageId}:${message.event}:${Date.parse(message.timestamp)}`;
