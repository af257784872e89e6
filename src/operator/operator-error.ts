import { BadConfiguration } from '../config/variables.ts';
import { NewerDatabase } from '../engine/postgres/migrate.ts';
import { NoKeyInFile } from '../engine/drawn-once.ts';
import { isRefused, isUnreachable } from '../engine/postgres/errors.ts';
import { EmbeddedUnavailable } from '../engine/postgres/embedded/unavailable.ts';
import { ServersRunning } from '../engine/consumers/log-change.ts';
import { RequestConflict } from '../engine/consumers/requests.ts';
import { Refused } from '../engine/aggregates/aggregate.ts';
import { FilesUnavailable } from '../files/file-store.ts';
import { LogBroken, LogUnavailable } from '../engine/log/event-store.ts';
import { LogNotSeparated } from '../engine/log/postgres/store.ts';
import { reasonOf } from './doctor/check.ts';
import { ReaderGone } from './events/output.ts';
import { exitCodeOf } from './interruption.ts';

/** Why an operator's command was not carried out; the message is one line, or a list. */
export class OperatorError extends Error {
  /** Of the refusal, as in the API, or of the command; `null`: none. */
  readonly code: string | null;

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'OperatorError';
    this.code = cause instanceof Refused ? cause.refusal.refused : null;
  }
}

/** An argument or option of a command is wrong: exit code 2. */
export class UsageError extends OperatorError {}

/** A signal has ended a command before it was done: exit code 130 or 143. */
export class Interrupted extends OperatorError {
  readonly exitCode: number;

  /** @param signal Of `interruption`, and aborted. */
  constructor(message: string, signal: AbortSignal) {
    super(message, signal.reason);
    this.exitCode = exitCodeOf(signal);
  }
}

/** Whether it is an error of the operating system, about a file or a connection. */
export const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'code' in error && /^E[A-Z]+$/.test(String(error.code));

/** The message of an error that an operator can fix; `null` for a bug, and {@link ReaderGone}. */
export const messageForOperator = (error: unknown): string | null => {
  // Its message is public, and has not what Postgres says.
  if (error instanceof LogUnavailable) return reasonOf(error).replaceAll(/\s+/g, ' ');
  if (isExplained(error)) return error.message;
  if (error instanceof ReaderGone) return null;
  // If all of several addresses fail, Node's error has a code, but no message.
  if (isSystemError(error)) return error.message || String(error.code);
  const isOfDatabase = isRefused(error) || isUnreachable(error);
  return isOfDatabase ? `DATABASE_URL: ${(error as Error).message}` : null;
};

/** Whether its message is one line for the operator, or a list. */
export const isExplained = (error: unknown): error is Error =>
  MENDABLE.some((kind) => error instanceof kind);

const MENDABLE = [
  BadConfiguration,
  EmbeddedUnavailable,
  FilesUnavailable,
  LogBroken,
  LogNotSeparated,
  LogUnavailable,
  NewerDatabase,
  NoKeyInFile,
  OperatorError,
  RequestConflict,
  ServersRunning,
];
