import type { Instant } from '../../engine/aggregates/decider.ts';
import type { TicketEvent, TicketLocation } from '../../domain/tickets/events.ts';
import { ticketCodec } from '../../domain/tickets/codecs.ts';
import { keyOf } from '../../engine/log/streams.ts';
import { trigramIndex } from '../../engine/postgres/trigram-index.ts';
import type { Projection } from '../../engine/projections/projection.ts';
import { detailsErased } from '../../domain/tickets/erasure.ts';
import { documentAfter, documentOf } from './document.ts';

/** The searchable text of a ticket, see document.ts, and its place, without the place's names. */
export interface TicketSearchRow {
  readonly id: string;
  readonly organisationId: string;
  readonly buildingId: string;
  readonly storeyId: string | null;
  readonly spaceId: string | null;
  readonly elementId: string | null;
  readonly createdAt: Instant;
  readonly document: string;
}

/**
 * Separate from the list, because a trigram index slows down rebuilds and every write of its rows:
 * a row here is written only when its text or its place changes.
 *
 * The index has the organisation, the building and the month beside the trigrams, so that a search
 * reads only one of them, or some months.
 */
export const ticketSearch: Projection<TicketEvent, TicketSearchRow> = {
  name: 'ticket-search',
  version: 7,
  categories: ['ticket'],
  codec: ticketCodec,
  keyOf: ({ stream }) => keyOf(stream),
  // Returns the same object for a fact without a change, so that the row is not written.
  rowAfter: ({ event, at, stream }, row) => {
    if (event.type === 'TicketOpened') {
      const { ticketId: id, organisation: organisationId, buildingId } = event;
      const place = placeOf(event);
      return {
        id,
        organisationId,
        buildingId,
        ...place,
        createdAt: at,
        document: documentOf(event),
      };
    }
    if (row === null) throw new Error(`${event.type} before TicketOpened in ${stream}`);
    if (event.type === 'TicketRelocated') return rowWith(row, row.document, event);
    if (event.type === 'TicketPersonalDataErased') {
      const reporter = event.reporter ? { reporterName: null } : {};
      const document = documentAfter(row.document, { ...detailsErased(event), ...reporter });
      return rowWith(row, document, row);
    }
    if (event.type !== 'TicketEdited') return row;
    const { changes } = event;
    return rowWith(row, documentAfter(row.document, changes), changes.location ?? row);
  },
  table: {
    name: 'ticket_search',
    key: 'id',
    columns: {
      id: 'uuid not null',
      organisationId: 'text not null',
      buildingId: 'uuid not null',
      storeyId: 'uuid',
      spaceId: 'uuid',
      elementId: 'uuid',
      createdAt: 'text not null',
      document: 'text not null',
    },
    extensions: ['btree_gin', 'pg_trgm'],
    indexes: [
      trigramIndex(`create index on $table using gin
        (organisation_id, building_id, left(created_at, 7), document gin_trgm_ops)`),
      'create index on $table (storey_id) where storey_id is not null',
      'create index on $table (space_id) where space_id is not null',
      'create index on $table (element_id) where element_id is not null',
    ],
  },
};

const placeOf = ({ storeyId, spaceId, elementId }: TicketLocation): TicketLocation => ({
  storeyId,
  spaceId,
  elementId,
});

const rowWith = (row: TicketSearchRow, document: string, place: TicketLocation): TicketSearchRow =>
  document === row.document &&
  place.storeyId === row.storeyId &&
  place.spaceId === row.spaceId &&
  place.elementId === row.elementId
    ? row
    : { ...row, ...placeOf(place), document };
