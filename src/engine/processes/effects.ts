/** Handlers of the effects that several processes have. */
import { Refused, type Aggregate } from '../aggregates/aggregate.ts';
import type { EventStore } from '../log/event-store.ts';
import { done, ignore } from './outcome.ts';
import type { EffectHandler } from './process.ts';

/** A command to one aggregate of a category. */
export interface CommandEffect<Command> {
  readonly id: string;
  readonly command: Command;
  /** The organisation of the recorded facts. Default: that of the causing fact. */
  readonly organisation?: string;
}

/** Gives commands. A refusal is an outcome, and is not retried. */
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

/** A closed journal past its retention. Deleting it is idempotent. */
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
