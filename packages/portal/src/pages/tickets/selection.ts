/** Which tickets a bulk action is for. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { useChanges } from './live.ts';
import type { Ticket } from './words.tsx';

export interface Selection {
  /** In the order of selection, including other pages of the same list: as they are now. */
  readonly tickets: readonly Ticket[];
  readonly has: (id: string) => boolean;
  readonly toggle: (ticket: Ticket) => void;
  /** Selects the tickets from the last toggled one to this one, in the order on screen. */
  readonly extendTo: (ticket: Ticket) => void;
  /** Whether all rows on the screen are selected. */
  readonly hasShown: boolean;
  /** Selects all rows on screen, or deselects them if all are; those of other pages stay. */
  readonly toggleShown: () => void;
  readonly set: (tickets: readonly Ticket[]) => void;
  readonly clear: () => void;
}

/**
 * @param shown Selectable rows.
 * @param of The key of the list: another list starts without a selection.
 */
export const useSelection = (shown: readonly Ticket[], of: string): Selection => {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Ticket>>(new Map());
  const anchor = useRef<string | null>(null);
  useEffect(() => setChosen(new Map()), [of]);
  useChanges((changes) => {
    const newer = (changes ?? []).filter(
      ({ ticket: { id, revision } }) => revision > (chosen.get(id)?.revision ?? revision),
    );
    if (newer.length === 0) return;
    const newest = new Map(newer.map(({ ticket }) => [ticket.id, ticket]));
    setChosen((last) => new Map([...last].map(([id, ticket]) => [id, newest.get(id) ?? ticket])));
  });
  const set = (tickets: readonly Ticket[]) =>
    setChosen(new Map(tickets.map((ticket) => [ticket.id, ticket])));
  const places = (id: string | null) => shown.findIndex((ticket) => ticket.id === id);
  const toggle = (ticket: Ticket) => {
    if (!chosen.has(ticket.id) && places(ticket.id) < 0) return;
    anchor.current = ticket.id;
    const others = [...chosen.values()].filter(({ id }) => id !== ticket.id);
    set(chosen.has(ticket.id) ? others : [...others, ticket]);
  };
  const hasShown = shown.length > 0 && shown.every(({ id }) => chosen.has(id));
  return {
    tickets: [...chosen.values()],
    has: (id) => chosen.has(id),
    toggle,
    extendTo(ticket) {
      const [from, to] = [places(anchor.current), places(ticket.id)].sort((a, b) => a - b);
      if (from === undefined || to === undefined || from < 0) return toggle(ticket);
      set([...chosen.values(), ...shown.slice(from, to + 1)]);
    },
    hasShown,
    toggleShown() {
      const all = [...chosen.values()];
      set(hasShown ? all.filter(({ id }) => places(id) < 0) : [...all, ...shown]);
    },
    set,
    clear: () => setChosen(new Map()),
  };
};
