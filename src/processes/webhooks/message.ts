import { v5 as uuidFrom } from 'uuid';
import type { TelemetryEvent } from '../../domain/buildings/events.ts';
import { messagesOf, type BuildingMessage } from '../../domain/buildings/messages.ts';
import { webhookBody } from '../../domain/webhooks/delivery/message.ts';
import type { Told } from './queue.ts';

/**
 * The messages of a fact, each with the id that it has in every reading. Id and body are computed
 * when they are first read: an ingest has thousands of messages, which are delivered in slices.
 */
export const toldBy = (fact: TelemetryEvent, factId: string): readonly (BuildingMessage & Told)[] =>
  messagesOf(fact).map((message) => new LazyMessage(message, factId));

class LazyMessage implements BuildingMessage, Told {
  readonly key: string;
  readonly type: BuildingMessage['type'];
  readonly buildingId: string;
  readonly at: string;
  readonly data: BuildingMessage['data'];
  readonly #factId: string;
  #messageId: string | undefined;
  #body: string | undefined;

  constructor({ key, type, buildingId, at, data }: BuildingMessage, factId: string) {
    this.key = key;
    this.type = type;
    this.buildingId = buildingId;
    this.at = at;
    this.data = data;
    this.#factId = factId;
  }

  get event(): string {
    return this.type;
  }

  get timestamp(): string {
    return this.at;
  }

  get messageId(): string {
    this.#messageId ??= uuidFrom(this.key, this.#factId);
    return this.#messageId;
  }

  get body(): string {
    const { event, data, timestamp } = this;
    this.#body ??= webhookBody({ event, data, timestamp });
    return this.#body;
  }
}
