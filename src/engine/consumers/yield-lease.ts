/**
 * Thrown by work under a lease to release the name. This process competes for it again only after
 * others have had the time to acquire it. The message tells operators why.
 */
export class YieldLease extends Error {
  readonly restMs: number;

  constructor(message: string, restMs: number) {
    super(message);
    this.name = 'StepsAside';
    this.restMs = restMs;
  }
}
