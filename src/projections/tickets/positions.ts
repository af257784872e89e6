/**
 * Log positions of ticket events by organisation and building: the index of the change feed. It has
 * every event, including unreadable ones, without their content. docs/decisions/0015.
 */
import { recordedAs } from '../../engine/log/codec.ts';
import { sortableOf } from '../../engine/log/positions.ts';
import { keyOf } from '../../engine/log/streams.ts';
import { ticketOwnerIn } from './owners.ts';
import type { Projection } from '../../engine/projections/projection.ts';

export interface TicketPosition {
  /**
   * The event's id; for an opening the ticket's, because the ticket's other rows read their owner
   * from it.
   */
  readonly id: string;
  readonly ticketId: string;
  readonly revision: number;
  /** The log position in the form of `sortableOf`. */
  readonly place: string;
  /** `null`: unknown, in no feed. */
  readonly organisationId: string | null;
  /** `null`: unknown, in the feed of each building of the organisation. */
  readonly buildingId: string | null;
}

interface TicketEventStored extends Pick<TicketPosition, 'organisationId' | 'buildingId'> {
  readonly type: 'TicketEventStored';
}

const OPENING = 0;

export const ticketPositions: Projection<TicketEventStored, TicketPosition> = {
  name: 'ticket-positions',
  version: 1,
  categories: ['ticket'],
  codec: {
    decode(stored) {
      const owner = stored.revision === OPENING ? ticketOwnerIn(stored) : null;
      const { organisation: organisationId = null, buildingId = null } = owner ?? {};
      return recordedAs(stored, { type: 'TicketEventStored', organisationId, buildingId });
    },
  },
  table: {
    name: 'position',
    key: 'id',
    columns: {
      id: 'text collate "C" not null',
      ticketId: 'text collate "C" not null',
      revision: 'integer not null',
      place: 'text collate "C" not null',
      organisationId: 'text',
      buildingId: 'text collate "C"',
    },
    indexes: [
      'create index on $table (organisation_id, place)',
      'create index on $table (organisation_id, building_id, place)',
    ],
  },
  keyOf: ({ id, stream, revision }) => (revision === OPENING ? keyOf(stream) : id),
  readsKeyOf: ({ stream, revision }) => (revision === OPENING ? null : keyOf(stream)),
  rowAfter: ({ id, stream, revision, position, event }, row, _, opening = null) => {
    if (row !== null) return row;
    const { organisationId, buildingId } = opening ?? event;
    const ticketId = keyOf(stream);
    const place = sortableOf(position);
    const key = revision === OPENING ? ticketId : id;
    return { id: key, ticketId, revision, place, organisationId, buildingId };
  },
};
