import { BadConfiguration } from '../config/variables.ts';
import { NewerDatabase } from '../engine/postgres/migrate.ts';
import { isRefused } from '../engine/postgres/errors.ts';
import { EmbeddedUnavailable } from '../engine/postgres/embedded/unavailable.ts';
import { ServersRunning } from '../engine/consumers/log-change.ts';
import { RequestConflict } from '../engine/consumers/requests.ts';
import { Refused } from '../engine/aggregates/aggregate.ts';
import { FilesUnavailable } from '../files/file-store.ts';
import { LogBroken, LogUnavailable } from '../engine/log/event-store.ts';
import { LogNotSeparated } from '../engine/log/postgres/store.ts';

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

/** Whether it is an error of the operating system, about a file or a connection. */
export const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'code' in error && /^E[A-Z]+$/.test(String(error.code));

/** The message of an error that an operator can fix; `null` for a bug. */
export const messageForOperator = (error: unknown): string | null => {
  if (MENDABLE.some((kind) => error instanceof kind)) return (error as Error).message;
  if (isRefused(error)) return `DATABASE_URL: ${(error as Error).message}`;
  // If all of several addresses fail, Node's error has a code, but no message.
  return isSystemError(error) ? error.message || String(error.code) : null;
};

const MENDABLE = [
  BadConfiguration,
  EmbeddedUnavailable,
  FilesUnavailable,
  LogBroken,
  LogNotSeparated,
  LogUnavailable,
  NewerDatabase,
  OperatorError,
  RequestConflict,
  ServersRunning,
];
