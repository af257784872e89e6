import type { Actor, Origin } from '../log/metadata.ts';
import type { Refusal } from '../refusal.ts';
import type { Instant } from '../time/instant.ts';

export { isRefusal, refuse, type Refusal, type RefusalCode } from '../refusal.ts';
export type { Actor, Instant, Origin };

/**
 * The vocabulary every aggregate is written in.
 *
 * A decider is a value with three parts. `decide` holds the rules and may refuse; `evolve` only
 * updates the state and never refuses, because its event has already happened.
 */
export interface Decider<Command, State, Event> {
  readonly initial: State;
  /** Pure. Returns the facts to record, `[]` if there is nothing left to do, or a refusal. */
  readonly decide: (command: Command, state: State, occasion: Occasion) => Decision<Event>;
  /** Pure and total: every stored event folds, in any state, without throwing. */
  readonly evolve: (event: Event, state: State, at: Instant) => State;
}

export type Decision<Event> = readonly Event[] | Refusal;

/**
 * When, by whom and through which channel a command is given. The domain never reads a clock or a
 * session.
 */
export interface Occasion {
  readonly at: Instant;
  readonly by: Actor;
  readonly origin: Origin;
}

/** A handler per message type: a missing or superfluous one does not compile. */
export const tableOf =
  <Message extends { readonly type: string }, Rest extends readonly unknown[], Result>(table: {
    readonly [T in Message['type']]: (
      message: Extract<Message, { type: T }>,
      ...rest: Rest
    ) => Result;
  }) =>
  (message: Message, ...rest: Rest): Result =>
    table[message.type as Message['type']](message as never, ...rest);
