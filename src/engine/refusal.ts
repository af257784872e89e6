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
