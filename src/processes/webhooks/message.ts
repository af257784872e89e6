import { v5 as uuidFrom } from 'uuid';
import type { TelemetryEvent } from '../../domain/telemetry/events.ts';
import { messagesOf, type BuildingMessage } from '../../domain/buildings/messages.ts';
import { webhookBody } from '../../domain/webhooks/delivery/message.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';

/** A message of an event, the same for every subscriber. */
export interface WebhookMessage {
  /** UUID, the same whenever the event is handled again. */
  readonly messageId: string;
  readonly event: string;
  readonly timestamp: Instant;
  /** Sent byte for byte. */
  readonly body: string;
}

export type BuildingWebhookMessage = WebhookMessage & Pick<BuildingMessage, 'type' | 'buildingId'>;

/**
 * The messages of a recorded event. Id and body are computed on first use: an ingest has thousands
 * of messages, which are delivered in slices.
 */
export const webhookMessagesOf = (
  event: TelemetryEvent,
  eventId: string,
): readonly BuildingWebhookMessage[] =>
  messagesOf(event).map((message) => new LazyMessage(message, eventId));

class LazyMessage implements BuildingWebhookMessage {
  readonly #message: BuildingMessage;
  readonly #eventId: string;
  #messageId: string | undefined;
  #body: string | undefined;

  constructor(message: BuildingMessage, eventId: string) {
    this.#message = message;
    this.#eventId = eventId;
  }

  get type(): BuildingMessage['type'] {
    return this.#message.type;
  }

  get event(): string {
    return this.#message.type;
  }

  get buildingId(): string {
    return this.#message.buildingId;
  }

  get timestamp(): Instant {
    return this.#message.at;
  }

  get messageId(): string {
    this.#messageId ??= uuidFrom(this.#message.key, this.#eventId);
    return this.#messageId;
  }

  get body(): string {
    const { event, timestamp } = this;
    this.#body ??= webhookBody({ event, data: this.#message.data, timestamp });
    return this.#body;
  }
}
