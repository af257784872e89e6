/**
 * Skipping the unreadable event of one stream wherever it is parked: in read models, in processes
 * and in the change feed. contract.md section 10.
 */
import { projectionVersionOf, type ConsumerId } from '../../engine/consumers/consumer.ts';
import type { ConsumerRequest } from '../../engine/consumers/requests.ts';
import type { ParkedRow } from '../../engine/consumers/checkpoints.ts';
import type { Consumers } from '../../engine/consumers/runtime.ts';
import type { Actor } from '../../engine/aggregates/decider.ts';
import type { Position } from '../../engine/log/event-store.ts';
import { categoryOf, keyOf } from '../../engine/log/streams.ts';
import type { FeedControl } from '../tickets/feed-control.ts';

export interface StreamSkip {
  /** The consumers that have parked the stream until an operator acts, and before which event. */
  parked(stream: string): Promise<readonly ParkedIn[]>;
  /**
   * Requests a skip of that event wherever the stream is parked. The owners carry it out; the feed
   * is done at once. Idempotent: a skip that is under way is not requested again.
   */
  skip(stream: string, by: Actor): Promise<readonly RequestedSkip[]>;
  /** The state of a request; `null`: it is no longer kept. */
  request(id: string): Promise<ConsumerRequest | null>;
}

export interface ParkedIn {
  readonly kind: 'projection' | 'process' | 'feed';
  readonly name: string;
  readonly eventId: string;
  readonly revision: number;
  readonly position: Position;
  readonly error: string;
  /** Later events of the stream that were left out with it. */
  readonly skipped: number;
}

export interface RequestedSkip extends Pick<ParkedIn, 'kind' | 'name'> {
  /** `null` of the feed. */
  readonly requestId: string | null;
  readonly state: ConsumerRequest['state'];
}

export interface StreamSkipParts {
  readonly consumers: Pick<Consumers, 'ask' | 'checkpoints' | 'requests'>;
  /** Projections and processes. */
  readonly ids: readonly ConsumerId[];
  readonly feed: Pick<FeedControl, 'unreadable' | 'skip'>;
}

export const streamSkip = ({ consumers, ids, feed }: StreamSkipParts): StreamSkip => {
  /** Without the lanes that are retried automatically: their event is not unreadable. */
  const lanesOf = async (stream: string): Promise<readonly ParkedRow[]> =>
    (await consumers.checkpoints.parked(ids)).filter(
      (parked) => parked.stream === stream && parked.retryAt === null,
    );

  /** The ticket's event that blocks the change feed. */
  const unreadable = async (stream: string): Promise<ParkedIn | null> => {
    if (categoryOf(stream) !== 'ticket') return null;
    const found = await feed.unreadable(keyOf(stream));
    if (found === null) return null;
    const { eventId, revision, position, error } = found;
    return { kind: 'feed', name: 'changes', eventId, revision, position, error, skipped: 0 };
  };

  return {
    async parked(stream) {
      const [lanes, changes] = await Promise.all([lanesOf(stream), unreadable(stream)]);
      return [...lanes.map(parkedIn), ...(changes ? [changes] : [])];
    },

    async skip(stream, by) {
      // Requests are listed first: one that ends in between has unparked its lane by then.
      const requests = await consumers.requests.list(ids);
      const lanes = await lanesOf(stream);
      const requested: RequestedSkip[] = [];
      for (const { consumer, lane } of lanes) {
        const underWay = requests.find(
          (request) =>
            request.consumer === consumer &&
            request.kind === 'skip' &&
            request.lane === lane &&
            request.endedAt === null,
        );
        const { id, state } =
          underWay ?? (await consumers.ask({ consumer, kind: 'skip', lane, by: by.id }));
        requested.push({ ...nameOf(consumer), requestId: id, state });
      }
      if (await unreadable(stream)) {
        await feed.skip(keyOf(stream), by);
        requested.push({ kind: 'feed', name: 'changes', requestId: null, state: 'done' });
      }
      return requested;
    },

    request: (id) => consumers.requests.find(id),
  };
};

const parkedIn = ({ consumer, eventId, revision, position, reason, skipped }: ParkedRow) =>
  ({ ...nameOf(consumer), eventId, revision, position, error: reason, skipped }) satisfies ParkedIn;

const nameOf = (consumer: ConsumerId): Pick<ParkedIn, 'kind' | 'name'> => {
  const projection = projectionVersionOf(consumer);
  return projection
    ? { kind: 'projection', name: projection.name }
    : { kind: 'process', name: consumer.replace(/^process\//, '') };
};
