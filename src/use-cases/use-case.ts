import type { Occasion } from '../engine/aggregates/decider.ts';
import type { GivenCommand } from '../engine/aggregates/aggregate.ts';

/** The identity of a command: the same id is the same command. */
export type CommandName = Pick<GivenCommand<never>, 'commandId' | 'bodyHash' | 'fresh'>;

/**
 * An operation shared by HTTP, operator commands, the demo, imports or processes. It draws ids,
 * looks up and waits; the domain decides.
 */
export type UseCase<Input, Result> = (
  input: Input,
  occasion: Occasion,
  name: CommandName,
) => Promise<Result>;
