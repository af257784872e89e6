/**
 * The message is the `failureReason` of a sandbox or snapshot: for people, and something they can
 * act on.
 */
export class CannotBuild extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
    this.name = 'CannotBuild';
  }
}
