/** An index of tickets by the texts in a free-form object, in the list's order. */
import { createHash } from 'node:crypto';
import type { Instant } from '../../engine/aggregates/decider.ts';
import type { TicketEvent } from '../../domain/tickets/events.ts';
import { detailsErased } from '../../domain/tickets/erasure.ts';
import type { JsonObject } from '../../domain/tickets/free-form.ts';
import { ticketCodec } from '../../domain/tickets/codecs.ts';
import { keyOf } from '../../engine/log/streams.ts';
import type { Projection } from '../../engine/projections/projection.ts';

export interface TicketPairsRow {
  readonly id: string;
  readonly organisationId: string;
  readonly createdAt: Instant;
  /** Each a {@link pairOf}, sorted. */
  readonly pairs: readonly string[];
}

/**
 * Separate from the list, whose rows are written with every change: a row here is written only when
 * the pairs change. The index is a tally with one line per pair and ticket in the order of the
 * list, so a pair that a million tickets share is read for one page only.
 *
 * @param pairsOf The pairs of the ticket's `member`, sorted.
 */
export const ticketPairs = (
  { name, member }: { readonly name: string; readonly member: 'metadata' | 'formData' },
  pairsOf: (object: JsonObject) => readonly string[],
): Projection<TicketEvent, TicketPairsRow> => ({
  name,
  version: 2,
  categories: ['ticket'],
  codec: ticketCodec,
  keyOf: ({ stream }) => keyOf(stream),
  rowAfter: ({ event, at, stream }, row) => {
    if (event.type === 'TicketOpened') {
      const { ticketId: id, organisation: organisationId } = event;
      return { id, organisationId, createdAt: at, pairs: pairsOf(event[member]) };
    }
    if (row === null) throw new Error(`${event.type} before TicketOpened in ${stream}`);
    const changed = objectAfter(event, member);
    if (changed === undefined) return row;
    const pairs = pairsOf(changed);
    return pairs.join() === row.pairs.join() ? row : { ...row, pairs };
  },
  table: {
    name: name.replaceAll('-', '_'),
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
});

/** `undefined`: unchanged. */
const objectAfter = (event: TicketEvent, member: 'metadata' | 'formData') => {
  if (event.type === 'TicketEdited') return event.changes[member];
  return event.type === 'TicketPersonalDataErased' ? detailsErased(event)[member] : undefined;
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
