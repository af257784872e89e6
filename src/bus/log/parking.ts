import { v5 as uuidFrom } from 'uuid';
import { parkedCodec } from '../../domain/bus/codecs.ts';
import type { Clock } from '../../engine/time/clock.ts';
import type { EventStore } from '../../engine/log/event-store.ts';
import { streamOf } from '../../engine/log/streams.ts';
import type { Logger } from '../../engine/observe/logging.ts';
import type { ParkMessage } from '../bus.ts';
import { parkedReasonOf } from '../parked-reason.ts';

/** Streams of parked messages, one per consumer; kept for ever. */
export const PARKED_CATEGORY = 'busParked';

export interface ParkingParts {
  readonly log: Pick<EventStore, 'append'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export const messageParking =
  ({ log, clock, logger }: ParkingParts): ParkMessage =>
  async ({ id: messageId, subject, eventId, data, at, by }, { consumer, error, fullTicketId }) => {
    logger.error({ err: error, consumer, message: messageId }, 'a message was parked');
    const fact = {
      type: 'MessageParked',
      consumer,
      messageId,
      buildingId: subject.buildingId,
      subjectType: subject.type,
      eventId,
      data,
      publishedAt: at,
      error: parkedReasonOf(error),
      ...(fullTicketId === undefined ? {} : { fullTicketId }),
    } as const;
    const parkedId = uuidFrom(
      fullTicketId === undefined ? consumer : JSON.stringify([consumer, fullTicketId]),
      messageId,
    );
    const record = { commandId: messageId, at: clock.now(), by, origin: 'system' } as const;
    await log.append(streamOf(PARKED_CATEGORY, consumer), 'any', [
      parkedCodec.encode(parkedId, fact, record),
    ]);
  };
