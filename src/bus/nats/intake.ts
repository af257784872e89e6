/**
 * Stores messages of other publishers in the log, where consumers of the bus follow them. A message
 * is acknowledged once it is in its building's journal, or parked. contract.md section 9.
 */
import { processId } from '../../engine/consumers/consumer.ts';
import type { Lease } from '../../engine/consumers/leases.ts';
import { runWithRetry } from '../../engine/consumers/run-with-retry.ts';
import type { ConsumerRunner, Consumers } from '../../engine/consumers/runtime.ts';
import { abandonRequests, requestTurn } from '../../engine/consumers/request-turn.ts';
import type { BusMetrics } from '../metrics.ts';
import { keyedMutex } from '../../engine/concurrency/keyed-mutex.ts';
import { FAILURE_LINE_EVERY_MS } from '../../engine/limits.ts';
import { boundedLines } from '../../engine/observe/bounded-lines.ts';
import { within } from '../../engine/observe/tracing.ts';
import { CheckpointMoved } from '../../engine/consumers/checkpoints.ts';
import { isFailure } from '../../engine/processes/reaction.ts';
import type { Bus } from '../bus.ts';
import { parkedReasonOf } from '../parked-reason.ts';
import { messageIn } from './messages.ts';
import type { Incoming, Nats } from './nats.ts';
import { intakeSpan } from './spans.ts';
import { parking, type Parking, type Rejected } from './parking.ts';

/** The process's name for operators: never changes. */
export const BUS_INTAKE = 'bus-intake';

export interface BusIntakeParts {
  readonly nats: Pick<Nats, 'layout' | 'whenReady' | 'inbound' | 'message'>;
  /** The log as bus. */
  readonly journals: Pick<Bus, 'publish'>;
  readonly consumers: Consumers;
  /** Prefix of every subject. */
  readonly prefix: string;
  /** The accepted types; a message of another type is parked. */
  readonly types: readonly string[];
  readonly metrics: Pick<BusMetrics, 'received'>;
}

export const busIntake = (parts: BusIntakeParts): ConsumerRunner => {
  const { nats, journals, consumers, prefix, types, metrics } = parts;
  const { log, pool, checkpoints, clock, logger, tracing, requests } = consumers;
  const consumer = processId(BUS_INTAKE);
  const stream = nats.layout.inbound.name;
  /** While this process runs it. */
  let running: { readonly parked: Parking; readonly leased: AbortSignal } | null = null;
  const parkedOne = boundedLines(FAILURE_LINE_EVERY_MS);
  const requesting = { consumer, requests, clock, logger };
  const takeTurn = requestTurn(requesting);

  /** @returns `null`: it is stored. @throws An error that may not recur. */
  const record = async (incoming: Incoming): Promise<Rejected | null> => {
    const message = messageIn(incoming, { prefix, stream, types });
    if ('rejection' in message) return { message, reason: message.rejection };
    const { subject, data, ...circumstances } = message;
    try {
      const publish = () => journals.publish(subject, data, circumstances);
      await within(intakeSpan(incoming, tracing), publish);
      return null;
    } catch (error) {
      if (isFailure(error)) throw error;
      logger.error({ err: error, subject: incoming.subject }, 'a message cannot be recorded');
      return { message, reason: parkedReasonOf(error) };
    }
  };

  const take = async (incoming: Incoming, into: Parking): Promise<void> => {
    const rejected = await record(incoming);
    if (rejected !== null) {
      const { subject } = incoming;
      parkedOne((unlogged) =>
        logger.error(
          { consumer: BUS_INTAKE, err: rejected.reason, subject, unlogged },
          'a message was parked',
        ),
      );
      await into.park(incoming, rejected);
    }
    metrics.received(rejected === null ? 'recorded' : 'parked');
  };

  /**
   * Stores messages until it fails, loses one or is stopped; then all state in memory is dropped.
   * The next turn begins with the unacknowledged messages.
   */
  const takeAll = async (into: Parking, signal: AbortSignal, worked: () => void) => {
    const buildings = keyedMutex();
    const over = new AbortController();
    const during = AbortSignal.any([signal, over.signal]);
    let failure: { readonly error: unknown } | null = null;
    const underWay = new Set<number>();

    const begin = (incoming: Incoming, then: () => void) => {
      underWay.add(incoming.sequence);
      void buildings.run(buildingIn(incoming, prefix), async () => {
        try {
          // After a failure no message of the stream may overtake the failed one.
          if (during.aborted) return;
          await take(incoming, into);
          then();
          worked();
        } catch (error) {
          failure ??= { error };
          over.abort();
        } finally {
          underWay.delete(incoming.sequence);
        }
      });
    };

    const inbound = await nats.inbound();
    try {
      for await (const incoming of inbound.unacknowledged()) {
        if (during.aborted) break;
        begin(incoming, () => {});
      }
      await buildings.idle();
      if (!during.aborted) await checkpoints.clear(consumer);
      let highest = inbound.deliveredTo;
      for await (const message of inbound.deliveries(during)) {
        const { sequence } = message;
        if (sequence > highest) {
          highest = sequence;
          begin(message, () => message.acknowledge());
        } else if (!underWay.has(sequence)) {
          // A redelivery of a message that was stored in this turn.
          message.acknowledge();
        }
      }
    } finally {
      await buildings.idle();
    }
    throwIfAny(failure);
  };

  const turn = async ({ epoch, signal }: Lease, worked: () => void): Promise<boolean> => {
    await nats.whenReady(signal);
    if (signal.aborted) return true;
    const claimed = await checkpoints.claim(consumer, epoch, clock.now());
    if (!claimed) return false;
    const fence = { epoch, claim: claimed.claim };
    const into = await parking({ consumer, name: BUS_INTAKE, stream, log, pool, fence, clock });
    running = { parked: into, leased: signal };
    try {
      await takeAll(into, signal, worked);
    } catch (error) {
      if (error instanceof CheckpointMoved) return false;
      throw error;
    } finally {
      running = null;
    }
    return true;
  };

  return {
    consumer,

    async run(lease) {
      await abandonRequests(requesting, lease.signal);
      await runWithRetry({ consumer, checkpoints, logger, turn, ended: () => {} }, lease);
    },

    offer(request) {
      if (!running) return;
      const { parked, leased } = running;
      const find: Nats['message'] = async (...asked) => {
        leased.throwIfAborted();
        return nats.message(...asked);
      };
      takeTurn(request, () => parked.carryOut(request, find, record), leased);
    },
  };
};

const throwIfAny = (failure: { readonly error: unknown } | null): void => {
  if (failure !== null) throw failure.error;
};

/**
 * The subject's token for the building, valid or not: it is equal for two messages of one building.
 */
const buildingIn = ({ subject }: Incoming, prefix: string): string =>
  subject.slice(`${prefix}.building.`.length).split('.', 1)[0]!.toLowerCase();
