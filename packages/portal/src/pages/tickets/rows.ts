/** Tickets on the screen that follow the change feed. */
import { useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { useLoaded, type Loaded } from '../../loading.ts';
import { isSelf } from '../../session/me.ts';
import type { Change } from './change-feed.ts';
import { useChanges } from './live.ts';
import { fits, mayHaveJoined, type Filters } from './query.ts';
import type { Ticket } from './words.tsx';

export interface LiveRows<Data> {
  readonly of: Loaded<Data>;
  /** The newest version of a ticket that `of` has. */
  readonly newest: (ticket: Ticket) => Ticket;
  /** Tickets that have joined the list and are not shown, because rows would jump. */
  readonly unseen: number;
  /** Shows them. */
  readonly refresh: () => void;
}

export interface RowsParts<Data> {
  readonly load: (signal: AbortSignal) => Promise<Data>;
  /** The dependencies, as for `useLoaded`. */
  readonly asks: readonly unknown[];
  readonly filters: Filters;
  readonly ticketsIn: (data: Data) => readonly Ticket[];
}

type ById = ReadonlyMap<string, Ticket>;

/** Versions kept from the feed, for a list that is loaded later with older ones. */
const KEPT_MAX = 1_000;

/**
 * Updates rows in place; changes that would move rows are counted until the person asks for them.
 */
export const useLiveRows = <Data>(parts: RowsParts<Data>): LiveRows<Data> => {
  const { load, asks, filters, ticketsIn } = parts;
  const { me } = usePortal();
  const [received, setReceived] = useState<ById>(new Map());
  const [unseen, setUnseen] = useState<ById>(new Map());
  const of = useLoaded(async (signal) => {
    const data = await load(signal);
    setUnseen(new Map());
    return data;
  }, asks);
  const { data, reload } = of;

  const isIn = (ticket: Ticket) => fits(ticket, filters, me.actor.id);
  /** Tickets of other pages match too. Own changes are of tickets that were in the list. */
  const hasJoined = (change: Change): boolean => {
    const before = received.get(change.ticket.id);
    if (before) return !isIn(before);
    const isCounted = change.change === 'created' || !isSelf(me, change.actor);
    return isCounted && mayHaveJoined(change, filters);
  };

  useChanges((changes) => {
    if (changes === null) return reload();
    const latest = latestOf(changes);
    setReceived((last) => new Map([...last, ...latest].slice(-KEPT_MAX)));
    const shown = new Set(data && ticketsIn(data).map(({ id }) => id));
    const joined = new Set(changes.filter(hasJoined).map(({ ticket }) => ticket.id));
    setUnseen((last) => {
      const others = [...latest].filter(
        ([id]) => last.has(id) || (joined.has(id) && !shown.has(id)),
      );
      return new Map([...last, ...others].filter(([, ticket]) => isIn(ticket)));
    });
  });

  const newest = (ticket: Ticket): Ticket => {
    const other = received.get(ticket.id);
    return other !== undefined && other.revision > ticket.revision ? other : ticket;
  };
  return { of, newest, unseen: unseen.size, refresh: reload };
};

/** The last change of each ticket. */
const latestOf = (changes: readonly Change[]): ById =>
  new Map(changes.map(({ ticket }) => [ticket.id, ticket]));
