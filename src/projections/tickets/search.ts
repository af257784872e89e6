import type { Instant } from '../../engine/aggregates/decider.ts';
import type { TicketEvent } from '../../domain/tickets/events.ts';
import { ticketCodec } from '../../domain/tickets/codecs.ts';
import { keyOf } from '../../engine/log/streams.ts';
import type { Projection } from '../../engine/projections/projection.ts';
import { documentAfter, documentOf } from './document.ts';

/** The searchable text of a ticket, see document.ts. */
export interface TicketSearchRow {
  readonly id: string;
  readonly organisationId: string;
  readonly buildingId: string;
  readonly createdAt: Instant;
  readonly document: string;
}

/**
 * Separate from the list, because a trigram index slows down rebuilds and every write of its rows:
 * a row here is written only when its text changes.
 *
 * The index has the organisation, the building and the month beside the trigrams, so that a search
 * reads only one of them, or some months.
 */
export const ticketSearch: Projection<TicketEvent, TicketSearchRow> = {
  name: 'ticket-search',
  version: 4,
  categories: ['ticket'],
  codec: ticketCodec,
  keyOf: ({ stream }) => keyOf(stream),
  // Returns the same object for a fact without a change of text, so that the row is not written.
  rowAfter: ({ event, at, stream }, row) => {
    if (event.type === 'TicketOpened') {
      const { ticketId: id, organisation: organisationId, buildingId } = event;
      return { id, organisationId, buildingId, createdAt: at, document: documentOf(event) };
    }
    if (row === null) throw new Error(`${event.type} before TicketOpened in ${stream}`);
    if (event.type !== 'TicketEdited') return row;
    const document = documentAfter(row.document, event.changes);
    return document === row.document ? row : { ...row, document };
  },
  table: {
    name: 'ticket_search',
    key: 'id',
    columns: {
      id: 'uuid not null',
      organisationId: 'text not null',
      buildingId: 'uuid not null',
      createdAt: 'text not null',
      document: 'text not null',
    },
    extensions: ['btree_gin', 'pg_trgm'],
    indexes: [
      // The extension may be installed in another schema, and the search path is not relied on.
      `do $do$ begin
         execute format(
           $ddl$create index on $table using gin
             (organisation_id, building_id, left(created_at, 7), document %I.gin_trgm_ops)$ddl$,
           (select nspname from pg_opclass join pg_namespace n on n.oid = opcnamespace
             where opcname = 'gin_trgm_ops'));
       end $do$`,
    ],
  },
};
