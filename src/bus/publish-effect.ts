import type { Payload } from '../domain/bus/events.ts';
import type { Subject } from '../domain/bus/subject.ts';
import type { Instant } from '../engine/aggregates/decider.ts';
import { done } from '../engine/processes/outcome.ts';
import type { EffectHandler } from '../engine/processes/process.ts';

/** A message for the internal bus; publishing it again is a repeat of it. */
export interface PublishEffect {
  readonly kind: 'publish';
  /** Derived from the cause: the same in a repeat. */
  readonly eventId: string;
  readonly subject: Subject;
  readonly data: Payload;
  /** The event's time: the same in a repeat. */
  readonly at: Instant;
}

/**
 * Publishes a message on the internal bus. A repeated `eventId` is the same message.
 *
 * @throws Any error means that it may be called again.
 */
export type Publish = (
  subject: Subject,
  data: Payload,
  options: { readonly eventId: string; readonly at: Instant },
) => Promise<unknown>;

export const publishTo =
  (publish: Publish): EffectHandler<PublishEffect> =>
  async ({ eventId, subject, data, at }) => {
    await publish(subject, data, { eventId, at });
    return done;
  };
