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

/** ISO 8601, UTC, milliseconds: `2026-03-01T09:00:00.000Z`. Sorts as text in time order. */
export type Instant = string;

export interface Actor {
  /** `client` is a machine with its own token, `system` is the application. */
  readonly kind: 'user' | 'client' | 'key' | 'system';
  readonly id: string;
  /** The display name, where the credential contains it. */
  readonly name?: string;
  /** The person was erased: `id` is a placeholder. */
  readonly erased?: true;
}

/** The channel through which a change came, so that readers recognise their own writes. */
export type Origin = keyof Origins;

/** An application adds its own by declaration merging. */
export interface Origins {
  readonly api: true;
  readonly system: true;
}

/** A rule refused the command. An expected outcome with a stable code, not an exception. */
export interface Refusal {
  readonly refused: RefusalCode;
  readonly detail: string;
  /** Further members of the problem, such as `allowed` for a transition. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Seconds until the same command may succeed, if known. */
  readonly retryAfterS?: number;
}

/** The codes that a decider may refuse with. */
export type RefusalCode = keyof RefusalCodes;

/** Codes of the engine; an application adds its own by declaration merging. */
export interface RefusalCodes {
  readonly NOT_FOUND: true;
  readonly CONFLICT: true;
  readonly UNAVAILABLE: true;
  readonly TIME_TRAVEL_REFUSED: true;
  readonly PRECONDITION_FAILED: true;
  readonly IDEMPOTENCY_KEY_REUSED: true;
  readonly RATE_LIMITED: true;
  readonly VALIDATION_FAILED: true;
}

export const refuse = (
  refused: RefusalCode,
  detail: string,
  extra?: Readonly<Record<string, unknown>>,
): Refusal => (extra ? { refused, detail, extra } : { refused, detail });

export const isRefusal = (outcome: object): outcome is Refusal => 'refused' in outcome;

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
