/**
 * The outcome of quick actions that earlier pages have sent without an answer: failures are
 * reported and can be retried.
 */
import { useEffect, useRef } from 'preact/hooks';
import { AtriumError } from '../../../../sdk/src/index.ts';
import { usePortal } from '../../context.ts';
import { useQuickActions, type FoundAction } from '../../ui/quick-actions.tsx';
import { useTicketActions, type TicketRepeat } from './quick.ts';
import { changeByOthers, useTicketCommands } from './ticket-commands.ts';
import type { Ticket } from './words.tsx';

/** How long a command that was sent while its page ended may be in flight, in milliseconds. */
const ON_ITS_WAY_MS = 4_000;

const NO_ANSWER =
  'the server did not accept it, or could not be reached before the page was closed.';

export const UnansweredOfTickets = ({ of }: { readonly of: readonly FoundAction[] }) => {
  const { may } = usePortal();
  const { load } = useTicketCommands();
  const { report, forget } = useQuickActions();
  const { setPriority, assign, transition } = useTicketActions();
  const looked = useRef(0);

  const again = (ticket: Ticket, { priority, state, ...assignment }: TicketRepeat['after']) => {
    if (priority !== undefined) setPriority(ticket, priority);
    else if (state !== undefined) transition(ticket, state);
    else assign(ticket, assignment);
  };
  /** The ticket after the command, unless the command has not arrived by then. */
  const settled = async (id: string, isDone: (ticket: Ticket) => boolean) => {
    const ticket = await load(id);
    if (isDone(ticket)) return ticket;
    await new Promise((resolve) => setTimeout(resolve, ON_ITS_WAY_MS));
    return load(id);
  };
  const look = async ({ id, action: { failure, reason, repeat } }: FoundAction) => {
    const { id: ticketId, before, after } = repeat as TicketRepeat;
    const names = Object.keys(after) as (keyof TicketRepeat['after'])[];
    const isDone = (ticket: Ticket) => names.every((name) => ticket[name] === after[name]);
    try {
      const ticket = await settled(ticketId, isDone);
      if (isDone(ticket)) return forget(id);
      const error = changeByOthers(before, names, ticket) ?? new Error(reason ?? NO_ANSWER);
      report({ id, failure, error, repeat: () => again(ticket, after) });
    } catch (error) {
      // The server is unreachable: the record is kept for a later page.
      if (!AtriumError.is(error)) return;
      report({ id, failure, error });
    }
  };
  useEffect(() => {
    if (!may('service-desk.tickets:read')) return;
    for (const found of of.slice(looked.current)) void look(found);
    looked.current = of.length;
  }, [of]);
  return null;
};
