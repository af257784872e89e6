import { exitCodes, type ExitCode } from './exit-codes.ts';

/** What programs read of a failure; scripts get it under `--json`. */
export interface FailureDetails {
  /** A code of the API (docs/reference/problems.md), or one of the command's own. */
  readonly code: string;
  /** Of the answer, where there was one. */
  readonly status?: number;
  readonly requestId?: string;
}

const codesByExit: Readonly<Record<ExitCode, string>> = {
  [exitCodes.failed]: 'FAILED',
  [exitCodes.cancelled]: 'CANCELLED',
  [exitCodes.stillProvisioning]: 'STILL_PROVISIONING',
  [exitCodes.signInNeeded]: 'SIGN_IN_NEEDED',
  [exitCodes.interrupted]: 'INTERRUPTED',
  [exitCodes.terminated]: 'TERMINATED',
};

/** Something the person at the terminal can understand and mend; the message is one line. */
export class CommandFailed extends Error {
  readonly exitCode: ExitCode;
  /** Default: a code that says as much as the exit code. */
  readonly details: FailureDetails;

  constructor(
    message: string,
    cause?: unknown,
    exitCode: ExitCode = exitCodes.failed,
    details: FailureDetails = { code: codesByExit[exitCode] },
  ) {
    super(message, { cause });
    this.name = 'CommandFailed';
    this.exitCode = exitCode;
    this.details = details;
  }
}

/** The user has to sign in first. */
export const signInNeeded = (
  message: string,
  cause?: unknown,
  details?: FailureDetails,
): CommandFailed => new CommandFailed(message, cause, exitCodes.signInNeeded, details);

export const cancelled = (message: string): CommandFailed =>
  new CommandFailed(message, undefined, exitCodes.cancelled);

export const usageError = (message: string, cause?: unknown): CommandFailed =>
  new CommandFailed(message, cause, exitCodes.cancelled, { code: 'USAGE' });

/** Ended by a signal that the command had its own way to end at. */
export const interrupted = (message: string, by: NodeJS.Signals = 'SIGINT'): CommandFailed =>
  new CommandFailed(
    message,
    undefined,
    by === 'SIGTERM' ? exitCodes.terminated : exitCodes.interrupted,
  );
