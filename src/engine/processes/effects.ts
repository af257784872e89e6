/** Handlers of the effects that several processes have. */
import type { Payload } from '../../domain/bus/events.ts';
import type { Subject } from '../../domain/bus/subject.ts';
import type { Instant } from '../aggregates/decider.ts';
import { Refused, type Aggregate } from '../aggregates/aggregate.ts';
import type { EventStore } from '../log/event-store.ts';
import { done, ignore } from './outcome.ts';
import type { EffectHandler } from './process.ts';

/** A command to one aggregate of a category. */
export interface CommandEffect<Command> {
  readonly id: string;
  readonly command: Command;
  /** That the recorded facts belong to. Default: that of the fact that caused it. */
  readonly organisation?: string;
}

/** Gives commands. A refusal is an outcome: nobody is asked again. */
export const commandsTo =
  <Command>(
    aggregate: Pick<Aggregate<Command, unknown>, 'give'>,
  ): EffectHandler<CommandEffect<Command>> =>
  async (effect, { id: commandId, at, by, origin, ...context }) => {
    const { id, command, organisation = context.organisation } = effect;
    try {
      await aggregate.give(
        id,
        { commandId, command, ...(organisation === undefined ? {} : { organisation }) },
        { at, by, origin },
      );
      return done;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return ignore(`${error.refusal.refused}: ${error.refusal.detail}`);
    }
  };

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

/** A closed journal whose term is over. Doing it again does nothing. */
export interface DeleteStreamEffect {
  readonly kind: 'delete-stream';
  readonly stream: string;
}

export const deleteStreamsOf =
  (log: Pick<EventStore, 'deleteStream'>): EffectHandler<DeleteStreamEffect> =>
  async ({ stream }) => {
    await log.deleteStream(stream);
    return done;
  };
