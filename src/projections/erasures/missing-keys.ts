/** Lost keys of persons: missing, but never destroyed. contract.md section 11. */
import type { Pool } from 'pg';
import type { EventStore } from '../../engine/log/event-store.ts';
import { keysNamedIn } from '../../engine/personal/open-events.ts';
import { isMissingTable } from '../../engine/postgres/errors.ts';
import { schemaOf } from '../../engine/projections/projection.ts';
import { personalReferences } from './references.ts';

/**
 * The number of lost keys that tickets refer to: their persons read as erased. While the read model
 * of references is being rebuilt, counts the references at the beginning of the log.
 *
 * @throws Errors of the database and the log.
 */
export const lostPersonKeys = async (
  pool: Pick<Pool, 'query'>,
  log: Pick<EventStore, 'readAll'>,
): Promise<number> => {
  const { rows: tables } = await pool.query<{ readonly isThere: boolean }>(IS_NOTED);
  // The database of an older release does not record which were destroyed.
  if (!tables[0]!.isThere) return 0;
  const { rows } = await pool.query<{ readonly hasKeys: boolean }>(ANY_KEY);
  if (rows[0]!.hasKeys) return referredTo(pool);
  const { events } = await log.readAll(null, {
    limit: LOG_BEGINNING_EVENTS,
    categories: personalReferences.categories,
  });
  return Math.max(keysNamedIn(events).size, await referredTo(pool));
};

const referredTo = async (pool: Pick<Pool, 'query'>): Promise<number> => {
  try {
    const { rows } = await pool.query<{ readonly lost: number }>(LOST);
    return rows[0]!.lost;
  } catch (error) {
    if (isMissingTable(error)) return 0;
    throw error;
  }
};

/** Events that are read where the database has no key at all. */
const LOG_BEGINNING_EVENTS = 1_000;

const IS_NOTED = `select to_regclass('personal.destroyed') is not null as "isThere"`;

const ANY_KEY = `
  select exists (select from personal.keys) or exists (select from personal.destroyed)
    as "hasKeys"`;

// As text: other programs may have written any reference.
const LOST = `
  select count(distinct r.ref)::int as lost from ${schemaOf(personalReferences)}.reference r
  where r.n > 0
    and not exists (select from personal.keys k where k.key_id::text = r.ref)
    and not exists (select from personal.destroyed d where d.key_id::text = r.ref)`;
