import type { Instant } from '../aggregates/decider.ts';

/** How an effect ends. What is thrown instead is a failure, and is tried again under a limit. */
export type Outcome = Done | Ignored | RetryAt | GivenUp;

interface Done {
  readonly outcome: 'done';
  /**
   * Absent: it is durable. Else it will be when this resolves: the lane goes on, the checkpoint
   * waits. Where it rejects, the process begins again from its checkpoint.
   */
  readonly settled?: Promise<unknown>;
  /** How much of the memory that there is for it: beyond a bound nothing is begun. Default 1. */
  readonly weight?: number;
}

/**
 * A system that an effect needs could not be reached. The effect is repeated without end, as after
 * a failure of the log or the database.
 */
export class DependencyUnavailable extends Error {}

/** There was nothing to do, or a rule said no: an outcome like any other. */
export interface Ignored {
  readonly outcome: 'ignored';
  readonly reason: string;
}

/** The world is not ready for it; the lane waits until then, and no other lane does. */
export interface RetryAt {
  readonly outcome: 'retry';
  readonly at: Instant;
  readonly reason: string;
}

/** It can never work: the lane is parked until an operator has a look. */
export interface GivenUp {
  readonly outcome: 'given up';
  readonly reason: string;
}

export const done: Done = { outcome: 'done' };

/** It goes on in memory, and is repeated after a crash until `settled` has resolved. */
export const doneWhen = (settled: Promise<unknown>, weight = 1): Done => ({
  outcome: 'done',
  settled,
  weight,
});

export const ignore = (reason: string): Ignored => ({ outcome: 'ignored', reason });

export const retryAt = (at: Instant, reason: string): RetryAt => ({ outcome: 'retry', at, reason });

export const giveUp = (reason: string): GivenUp => ({ outcome: 'given up', reason });
