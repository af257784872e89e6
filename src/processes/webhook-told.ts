import { v5 as uuidFrom } from 'uuid';
import type { TelemetryEvent } from '../domain/building/events.ts';
import { messagesOf, type BuildingMessage } from '../domain/building/messages.ts';
import { webhookBody } from '../domain/delivery/message.ts';
import type { Told } from './webhook-queue.ts';

/** The messages of a fact, each with the id that it has in every reading. */
export const toldBy = (fact: TelemetryEvent, factId: string): readonly (BuildingMessage & Told)[] =>
  messagesOf(fact).map((message) => ({
    ...message,
    messageId: uuidFrom(message.key, factId),
    event: message.type,
    timestamp: message.at,
    body: webhookBody({ event: message.type, data: message.data, timestamp: message.at }),
  }));
