import type { Pool } from 'pg';
import { isMissingTable } from '../postgres/errors.ts';
import { CannotOpen, keyIdOf, type Secrets } from '../secrets/secrets.ts';

/** Ids of secrets keys that wrapped keys of persons. */
export interface WrappingKeys {
  /** Keys that open what they wrapped. */
  readonly open: readonly string[];
  /** Keys that are not configured, or open nothing. */
  readonly closed: readonly string[];
}

interface Wrapped {
  readonly keyId: string;
  readonly wrapped: string;
}

/**
 * Opens one row of `personal.keys` per secrets key. Both lists are empty while the table has no
 * row, or does not exist yet.
 */
export const personKeysSealedIn = async (
  pool: Pool,
  secrets: Secrets | null,
): Promise<WrappingKeys> => {
  const rows = await pool
    .query<Wrapped>(ONE_OF_EACH)
    .then((found) => found.rows)
    .catch((error: unknown) => {
      if (isMissingTable(error)) return [];
      throw error;
    });
  const opens = ({ keyId, wrapped }: Wrapped): boolean => {
    try {
      return secrets !== null && secrets.open(wrapped, keyId) !== '';
    } catch (error) {
      if (error instanceof CannotOpen) return false;
      throw error;
    }
  };
  const ids = (isOpen: boolean) =>
    rows.filter((row) => opens(row) === isOpen).map(({ wrapped }) => keyIdOf(wrapped));
  return { open: ids(true), closed: ids(false) };
};

// Without sorting all rows, which may be millions.
const ONE_OF_EACH = `
  with ids as materialized (select distinct split_part(wrapped, '.', 2) as id from personal.keys)
  select one."keyId", one.wrapped from ids cross join lateral (
    select key_id as "keyId", wrapped from personal.keys
    where split_part(wrapped, '.', 2) = ids.id limit 1
  ) one order by ids.id`;
