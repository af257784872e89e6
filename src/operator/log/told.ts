/**
 * What somebody was told, as the read models show it that were fed before the log was restored:
 * those of this release and of others, as long as they have not been dropped.
 */
import type { Pool } from 'pg';
import type { Position } from '../../store/event-store.ts';
import { sortableOf } from '../../store/positions.ts';

export interface TicketsTold {
  readonly organisation: string;
  /** The highest number of a ticket. */
  readonly highest: number;
}

/** By organisation, in the order of their names. */
export const ticketsTold = async (pool: Pool): Promise<readonly TicketsTold[]> => {
  const highest = new Map<string, number>();
  for (const schema of await schemasOf(pool, 'ticket_list')) {
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

/** How many tickets of the organisation have the number `from` or a higher one. */
export const ticketsFrom = async (
  pool: Pool,
  organisation: string,
  from: number,
): Promise<number> => {
  const ids = new Set<string>();
  for (const schema of await schemasOf(pool, 'ticket_list')) {
    const { rows } = await pool.query<{ id: string }>(
      `select id from ${schema}.ticket_list where organisation_id = $1 and ${NUMBER} >= $2`,
      [organisation, from],
    );
    for (const { id } of rows) ids.add(id);
  }
  return ids.size;
};

/** Records of the audit of keys after `after`, and the keys whose revocation is among them. */
export const auditTold = async (
  pool: Pool,
  after: Position | null,
): Promise<{ readonly lost: number; readonly revoked: readonly string[] }> => {
  const lost = new Set<string>();
  const revoked = new Set<string>();
  for (const schema of await schemasOf(pool, 'key_audit')) {
    const { rows } = await pool.query<{ id: string; action: string; keyId: string | null }>(
      `select id, action, key_id as "keyId" from ${schema}.key_audit
       where place collate "C" > $1`,
      [after === null ? '' : sortableOf(after)],
    );
    for (const { id, action, keyId } of rows) {
      lost.add(id);
      if (action === 'key.revoked' && keyId !== null) revoked.add(keyId);
    }
  }
  return { lost: lost.size, revoked: [...revoked].toSorted() };
};

/** `SR-000042` as a number; another form is none. */
const NUMBER = `substring(number from '^SR-(\\d+)$')::bigint`;

/** The versions of a read model that are there, by their tables' name. */
const schemasOf = async (pool: Pool, table: string): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ schema: string }>(
    `select n.nspname as schema from pg_namespace as n join pg_class as c on c.relnamespace = n.oid
     where c.relname = $1 and c.relkind in ('r', 'p') and n.nspname ~ ('^' || $1 || '_v[0-9]+$')
     order by 1`,
    [table],
  );
  return rows.map(({ schema }) => schema);
};
