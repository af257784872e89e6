/**
 * State that was published before a restore of the log, from the read models fed until then: those
 * of this release, and those of other releases that have not been dropped.
 */
import type { Pool } from 'pg';
import type { EndedKey } from '../../projections/keys/ended-keys.ts';
import { keyAudit } from '../../projections/keys/key-audit.ts';
import type { Position } from '../../engine/log/event-store.ts';
import { sortableOf } from '../../engine/log/positions.ts';

export interface PublishedTickets {
  readonly organisation: string;
  /** The highest ticket number. */
  readonly highest: number;
}

/** Sorted by the organisation's name. */
export const publishedTickets = async (pool: Pool): Promise<readonly PublishedTickets[]> => {
  const highest = new Map<string, number>();
  for (const schema of await schemasOf(pool, TICKET_LIST)) {
    const { rows } = await pool.query<{ organisation: string; highest: string }>(
      `select organisation_id as organisation, max(${NUMBER})::text as highest
       from ${schema}.ticket_list group by organisation_id`,
    );
    for (const row of rows) {
      const { organisation } = row;
      highest.set(organisation, Math.max(highest.get(organisation) ?? 0, Number(row.highest)));
    }
  }
  return [...highest]
    .map(([organisation, number]) => ({ organisation, highest: number }))
    .toSorted((a, b) => (a.organisation < b.organisation ? -1 : 1));
};

/** The number of the organisation's tickets with the number `from` or a higher one. */
export const ticketsFrom = async (
  pool: Pool,
  organisation: string,
  from: number,
): Promise<number> => {
  const ids = new Set<string>();
  for (const schema of await schemasOf(pool, TICKET_LIST)) {
    const { rows } = await pool.query<{ id: string }>(
      `select id from ${schema}.ticket_list where organisation_id = $1 and ${NUMBER} >= $2`,
      [organisation, from],
    );
    for (const { id } of rows) ids.add(id);
  }
  return ids.size;
};

/** The number of records in the audit of keys after the position `after`. */
export const auditAfter = async (pool: Pool, after: Position | null): Promise<number> => {
  const ids = new Set<string>();
  for (const schema of await schemasOf(pool, KEY_AUDIT)) {
    const { rows } = await pool.query<{ id: string }>(
      `select id from ${schema}.${KEY_AUDIT.table} where place collate "C" > $1`,
      [sortedPlace(after)],
    );
    for (const { id } of rows) ids.add(id);
  }
  return ids.size;
};

export interface IssuedKey {
  readonly keyId: string;
  readonly organisation: string;
  readonly label: string;
}

/** Keys that were minted after `after`. */
export const issuedAfter = async (
  pool: Pool,
  after: Position | null,
): Promise<readonly IssuedKey[]> => {
  const keys = new Map<string, IssuedKey>();
  for (const schema of await schemasOf(pool, KEY_AUDIT)) {
    const { rows } = await pool.query<IssuedKey>(
      `select key_id as "keyId", organisation_id as organisation, label
       from ${schema}.${KEY_AUDIT.table}
       where action = 'key.issued' and place collate "C" > $1 order by key_id`,
      [sortedPlace(after)],
    );
    for (const key of rows) keys.set(key.keyId, key);
  }
  return [...keys.values()];
};

/** Every revocation in the audit. */
export const revokedInAudit = async (pool: Pool): Promise<readonly EndedKey[]> => {
  const keys = new Map<string, EndedKey>();
  for (const schema of await schemasOf(pool, KEY_AUDIT)) {
    const { rows } = await pool.query<EndedKey>(
      `select key_id as "keyId", organisation_id as organisation, at, actor as by
       from ${schema}.${KEY_AUDIT.table} where action = 'key.revoked' order by key_id`,
    );
    for (const key of rows) keys.set(key.keyId, key);
  }
  return [...keys.values()];
};

const sortedPlace = (after: Position | null): string => (after === null ? '' : sortableOf(after));

/** `SR-000042` as a number; null for any other form. */
const NUMBER = `substring(number from '^SR-(\\d+)$')::bigint`;

interface ReadModelTable {
  /** The schema's name before `_v` and the version. */
  readonly schema: string;
  readonly table: string;
}

const TICKET_LIST: ReadModelTable = { schema: 'ticket_list', table: 'ticket_list' };
const KEY_AUDIT: ReadModelTable = { schema: 'key_audit', table: keyAudit.table.name };

/** The schemas of the existing versions of a read model. */
const schemasOf = async (
  pool: Pool,
  { schema, table }: ReadModelTable,
): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ schema: string }>(
    `select n.nspname as schema from pg_namespace as n join pg_class as c on c.relnamespace = n.oid
     where c.relname = $2 and c.relkind in ('r', 'p') and n.nspname ~ ('^' || $1 || '_v[0-9]+$')
     order by 1`,
    [schema, table],
  );
  return rows.map(({ schema }) => schema);
};
