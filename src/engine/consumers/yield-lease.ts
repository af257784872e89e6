/**
 * Thrown by what runs under a lease: the name is given up, and not competed for again before others
 * have had the time to take it. The message says why, for operators.
 */
export class YieldLease extends Error {
  readonly restMs: number;

  constructor(message: string, restMs: number) {
    super(message);
    this.name = 'StepsAside';
    this.restMs = restMs;
  }
}
