import { createHash } from 'node:crypto';
import type { Instant } from '../../engine/aggregates/decider.ts';
import type { TicketEvent } from '../../domain/tickets/events.ts';
import type { JsonObject } from '../../domain/tickets/free-form.ts';
import { ticketCodec } from '../../domain/tickets/codecs.ts';
import { keyOf } from '../../engine/log/streams.ts';
import type { Projection } from '../../engine/projections/projection.ts';

/** The searchable texts of a ticket's metadata. */
export interface TicketMetadataRow {
  readonly id: string;
  readonly organisationId: string;
  readonly createdAt: Instant;
  /** Each a {@link pairOf}. */
  readonly pairs: readonly string[];
}

/**
 * Callers store their own identifiers in the metadata of tickets, and look tickets up by them.
 *
 * Separate from the list, whose rows are written with every change: a row here is written only when
 * the metadata changes. The index is a tally with one line per text and ticket in the order of the
 * list, so a text that a million tickets share is read for one page only.
 */
export const ticketMetadata: Projection<TicketEvent, TicketMetadataRow> = {
  name: 'ticket-metadata',
  version: 1,
  categories: ['ticket'],
  codec: ticketCodec,
  keyOf: ({ stream }) => keyOf(stream),
  rowAfter: ({ event, at, stream }, row) => {
    if (event.type === 'TicketOpened') {
      const { ticketId: id, organisation: organisationId, metadata } = event;
      return { id, organisationId, createdAt: at, pairs: pairsOf(metadata) };
    }
    if (row === null) throw new Error(`${event.type} before TicketOpened in ${stream}`);
    if (event.type !== 'TicketEdited' || event.changes.metadata === undefined) return row;
    const pairs = pairsOf(event.changes.metadata);
    return pairs.join() === row.pairs.join() ? row : { ...row, pairs };
  },
  table: {
    name: 'ticket_metadata',
    key: 'id',
    columns: {
      id: 'uuid not null',
      organisationId: 'text not null',
      createdAt: 'text not null',
      pairs: 'json not null',
    },
    indexes: [],
  },
  tallies: [
    {
      name: 'pair',
      columns: {
        organisationId: 'text not null',
        pair: 'uuid not null',
        createdAt: 'text not null',
        id: 'uuid not null',
      },
      keysOf: ({ organisationId, createdAt, id, pairs }) =>
        pairs.map((pair) => [organisationId, pair, createdAt, id]),
    },
  ],
};

/**
 * A key and its text as sixteen bytes in the form of a UUID. Collisions are possible in theory, so
 * look-ups compare the found text.
 */
export const pairOf = (key: string, text: string): string =>
  createHash('sha256')
    .update(JSON.stringify([key, text]))
    .digest('hex')
    .slice(0, 32)
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

const pairsOf = (metadata: JsonObject): readonly string[] =>
  Object.entries(metadata)
    .filter((member): member is [string, string] => typeof member[1] === 'string')
    .map(([key, text]) => pairOf(key, text))
    .sort();
