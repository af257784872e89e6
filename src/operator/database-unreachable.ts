import { isUnreachable } from '../engine/postgres/errors.ts';
import { reasonOf } from './doctor/check.ts';
import { placeOf } from './doctor/secrets.ts';
import { isExplained, OperatorError } from './operator-error.ts';

/** Names the database, without secrets, in the error of one that cannot be reached or written. */
export const databaseUnreachable =
  (url: string) =>
  (error: unknown): never => {
    // An error with a path is of a file.
    const isOfFile = error instanceof Error && 'path' in error;
    if (isExplained(error) || isOfFile || !isUnreachable(error)) throw error;
    throw new OperatorError(`${placeOf(url)}: ${reasonOf(error)}`, error);
  };
