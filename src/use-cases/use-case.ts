import type { Occasion } from '../engine/aggregates/decider.ts';
import type { Given } from '../engine/aggregates/aggregate.ts';

/** How a command is named: given twice under one id, it is one command. */
export type CommandName = Pick<Given<never>, 'commandId' | 'bodyHash' | 'fresh'>;

/**
 * What more than one of HTTP, operator commands, the demo, imports and processes do.
 * It draws ids, looks up and waits; what is allowed, the domain decides.
 */
export type UseCase<Input, Result> = (
  input: Input,
  occasion: Occasion,
  name: CommandName,
) => Promise<Result>;
