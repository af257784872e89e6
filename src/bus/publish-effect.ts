import type { Payload } from '../domain/bus/events.ts';
import type { Subject } from '../domain/bus/subject.ts';
import type { Instant } from '../engine/aggregates/decider.ts';
import { done } from '../engine/processes/outcome.ts';
import type { EffectHandler } from '../engine/processes/process.ts';

/** A message for the internal bus: the same one, if it is published again. */
export interface PublishEffect {
  readonly kind: 'publish';
  /** Derived from the cause: the same in a repeat. */
  readonly eventId: string;
  readonly subject: Subject;
  readonly data: Payload;
  /** When it happened: the same in a repeat. */
  readonly at: Instant;
}

/**
 * Hands a message to the internal bus. The same `eventId` again is the same message.
 *
 * @throws Whatever it throws, it may be asked again.
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
