/** Shared by list and board: an active ticket, its pickers and the shortcuts. */
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { useKeys, type KeyAction } from '../../keys/keys.ts';
import { go } from '../../router.ts';
import { NewTicket } from './new.tsx';
import { NoteDialog } from './note-dialog.tsx';
import type { People } from './people.ts';
import { MemberPicker, type Choice, type Member, type Picked } from './pickers.tsx';
import { useTicketActions } from './quick.ts';
import type { Ticket } from './words.tsx';

export interface Triage {
  /** The id of the active ticket. */
  readonly active: string | undefined;
  readonly setActive: (id: string) => void;
  /** @param ticket `null`: the selected tickets. */
  readonly pick: (member: Member, ticket: Ticket | null, anchor: HTMLElement) => void;
  readonly raise: () => void;
  /** The open pickers and dialogs. */
  readonly opened: JSX.Element;
}

export interface TriageParts {
  /** In the order on screen. */
  readonly rows: readonly Ticket[];
  /** The rows belong to an earlier query: no action may change them. */
  readonly isStale: boolean;
  readonly elementOf: (id: string) => HTMLElement | null;
  /** Tickets that the shortcuts apply to, instead of the active one. */
  readonly selected: readonly Ticket[];
  readonly people: People;
  /** Called with a choice for the selected tickets. */
  readonly onChoiceForAll?: (choice: Choice) => void;
  readonly onNoteForAll?: () => void;
  readonly keys?: readonly KeyAction[];
}

/** The last active ticket: the one just read, when the list is opened again. */
let lastActive: string | undefined;

/** The answer to keys and presses on rows that are about to be replaced. */
export const STILL_LOADING = 'The tickets are still loading.';

export const useTriage = (parts: TriageParts): Triage => {
  const { rows, isStale, elementOf, selected, people, keys = [] } = parts;
  const { onChoiceForAll, onNoteForAll } = parts;
  const { may, say } = usePortal();
  const mayWrite = may('service-desk.tickets:write');
  const { allowed, assign, setPriority, transition } = useTicketActions();
  const [active, setActive] = useState(lastActive);
  const [picked, setPicked] = useState<Picked | null>(null);
  const [noted, setNoted] = useState<Ticket | null>(null);
  const [isNew, setNew] = useState(false);
  const at = Math.max(
    0,
    rows.findIndex(({ id }) => id === active),
  );
  const current = rows[at];
  const activate = (id: string) => setActive((lastActive = id));

  const focus = (ticket: Ticket | undefined) => ticket && elementOf(ticket.id)?.focus();
  const statesOf = (tickets: readonly Ticket[]) => [...new Set(tickets.flatMap(allowed))];
  /** Whether the picker was opened at its button, to which the focus returns. */
  const isByAnchor = useRef(false);
  const pick: Triage['pick'] = (member, ticket, anchor) => {
    if (isStale) return say(STILL_LOADING);
    const tickets = ticket === null ? selected : [ticket];
    if (member !== 'priority' && statesOf(tickets).length === 0)
      return say(`${tickets[0]!.number} is closed.`);
    isByAnchor.current = document.activeElement === anchor;
    setPicked({ member, tickets, anchor, isForAll: ticket === null });
  };
  const openByKey = (member: Member) => () => {
    if (current === undefined) return;
    const element = elementOf(current.id);
    // The active row may be that of an earlier visit.
    element?.scrollIntoView({ block: 'nearest' });
    const anchor = element?.querySelector<HTMLElement>(`.cell-${member}`) ?? element;
    if (anchor) pick(member, selected.length > 0 ? null : current, anchor);
  };
  const close = () => {
    setPicked(null);
    const { anchor } = picked!;
    if (isByAnchor.current && anchor.isConnected) anchor.focus();
    else focus(current);
  };
  const choose = (choice: Choice) => {
    const { tickets, isForAll } = picked!;
    const ticket = tickets[0]!;
    close();
    if (isForAll) return onChoiceForAll?.(choice);
    if (choice.member === 'state') transition(ticket, choice.state);
    if (choice.member === 'priority') setPriority(ticket, choice.priority);
    if (choice.member === 'assignee') assign(ticket, choice.assignment);
  };

  // The first press focuses the row that is already active.
  const step = (by: number) => () => {
    const element = current && elementOf(current.id);
    const isThere = element?.contains(document.activeElement) === true;
    focus(isThere ? rows[Math.max(0, Math.min(rows.length - 1, at + by))] : current);
  };
  const group = 'Tickets';
  const ofWriters: readonly KeyAction[] = [
    { keys: 'c', words: 'New ticket', group, run: () => setNew(true) },
    { keys: 'a', words: 'Assign', group, run: openByKey('assignee') },
    { keys: 's', words: 'Change the state', group, run: openByKey('state') },
    { keys: 'p', words: 'Change the priority', group, run: openByKey('priority') },
    {
      keys: 'n',
      words: 'Add a note',
      group,
      run: () => {
        if (isStale) return say(STILL_LOADING);
        if (selected.length > 0) onNoteForAll?.();
        else setNoted(current ?? null);
      },
    },
  ];
  useKeys([
    { keys: '/', words: 'Search tickets', group, run: focusSearch },
    { keys: 'j', words: 'Next ticket', group, run: step(1) },
    { keys: 'k', words: 'Previous ticket', group, run: step(-1) },
    {
      keys: 'Enter',
      words: 'Open the ticket',
      group,
      run: () => current && go(['tickets', current.id]),
    },
    ...(mayWrite ? ofWriters : []),
    ...keys,
  ]);

  return {
    active: current?.id,
    setActive: activate,
    pick,
    raise: () => setNew(true),
    opened: (
      <>
        {picked && (
          <MemberPicker
            of={picked}
            people={people}
            allowed={statesOf(picked.tickets)}
            onChoose={choose}
            onClose={close}
          />
        )}
        {noted && <NoteDialog of={noted} onClose={() => setNoted(null)} />}
        {isNew && <NewTicket onClose={() => setNew(false)} />}
      </>
    ),
  };
};

const focusSearch = () => document.querySelector<HTMLElement>('.filters [type="search"]')?.focus();
