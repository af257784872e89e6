/**
 * Why a process should get no traffic, or needs attention, in the words that operators see and
 * search for.
 */

declare const isReason: unique symbol;

/** One line for operators; it has an entry in docs/operating/runbook.md. */
export type ReadinessError = string & { readonly [isReason]: true };

/** `true`, or why a part cannot do its work. */
export type Ready = true | ReadinessError;

/** Why a process that serves requests does not do all of its work. */
export interface Degradation {
  /** Its label in `atrium_degraded`. */
  readonly part: string;
  readonly reason: ReadinessError;
}

/** What `/health/ready` and the metrics show of a process. */
export interface ReadinessSource {
  /** The optional parts that {@link degradations} may name. */
  readonly parts: readonly string[];
  /** Why it cannot serve requests; empty when it can. */
  reasons(): Promise<readonly ReadinessError[]>;
  /** The optional parts that are away while it serves requests. Never rejects. */
  degradations(): Promise<readonly Degradation[]>;
}

/**
 * Makes a reason. The text must be a literal at the call, so that the documentation's test finds
 * it: every reason of `/health/ready` has an entry there.
 */
export const readinessError = (line: string): ReadinessError => line as ReadinessError;

/** The message of an error whose text was made by {@link readinessError}. */
export const readinessErrorOf = (error: Error): ReadinessError => error.message as ReadinessError;
