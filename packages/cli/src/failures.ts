import { exitCodes, type ExitCode } from './exit-codes.ts';

/** Something the person at the terminal can understand and mend; the message is one line. */
export class CommandFailed extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, cause?: unknown, exitCode: ExitCode = exitCodes.failed) {
    super(message, { cause });
    this.name = 'CommandFailed';
    this.exitCode = exitCode;
  }
}

/** Whoever asks has to sign in first. */
export const signInNeeded = (message: string, cause?: unknown): CommandFailed =>
  new CommandFailed(message, cause, exitCodes.signInNeeded);

export const cancelled = (message: string): CommandFailed =>
  new CommandFailed(message, undefined, exitCodes.cancelled);
