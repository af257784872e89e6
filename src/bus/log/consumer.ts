/**
 * A consumer of the bus where the log is the bus: a process that follows the journals of messages,
 * with the owner, the checkpoint and the restart of any other process.
 */
import { v5 as uuidFrom } from 'uuid';
import type { BusEvent, Payload } from '../../domain/bus/events.ts';
import { PROCESS_ATTEMPTS_MAX } from '../../limits.ts';
import { backoff } from '../../ops/backoff.ts';
import type { Clock } from '../../ops/clock.ts';
import type { Logger } from '../../ops/logging.ts';
import { isFailure } from '../../processes/process-executor.ts';
import type { Process } from '../../processes/process.ts';
import { Refused } from '../../store/aggregate.ts';
import type { Codec, Recorded } from '../../store/codec.ts';
import { busCodec, parkedCodec } from '../../store/codecs.ts';
import type { EventStore, StoredEvent } from '../../store/event-store.ts';
import { streamOf } from '../../store/streams.ts';
import { UnusableMessage, type Consumer, type Handler, type Message } from '../bus.ts';
import { BUS_CATEGORY, buildingOf, messageOf } from '../messages.ts';

/** What no codec of this release can read is a message too, for the list of those parked. */
interface Unreadable {
  readonly type: 'MessageUnreadable';
  readonly stored: StoredEvent;
  readonly error: unknown;
}

export interface LogConsumerParts {
  readonly log: EventStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

export const consumerProcess = (
  { name, types, signal }: Consumer,
  handler: Handler,
  { log, clock, logger }: LogConsumerParts,
): Process<BusEvent | Unreadable> => {
  const park = async (message: Message, error: unknown) => {
    const { id, subject, eventId, data, at } = message;
    logger.error({ err: error, consumer: name, message: id }, 'a message was parked');
    const fact = {
      type: 'MessageParked',
      consumer: name,
      messageId: id,
      buildingId: subject.buildingId,
      subjectType: subject.type,
      eventId,
      data,
      publishedAt: at,
      error: (error instanceof Error ? error.message : String(error)) || 'no reason was given',
    } as const;
    const record = { commandId: id, at: clock.now(), by: message.by, origin: 'system' } as const;
    await log.append(streamOf(PARKED_CATEGORY, name), 'any', [
      parkedCodec.encode(uuidFrom(name, id), fact, record),
    ]);
  };

  /** @throws What may be better the next time: a failure of the log or the database. */
  const deliver = async (message: Message): Promise<void> => {
    const delays = backoff();
    for (let attempt = 1; ; attempt += 1) {
      try {
        await handler(message);
        return;
      } catch (error) {
        if (isFailure(error)) throw error;
        const isFinal = error instanceof UnusableMessage || error instanceof Refused;
        if (isFinal || attempt >= PROCESS_ATTEMPTS_MAX) {
          await park(message, error);
          return;
        }
        logger.warn({ err: error, consumer: name }, 'a message failed; trying again');
        await delays.pause(signal);
        signal.throwIfAborted();
      }
    }
  };

  return {
    name,
    categories: [BUS_CATEGORY],
    codec: lenient,
    // A building's journals of two days meet at midnight.
    laneOf: buildingOf,
    gather: async (recorded) => {
      const { event } = recorded;
      if (event.type === 'MessageUnreadable') await park(remainsOf(event), event.error);
      else if (types.includes(event.subjectType)) {
        await deliver(messageOf(recorded as Recorded<BusEvent>));
      }
    },
    on: { MessagePublished: () => [], MessageUnreadable: () => [] },
  };
};

/** Streams of what consumers have parked, one a consumer; they are kept. */
export const PARKED_CATEGORY = 'busParked';

const lenient: Codec<BusEvent | Unreadable> = {
  encode: () => {
    throw new TypeError('a consumer publishes nothing');
  },
  decode: (stored) => {
    try {
      return busCodec.decode(stored);
    } catch (error) {
      const { id, stream, revision, position, recordedAt } = stored;
      return {
        id,
        stream,
        revision,
        position,
        recordedAt,
        at: recordedAt,
        commandId: id,
        by: NOBODY,
        origin: 'system',
        event: { type: 'MessageUnreadable', stored, error },
      };
    }
  },
};

const NOBODY = { kind: 'system', id: 'bus' } as const;

const remainsOf = ({ stored }: Unreadable): Message => ({
  id: stored.id,
  subject: { buildingId: buildingOf(stored.stream), type: stored.type },
  eventId: stored.id,
  data: isPayload(stored.data) ? stored.data : { data: stored.data },
  at: stored.recordedAt,
  by: NOBODY,
});

const isPayload = (data: unknown): data is Payload =>
  typeof data === 'object' && data !== null && !Array.isArray(data);
