/** Handlers of the effects that several processes have. */
import { Refused, type Aggregate } from '../aggregates/aggregate.ts';
import type { Refusal } from '../aggregates/decider.ts';
import type { EventStore } from '../log/event-store.ts';
import { done, ignore, type Outcome } from './outcome.ts';
import type { EffectHandler } from './process.ts';

/** A command to one aggregate of a category. */
export interface CommandEffect<Command> {
  readonly id: string;
  readonly command: Command;
  /** The organisation of the recorded facts. Default: that of the causing fact. */
  readonly organisation?: string;
}

/**
 * Gives commands. A refusal is an outcome, and is not retried.
 *
 * @param refused Its outcome. Default: it is ignored.
 */
export const commandsTo =
  <Command, Effect extends CommandEffect<Command> = CommandEffect<Command>>(
    aggregate: Pick<Aggregate<Command, unknown>, 'give'>,
    refused: (refusal: Refusal, effect: Effect) => Outcome | Promise<Outcome> = ignoreRefusal,
  ): EffectHandler<Effect> =>
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
      return refused(error.refusal, effect);
    }
  };

export const ignoreRefusal = ({ refused, detail }: Refusal): Outcome =>
  ignore(`${refused}: ${detail}`);

/** A closed journal past its retention. Deleting it is idempotent. */
export interface DeleteStreamEffect {
  readonly kind: 'delete-stream';
  readonly stream: string;
}

export const deleteStreamsOf =
  (log: Pick<EventStore, 'deleteStream'>): EffectHandler<DeleteStreamEffect> =>
  async ({ stream }, { signal }) => {
    await log.deleteStream(stream, { signal });
    return done;
  };
