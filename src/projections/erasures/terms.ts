/** The time since which a ticket is closed and unchanged, for retention. contract.md section 11. */
import type { Pool } from 'pg';
import type { Instant } from '../../engine/aggregates/decider.ts';
import { ticketCodec } from '../../domain/tickets/codecs.ts';
import type { TicketEvent } from '../../domain/tickets/events.ts';
import { isExpiry, restartsTerm } from '../../domain/tickets/expiry.ts';
import { isTerminal } from '../../domain/tickets/graph.ts';
import { keyOf } from '../../engine/log/streams.ts';
import { schemaOf, type Projection } from '../../engine/projections/projection.ts';

export interface PersonalDataTerm {
  readonly ticketId: string;
  /** `null`: an event from a release that did not record it. */
  readonly organisationId: string | null;
  /** `null`: its personal data has expired. */
  readonly since: Instant | null;
}

/** A ticket that is not closed has no row. */
export const personalDataTerms: Projection<TicketEvent, PersonalDataTerm> = {
  name: 'personal-data-terms',
  version: 1,
  categories: ['ticket'],
  codec: ticketCodec,
  keyOf: ({ stream }) => keyOf(stream),
  rowAfter: (recorded, row) => {
    const { event, at, stream, organisation } = recorded;
    if (event.type === 'TicketTransitioned' && isTerminal(event.to))
      return { ticketId: keyOf(stream), organisationId: organisation ?? null, since: at };
    if (row === null) return null;
    if (restartsTerm(recorded)) return { ...row, since: at };
    return isExpiry(event) ? { ...row, since: null } : row;
  },
  table: {
    name: 'term',
    key: 'ticketId',
    columns: { ticketId: 'uuid not null', organisationId: 'text', since: 'text' },
    indexes: [
      `create index on $table (organisation_id, since, ticket_id)
         where since is not null`,
    ],
  },
};

export interface DueTicket {
  readonly ticketId: string;
  readonly since: Instant;
}

const TERMS = `${schemaOf(personalDataTerms)}.${personalDataTerms.table.name}`;

/** The organisations with due terms, each once: a loose index scan. */
export const organisationsWithTerms = async (
  pool: Pick<Pool, 'query'>,
): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ readonly id: string }>(
    `with recursive one as (
       (select organisation_id as id from ${TERMS}
        where since is not null and organisation_id is not null order by 1 limit 1)
       union all
       select (select organisation_id from ${TERMS}
               where since is not null and organisation_id > one.id order by 1 limit 1)
       from one where one.id is not null)
     select id from one where id is not null`,
  );
  return rows.map(({ id }) => id);
};

/**
 * Closed tickets that are unchanged since `before`, the oldest first, starting after `after`.
 *
 * @param organisation `null`: tickets without an event that names one.
 */
export const dueTickets = async (
  pool: Pick<Pool, 'query'>,
  organisation: string | null,
  before: Instant,
  after: DueTicket | null,
  limit: number,
): Promise<readonly DueTicket[]> => {
  const owned =
    organisation === null ? 'organisation_id is null and $1::text is null' : 'organisation_id = $1';
  const { rows } = await pool.query<DueTicket>(
    `select ticket_id as "ticketId", since from ${TERMS}
     where ${owned} and since <= $2 and (since, ticket_id) > ($3, $4::uuid)
     order by since, ticket_id limit $5`,
    [organisation, before, after?.since ?? '', after?.ticketId ?? FIRST_TICKET_ID, limit],
  );
  return rows;
};

/** The oldest time after `after` since which a ticket is closed and unchanged; `null`: none. */
export const nextSince = async (
  pool: Pick<Pool, 'query'>,
  organisation: string,
  after: Instant,
): Promise<Instant | null> => {
  const { rows } = await pool.query<{ readonly since: Instant }>(
    `select since from ${TERMS}
     where organisation_id = $1 and since > $2 order by since limit 1`,
    [organisation, after],
  );
  return rows[0]?.since ?? null;
};

/** No ticket has this id. */
export const FIRST_TICKET_ID = '00000000-0000-0000-0000-000000000000';

/** Expired tickets, by id, that still have own keys after a killed pass or a restored backup. */
export const expiredWithKeys = async (
  pool: Pick<Pool, 'query'>,
  after: string,
  limit: number,
): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ readonly ticketId: string }>(
    `select ticket_id as "ticketId" from ${TERMS} as t
     where since is null and ticket_id > $1::uuid and exists (select from personal.keys as k
       where k.organisation = t.organisation_id and k.subject = 'ticket:' || t.ticket_id)
     order by ticket_id limit $2`,
    [after, limit],
  );
  return rows.map(({ ticketId }) => ticketId);
};
