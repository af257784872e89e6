import type { Instant } from '../../domain/decider.ts';
import type { TicketView } from '../../domain/ticket/view.ts';
import { schemaOf } from '../projection.ts';
import { pairOf, ticketMetadata } from './metadata.ts';
import type { Reading } from './read-snapshot.ts';

export interface TicketLookup {
  /** Alias. Nobody sees another organisation's tickets. */
  readonly organisation: string;
  /** A top-level member of the metadata, and the text it has, both to the letter. */
  readonly key: string;
  readonly value: string;
  /** Only what lies after this in the order of the list; `null`: from the newest on. */
  readonly after: TicketPlace | null;
  readonly limit: number;
}

/** Where a ticket lies in the order of lists. */
export interface TicketPlace {
  readonly createdAt: Instant;
  readonly id: string;
}

export interface LookedUp {
  /** Newest first: by `createdAt`, then by id. */
  readonly items: readonly TicketView[];
  /** Where the page ended; `null` if there is nothing more. */
  readonly last: TicketPlace | null;
}

/** The places of the tickets that a page of a look-up is of, and whether there are more. */
export const placesOf = async (
  reading: Reading,
  { organisation, key, value, after, limit }: TicketLookup,
): Promise<{ readonly places: readonly TicketPlace[]; readonly more: boolean }> => {
  const place = after === null ? '' : 'and (created_at, id) < ($4::text, $5::uuid)';
  const places = await reading.rows<TicketPlace>(
    `select created_at as "createdAt", id from ${PAIRS}
     where organisation_id = $1::text and pair = $2::uuid and n > 0 ${place}
     order by created_at desc, id desc limit $3`,
    [
      organisation,
      pairOf(key, value),
      limit + 1,
      ...(after === null ? [] : [after.createdAt, after.id]),
    ],
  );
  return { places: places.slice(0, limit), more: places.length > limit };
};

/** What was found has that text still, by the list, and no other one that is spelt alike. */
export const has = (ticket: TicketView, key: string, value: string): boolean =>
  Object.hasOwn(ticket.metadata, key) && ticket.metadata[key] === value;

const PAIRS = `${schemaOf(ticketMetadata)}.${ticketMetadata.tallies![0]!.name}`;
