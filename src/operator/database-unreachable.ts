import { isUnreachable } from '../engine/postgres/errors.ts';
import { reasonOf } from './doctor/check.ts';
import { placeOf } from './doctor/secrets.ts';
import { isExplained, OperatorError } from './operator-error.ts';

/** Names the database, without secrets, in the error of one that cannot be reached or written. */
export const databaseUnreachable =
  (url: string) =>
  (error: unknown): never => {
    if (isExplained(error) || !isUnreachable(error)) throw error;
    throw new OperatorError(`${placeOf(url)}: ${reasonOf(error)}`, error);
  };
