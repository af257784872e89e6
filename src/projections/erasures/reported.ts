/** A person's tickets by the ticket list: events from before sealing have no keys. */
import type { Pool } from 'pg';
import { schemaOf } from '../../engine/projections/projection.ts';
import { ticketList } from '../tickets/list.ts';
import { REPORTED_TICKETS_SCANNED_AT_ONCE } from './limits.ts';
import { FIRST_TICKET_ID } from './terms.ts';

const LIST = `${schemaOf(ticketList)}.${ticketList.table.name}`;

/** The tickets that one of the accounts raised. */
export const ticketsRaisedBy = async (
  pool: Pick<Pool, 'query'>,
  organisation: string,
  userIds: readonly string[],
  limit: number,
): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ readonly id: string }>(
    `select id from ${LIST}
     where organisation_id = $1 and reporter_user_id = any($2::text[]) limit $3`,
    [organisation, userIds, limit],
  );
  return rows.map(({ id }) => id);
};

interface Scanned {
  readonly ids: readonly string[];
  /** The last scanned ticket; `null`: there are no more. */
  readonly last: string | null;
}

/**
 * The tickets that one of the addresses reported, in pages, each once. Addresses are not indexed,
 * so every ticket of the organisation is scanned.
 *
 * @param emails In lower case.
 */
export async function* ticketsReportedFrom(
  pool: Pick<Pool, 'query'>,
  organisation: string,
  emails: readonly string[],
): AsyncGenerator<readonly string[], void, undefined> {
  let after: string | null = emails.length === 0 ? null : FIRST_TICKET_ID;
  while (after !== null) {
    const { ids, last }: Scanned = await scanned(pool, organisation, emails, after);
    yield ids;
    after = last;
  }
}

const scanned = async (
  pool: Pick<Pool, 'query'>,
  organisation: string,
  emails: readonly string[],
  after: string,
): Promise<Scanned> => {
  const { rows } = await pool.query<Scanned>(
    `with page as (
       select id, reporter_email from ${LIST}
       where organisation_id = $1 and id > $2 order by id limit $3)
     select coalesce(array_agg(id::text) filter (where lower(reporter_email) = any($4::text[])),
         '{}') as ids,
       (array_agg(id::text order by id desc))[1] as last
     from page`,
    [organisation, after, REPORTED_TICKETS_SCANNED_AT_ONCE, emails],
  );
  return rows[0]!;
};
