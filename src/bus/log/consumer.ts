/**
 * A consumer of the log as bus: a process that follows the journals of messages, with the lease,
 * the checkpoint and the restart of any other process.
 */
import type { BusEvent, Payload } from '../../domain/bus/events.ts';
import { PROCESS_ATTEMPTS_MAX } from '../../engine/limits.ts';
import { backoff } from '../../engine/concurrency/backoff.ts';
import type { Clock } from '../../engine/time/clock.ts';
import type { Logger } from '../../engine/observe/logging.ts';
import { done } from '../../engine/processes/outcome.ts';
import type { EffectHandler, Process } from '../../engine/processes/process.ts';
import { isFailure } from '../../engine/processes/reaction.ts';
import { Refused } from '../../engine/aggregates/aggregate.ts';
import {
  NewerReleaseNeeded,
  recordedAs,
  type Codec,
  type Recorded,
} from '../../engine/log/codec.ts';
import { busCodec } from '../../domain/bus/codecs.ts';
import type { EventStore, StoredEvent } from '../../engine/log/event-store.ts';
import { UnusableMessage, type Consumer, type Message } from '../bus.ts';
import { BUS_CATEGORY, buildingOf, messageOf } from './messages.ts';
import { messageParking } from './parking.ts';

/** A message that no codec of this release can read is also listed when it is parked. */
interface Unreadable {
  readonly type: 'MessageUnreadable';
  readonly stored: StoredEvent;
  readonly error: unknown;
}

interface Delivery {
  readonly kind: 'deliver';
  readonly message: Message;
}

interface Parking {
  readonly kind: 'park';
  readonly message: Message;
  readonly error: unknown;
}

export interface LogConsumerParts {
  readonly log: EventStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

export const logConsumer = (
  { name, types, handle }: Consumer,
  { log, clock, logger }: LogConsumerParts,
): Process<BusEvent | Unreadable, undefined, Delivery | Parking> => {
  const parkMessage = messageParking({ log, clock, logger });
  const park = async (message: Message, error: unknown) => {
    await parkMessage(message, { consumer: name, error });
    return done;
  };

  const deliver: EffectHandler<Delivery> = async ({ message }, { signal }) => {
    const delays = backoff();
    for (let attempt = 1; ; attempt += 1) {
      try {
        await handle(message);
        return done;
      } catch (error) {
        if (isFailure(error)) throw error;
        const isFinal = error instanceof UnusableMessage || error instanceof Refused;
        if (isFinal || attempt >= PROCESS_ATTEMPTS_MAX) return park(message, error);
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
    partitionOf: buildingOf,
    on: {
      MessagePublished: (recorded) =>
        types.includes(recorded.event.subjectType)
          ? [{ kind: 'deliver', message: messageOf(recorded) }]
          : [],
      MessageUnreadable: ({ event }) => [
        { kind: 'park', message: remainsOf(event), error: event.error },
      ],
    },
    effects: { deliver, park: ({ message, error }) => park(message, error) },
  };
};

const lenient: Pick<Codec<BusEvent | Unreadable>, 'decode'> = {
  decode: (stored): Recorded<BusEvent | Unreadable> => {
    try {
      return busCodec.decode(stored);
    } catch (error) {
      // A newer release can read it.
      if (error instanceof NewerReleaseNeeded) throw error;
      return recordedAs(stored, { type: 'MessageUnreadable', stored, error });
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
