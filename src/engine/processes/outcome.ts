import type { Instant } from '../aggregates/decider.ts';

/**
 * How an effect ends. A thrown error is a failure instead, and is retried a limited number of
 * times.
 */
export type Outcome = Done | Ignored | RetryAt | GivenUp;

interface Done {
  readonly outcome: 'done';
  /**
   * Resolves when the effect is durable: until then the partition continues and the checkpoint
   * waits. If it rejects, the process restarts from its checkpoint. Absent: it is durable.
   */
  readonly settled?: Promise<unknown>;
  /** Its share of the in-flight budget, beyond which no effect is started. Default 1. */
  readonly weight?: number;
}

/**
 * A system that an effect needs could not be reached. The effect is repeated without end, as after
 * a failure of the log or the database.
 */
export class DependencyUnavailable extends Error {}

/** There was nothing to do, or a rule refused it: an outcome like any other. */
export interface Ignored {
  readonly outcome: 'ignored';
  readonly reason: string;
}

/** A precondition is missing: the partition waits until then, and no other one does. */
export interface RetryAt {
  readonly outcome: 'retry';
  readonly at: Instant;
  readonly reason: string;
}

/** A permanent failure: the partition is parked until an operator acts. */
export interface GivenUp {
  readonly outcome: 'given up';
  readonly reason: string;
}

export const done: Done = { outcome: 'done' };

/**
 * The process continues in memory; the effect is repeated after a crash before `settled` resolves.
 */
export const doneWhen = (settled: Promise<unknown>, weight = 1): Done => ({
  outcome: 'done',
  settled,
  weight,
});

export const ignore = (reason: string): Ignored => ({ outcome: 'ignored', reason });

export const retryAt = (at: Instant, reason: string): RetryAt => ({ outcome: 'retry', at, reason });

export const giveUp = (reason: string): GivenUp => ({ outcome: 'given up', reason });
