import type { Instant } from '../../../engine/aggregates/decider.ts';
import type { TicketView } from '../../../domain/tickets/view.ts';
import { pairOf } from '../pairs.ts';
import type { Snapshot } from '../../snapshot.ts';
import { METADATA_PAIRS } from './tables.ts';

export interface TicketLookup {
  /** Alias. Tickets of other organisations are never returned. */
  readonly organisation: string;
  /** A top-level member of the metadata and its text, both exact. */
  readonly key: string;
  readonly value: string;
  /** Only tickets after this in list order; `null`: from the newest. */
  readonly after: TicketCursor | null;
  readonly limit: number;
}

/** A ticket's position in list order. */
export interface TicketCursor {
  readonly createdAt: Instant;
  readonly id: string;
}

export interface LookupPage {
  /** Newest first: by `createdAt`, then by id. */
  readonly items: readonly TicketView[];
  /** The end of the page; `null` if there are no more. */
  readonly last: TicketCursor | null;
}

/** The tickets of a look-up's page in list order, and whether there are more. */
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

/** Whether the listed ticket still has exactly that text. */
export const has = (ticket: TicketView, key: string, value: string): boolean =>
  Object.hasOwn(ticket.metadata, key) && ticket.metadata[key] === value;
