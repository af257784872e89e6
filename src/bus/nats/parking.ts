/**
 * Refused messages: stored in the log for the list of parked messages, and as one row each for
 * operators, who retry or skip them. Messages of a type that is not accepted share the row of the
 * first of their subject, which counts them, because their number has no bound.
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
import type { Incoming, Nats } from './nats.ts';

export interface Parking {
  /**
   * Records a refused message, unless it was skipped before. Idempotent, but for a count.
   *
   * @throws `CheckpointMoved` if a later owner has taken over; `LogUnavailable`.
   */
  park(incoming: Incoming, rejected: Rejected): Promise<void>;
  /**
   * Executes an operator's `retry` or `skip` of a parked message, or of all messages of its row.
   *
   * @param find Reads a message from NATS.
   * @param record Stores it; `null`: it is stored.
   */
  carryOut(
    request: ConsumerRequest,
    find: Nats['message'],
    record: (incoming: Incoming) => Promise<Rejected | null>,
  ): Promise<Outcome>;
}

export interface Rejected {
  readonly message: ReadMessage | InvalidMessage;
  readonly reason: string;
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

interface Shared {
  readonly lane: string;
  /** Of the first message. */
  readonly messageId: string;
  /** The count of the others; one that is redelivered after a failure may count twice. */
  later: number;
}

export const parking = async (parts: ParkingParts): Promise<Parking> => {
  const { consumer, name, stream, log, pool, fence, clock } = parts;
  const all = checkpoints(pool);
  const rows = partitionRows(pool, consumer, fence, clock);
  const skipped = new Set(await all.skipped(consumer));
  const journal = streamOf(PARKED_CATEGORY, name);
  /** Rows of all messages of a subject. */
  const bySubject = new Map<string, Shared>();
  // Single messages are left unread: there may be very many.
  for (const { lane, eventId: messageId, skipped: later } of await all.parkedLike(
    consumer,
    SHARED_LANES,
  ))
    bySubject.set(partsOf(lane).subject!, { lane, messageId, later });

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
    const { subject } = partsOf(lane);
    if (subject !== undefined) bySubject.delete(subject);
  };

  const parkOne = async (incoming: Incoming, { message, reason }: Rejected) => {
    const messageId = placeIdOf(incoming, stream);
    const { subject, eventId, data } = message;
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
    const lane = laneOf(stream, incoming, isOfOtherType(message));
    await rows.park({
      partition: lane,
      event: { stream: journal, eventId: messageId, revision, position },
      reason,
      retryAt: null,
      skipped: 0,
    });
    return { lane, messageId };
  };

  const park: Parking['park'] = async (incoming, rejected) => {
    if (skipped.has(placeIdOf(incoming, stream))) return;
    const { subject } = incoming;
    const shared = isOfOtherType(rejected.message) ? bySubject.get(subject) : undefined;
    if (!shared) {
      const { lane, messageId } = await parkOne(incoming, rejected);
      if (isOfOtherType(rejected.message)) bySubject.set(subject, { lane, messageId, later: 0 });
    } else if (shared.messageId !== placeIdOf(incoming, stream)) {
      shared.later += 1;
      await rows.count(new Map([[shared.lane, shared.later]]));
    }
  };

  /**
   * Stores all messages of a subject from `first` on, and parks those that are refused singly.
   *
   * @returns Why its type is still not accepted; then none is stored. Else why `first` was refused.
   */
  const recordFrom = async (
    first: Incoming,
    find: Nats['message'],
    record: (incoming: Incoming) => Promise<Rejected | null>,
  ): Promise<Rejected | null> => {
    let refusedFirst: Rejected | null = null;
    let incoming: Incoming | null = first;
    while (incoming !== null) {
      const rejected = skipped.has(placeIdOf(incoming, stream)) ? null : await record(incoming);
      if (rejected && isOfOtherType(rejected.message)) return rejected;
      if (rejected) await park(incoming, rejected);
      if (incoming === first) refusedFirst = rejected;
      incoming = await find(incoming.sequence + 1, first.subject);
    }
    return refusedFirst;
  };

  return {
    park,

    async carryOut({ kind, lane }, find, record) {
      if (lane === null || (kind !== 'retry' && kind !== 'skip'))
        return refused('it has messages to retry and to skip, nothing else');
      const row = await all.parkedIn(consumer, lane);
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
      const { sequence, subject } = partsOf(lane);
      const first = await find(sequence, subject);
      const isKept = first !== null && placeIdOf(first, stream) === messageId;
      if (first === null || (subject === undefined && !isKept))
        return refused('NATS does not keep the message any more: have it published again');
      const rejected = await (subject === undefined
        ? record(first)
        : recordFrom(first, find, record));
      if (rejected === null) {
        await settle(lane, messageId, 'taken');
        return done(null);
      }
      const { reason } = rejected;
      if (subject !== undefined && !isOfOtherType(rejected.message)) {
        // It is parked in a row of its own, and keeps its entry in the list if that row was its.
        if (isKept) await rows.forget(lane);
        else await settle(lane, messageId, 'taken');
        bySubject.delete(subject);
        return done({ revision, error: reason });
      }
      const { stream: parkedIn, position, skipped: later } = row;
      const event = { stream: parkedIn, eventId: messageId, revision, position };
      await rows.park({ partition: lane, event, reason, retryAt: null, skipped: later });
      return done({ revision, error: reason });
    },
  };
};

/**
 * The name for operators: the NATS stream and sequence number, as in NATS's own tools, and the
 * subject of a row of all its messages.
 */
const laneOf = (
  stream: string,
  { sequence, subject }: Incoming,
  isOfWholeSubject: boolean,
): string => `${stream}/${sequence}${isOfWholeSubject ? `/${subject}` : ''}`;

/** Rows of all messages of a subject, as a pattern of `like`. */
const SHARED_LANES = '%/%/%';

/** @returns `subject` if the row is of all its messages from `sequence` on. */
const partsOf = (lane: string): { readonly sequence: number; readonly subject?: string } => {
  const [, sequence, ...subject] = lane.split('/');
  return {
    sequence: Number(sequence),
    ...(subject.length === 0 ? {} : { subject: subject.join('/') }),
  };
};

const isOfOtherType = (message: ReadMessage | InvalidMessage): boolean =>
  'rejection' in message && message.isOfOtherType;

const parkedIdOf = (name: string, messageId: string): string => uuidFrom(name, messageId);

const refused = (error: string): Outcome => ({ state: 'refused', error });
