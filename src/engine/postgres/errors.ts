/**
 * Classifies the errors of statements: retry, park the cause, or rebuild the tables.
 */
import { asStorable } from '../storable.ts';

/** The data is at fault and always will be: bad values, broken constraints, rows past a limit. */
export const isBadData = (error: unknown): boolean => /^(22|23|54)/.test(codeOf(error) ?? '');

/** A table or a schema does not exist (any more). */
export const isMissingTable = (error: unknown): boolean =>
  ['42P01', '3F000'].includes(codeOf(error) ?? '');

/** A row belongs to a partition that does not exist (any more). */
export const isMissingPartition = (error: unknown): boolean =>
  codeOf(error) === '23514' && (error as Error).message.startsWith('no partition of relation');

/** The statement timed out, or was cancelled. */
export const isOutOfTime = (error: unknown): boolean => codeOf(error) === '57014';

/** A row with this key already exists. */
export const isUniqueViolation = (error: unknown): boolean => codeOf(error) === '23505';

/** The name of the violated constraint; empty if it was none. */
export const constraintOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'constraint' in error
    ? String(error.constraint)
    : '';

/** A lock timed out, or waiting for it would have caused a deadlock. */
export const isBusy = (error: unknown): boolean => ['55P03', '40P01'].includes(codeOf(error) ?? '');

/**
 * A transient failure: the database was unreachable, stopping, read-only as after a failover, or
 * busy. The same may succeed later.
 */
export const isUnreachable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  if (/^(08|25006|25P03|40|53|55P03|57|58)/.test(codeOf(error) ?? '')) return true;
  if ('syscall' in error || /^ERR_SSL|^EAI_/.test(String('code' in error ? error.code : '')))
    return true;
  // Errors of the client itself have no code.
  if (WITHOUT_CONNECTION.test(error.message)) return true;
  if (error instanceof AggregateError) return error.errors.some(isUnreachable);
  return isUnreachable(error.cause);
};

/** The server is running and refuses the login: a wrong name or password, or no such database. */
export const isRefused = (error: unknown): boolean => /^(28|3D)/.test(codeOf(error) ?? '');

const WITHOUT_CONNECTION =
  /^(Connection terminated|Client (was closed|has encountered)|timeout ex|Query read)/;

const codeOf = (error: unknown): string | undefined => {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  // Five characters are an SQLSTATE; Node's own codes (`ECONNRESET`) are longer.
  return typeof error.code === 'string' && error.code.length === 5 ? error.code : undefined;
};

/** One line for a row or a list: never a stack. */
export const errorLine = (error: unknown): string => {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  // Postgres stores neither U+0000 nor lone surrogates, and an error may quote what it refused.
  return asStorable(text.slice(0, ERROR_CHARACTERS_MAX));
};

const ERROR_CHARACTERS_MAX = 1_000;
