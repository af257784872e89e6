/** What is sent. interface.md «Webhook delivery». */
import type { Instant } from '../decider.ts';

/** The body: the same text for the same event, whoever asks and however often. */
export const webhookBody = (message: {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly timestamp: Instant;
}): string => {
  const { event, data, timestamp } = message;
  return JSON.stringify({ event, data, timestamp });
};

/** `<id>:<event name>:<epoch milliseconds>`: names the event in every delivery of it. */
export const idempotencyKey = (message: {
  readonly messageId: string;
  readonly event: string;
  readonly timestamp: Instant;
}): string => `${message.messageId}:${message.event}:${Date.parse(message.timestamp)}`;
