/**
 * The vocabulary every aggregate is written in.
 *
 * A decider is a value with three parts. `decide` holds the rules and may refuse; `evolve` only
 * remembers and never refuses, because what it is handed has already happened.
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
 * When, by whom and by which way a command is given. The domain never asks a clock or a session.
 */
export interface Occasion {
  readonly at: Instant;
  readonly by: Actor;
  readonly origin: Origin;
}

/** ISO 8601, UTC, milliseconds: `2026-03-01T09:00:00.000Z`. Sorts as text in time order. */
export type Instant = string;

export interface Actor {
  /** `client` is a machine with a token of its own, `system` is Atrium itself. */
  readonly kind: 'user' | 'client' | 'key' | 'system';
  readonly id: string;
  /** As people know them, where the credential says it. */
  readonly name?: string;
}

/** By which way a change came, for readers that must tell their own writes from others'. */
export type Origin = 'api' | 'work_order' | 'sla' | 'import' | 'system';

/** A rule said no. An expected outcome with a stable code, not an exception. */
export interface Refusal {
  readonly refused: RefusalCode;
  readonly detail: string;
  /** Further members of the problem, such as `allowed` for a transition. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** How long the same command is refused, in seconds, where that is known. */
  readonly retryAfterS?: number;
}

/** Every code a decider may refuse with. `src/api/http/problems.ts` gives each its status. */
export type RefusalCode =
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'KEY_LIMIT_REACHED'
  | 'RULE_LIMIT_REACHED'
  | 'SANDBOX_QUOTA_REACHED'
  | 'EXTENSION_LIMIT_REACHED'
  | 'SANDBOX_TOO_LARGE'
  | 'UNAVAILABLE'
  | 'TTL_TOO_LONG'
  | 'SANDBOX_NOT_READY'
  | 'TIME_TRAVEL_REFUSED'
  | 'RATE_LIMITED'
  | 'TRANSITION_NOT_ALLOWED'
  | 'TICKET_CLOSED'
  | 'TICKET_FULL'
  | 'EDGE_NOT_IN_GRAPH'
  | 'LOCATION_CONTRADICTION'
  | 'REFERENCE_NOT_FOUND'
  | 'WEBHOOK_URL_REFUSED'
  | 'EVENT_NOT_SUBSCRIBABLE'
  | 'WEBHOOK_LIMIT_REACHED'
  | 'PAYLOAD_TOO_LARGE'
  | 'VALIDATION_FAILED'
  | 'PRECONDITION_FAILED'
  | 'IDEMPOTENCY_KEY_REUSED';

export const refuse = (
  refused: RefusalCode,
  detail: string,
  extra?: Readonly<Record<string, unknown>>,
): Refusal => (extra ? { refused, detail, extra } : { refused, detail });

export const isRefusal = (outcome: object): outcome is Refusal => 'refused' in outcome;

/** A table with one line per message type. A line missing or a line too many does not compile. */
export const tableOf =
  <Message extends { readonly type: string }, Rest extends readonly unknown[], Result>(table: {
    readonly [T in Message['type']]: (
      message: Extract<Message, { type: T }>,
      ...rest: Rest
    ) => Result;
  }) =>
  (message: Message, ...rest: Rest): Result =>
    table[message.type as Message['type']](message as never, ...rest);
