import type { Instant } from '../../../engine/aggregates/decider.ts';
import type { TicketView } from '../../../domain/tickets/view.ts';
import { pairOf } from '../metadata.ts';
import type { Snapshot } from './snapshot.ts';
import { METADATA_PAIRS } from './tables.ts';

export interface TicketLookup {
  /** Alias. Nobody sees another organisation's tickets. */
  readonly organisation: string;
  /** A top-level member of the metadata, and the text it has, both to the letter. */
  readonly key: string;
  readonly value: string;
  /** Only what lies after this in the order of the list; `null`: from the newest on. */
  readonly after: TicketCursor | null;
  readonly limit: number;
}

/** Where a ticket lies in the order of lists. */
export interface TicketCursor {
  readonly createdAt: Instant;
  readonly id: string;
}

export interface LookupPage {
  /** Newest first: by `createdAt`, then by id. */
  readonly items: readonly TicketView[];
  /** Where the page ended; `null` if there is nothing more. */
  readonly last: TicketCursor | null;
}

/** The places of the tickets that a page of a look-up is of, and whether there are more. */
export const placesOf = async (
  snapshot: Snapshot,
  { organisation, key, value, after, limit }: TicketLookup,
): Promise<{ readonly places: readonly TicketCursor[]; readonly more: boolean }> => {
  const places = await snapshot.rows<TicketCursor>((bind) => {
    const place = after && `(${bind(after.createdAt, 'text')}, ${bind(after.id, 'uuid')})`;
    return `select created_at as "createdAt", id from ${METADATA_PAIRS}
      where organisation_id = ${bind(organisation, 'text')}
        and pair = ${bind(pairOf(key, value), 'uuid')} and n > 0
        ${place === null ? '' : `and (created_at, id) < ${place}`}
      order by created_at desc, id desc limit ${bind(limit + 1, 'bigint')}`;
  });
  return { places: places.slice(0, limit), more: places.length > limit };
};

/** What was found has that text still, by the list, and no other one that is spelt alike. */
export const has = (ticket: TicketView, key: string, value: string): boolean =>
  Object.hasOwn(ticket.metadata, key) && ticket.metadata[key] === value;
