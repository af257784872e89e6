/**
 * Refused messages: stored in the log for the list of parked messages, and as one row each for
 * operators, who retry or skip them.
 */
import type { Pool } from 'pg';
import { v5 as uuidFrom } from 'uuid';
import { checkpoints } from '../../engine/consumers/checkpoints.ts';
import type { ConsumerId } from '../../engine/consumers/consumer.ts';
import type { ConsumerRequest, Outcome } from '../../engine/consumers/requests.ts';
import type { ParkedEvent } from '../../domain/bus/events.ts';
import type { Clock } from '../../engine/time/clock.ts';
import { partitionRows, type Fence } from '../../engine/processes/partition-rows.ts';
import { parkedCodec } from '../../domain/bus/codecs.ts';
import type { EventStore } from '../../engine/log/event-store.ts';
import { streamOf } from '../../engine/log/streams.ts';
import { PARKED_CATEGORY } from '../log/parking.ts';
import { placeIdOf, type InvalidMessage, type ReadMessage } from './messages.ts';
import type { Incoming } from './nats.ts';

export interface Parking {
  /**
   * Records a refused message, unless it was skipped before. Idempotent.
   *
   * @throws `CheckpointMoved` if a later owner has taken over; `LogUnavailable`.
   */
  park(incoming: Incoming, read: ReadMessage | InvalidMessage, reason: string): Promise<void>;
  /**
   * Executes an operator's `retry` or `skip` of a parked message.
   *
   * @param find Reads the message from NATS.
   * @param record Stores it; returns the reason if it is refused.
   */
  carryOut(
    request: ConsumerRequest,
    find: (sequence: number) => Promise<Incoming | null>,
    record: (incoming: Incoming) => Promise<string | null>,
  ): Promise<Outcome>;
}

export interface ParkingParts {
  readonly consumer: ConsumerId;
  readonly name: string;
  /** The NATS stream. */
  readonly stream: string;
  readonly log: EventStore;
  readonly pool: Pool;
  readonly fence: Fence;
  readonly clock: Clock;
}

export const parking = async (parts: ParkingParts): Promise<Parking> => {
  const { consumer, name, stream, log, pool, fence, clock } = parts;
  const all = checkpoints(pool);
  const rows = partitionRows(pool, consumer, fence, clock);
  const skipped = new Set(await all.skipped(consumer));
  const journal = streamOf(PARKED_CATEGORY, name);

  const append = (id: string, commandId: string, fact: ParkedEvent) =>
    log.append(journal, 'any', [
      parkedCodec.encode(id, fact, {
        commandId,
        at: clock.now(),
        by: { kind: 'system', id: `process:${name}` },
        origin: 'system',
      }),
    ]);

  const settle = async (lane: string, messageId: string, outcome: 'taken' | 'skipped') => {
    const parkedId = parkedIdOf(name, messageId);
    await append(uuidFrom(outcome, parkedId), messageId, {
      type: 'ParkedMessageSettled',
      consumer: name,
      parkedId,
      outcome,
    });
    await rows.forget(lane);
  };

  return {
    async park(incoming, { subject, eventId, data }, reason) {
      const messageId = placeIdOf(incoming, stream);
      if (skipped.has(messageId)) return;
      const { revision, position } = await append(parkedIdOf(name, messageId), messageId, {
        type: 'MessageParked',
        consumer: name,
        messageId,
        buildingId: subject.buildingId,
        subjectType: subject.type,
        eventId,
        data,
        publishedAt: incoming.storedAt,
        error: reason,
      });
      await rows.park({
        partition: laneOf(stream, incoming.sequence),
        event: { stream: journal, eventId: messageId, revision, position },
        reason,
        retryAt: null,
        skipped: 0,
      });
    },

    async carryOut({ kind, lane }, find, record) {
      if (lane === null || (kind !== 'retry' && kind !== 'skip'))
        return refused('it has messages to retry and to skip, nothing else');
      const row = (await all.parked([consumer])).find((one) => one.lane === lane);
      if (!row) return refused(`${lane} is not parked`);
      const { eventId: messageId, revision } = row;
      // An interrupted skip is completed by a retry, too: its event may be in the log.
      const skips = kind === 'skip' || skipped.has(messageId);
      const done = (parkedAgain: object | null): Outcome => ({
        state: 'done',
        result: { stream: lane, revision, skipped: skips, parkedAgain },
      });
      if (skips) {
        // Fenced and first, so that a skip by a former owner leaves no trace.
        await rows.skip(row);
        skipped.add(messageId);
        await settle(lane, messageId, 'skipped');
        return done(null);
      }
      const incoming = await find(sequenceIn(lane));
      if (incoming === null || placeIdOf(incoming, stream) !== messageId)
        return refused('NATS does not keep the message any more: have it published again');
      const rejection = await record(incoming);
      if (rejection === null) {
        await settle(lane, messageId, 'taken');
        return done(null);
      }
      const { stream: parkedIn, position, skipped: later } = row;
      const event = { stream: parkedIn, eventId: messageId, revision, position };
      await rows.park({ partition: lane, event, reason: rejection, retryAt: null, skipped: later });
      return done({ revision, error: rejection });
    },
  };
};

/** The name for operators: the NATS stream and sequence number, as in NATS's own tools. */
const laneOf = (stream: string, sequence: number): string => `${stream}/${sequence}`;

const sequenceIn = (lane: string): number => Number(lane.slice(lane.lastIndexOf('/') + 1));

const parkedIdOf = (name: string, messageId: string): string => uuidFrom(name, messageId);

const refused = (error: string): Outcome => ({ state: 'refused', error });
