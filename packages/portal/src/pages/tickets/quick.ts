/**
 * The quick actions on one ticket, for the ticket's page, the list and the board. Each sends only
 * what it changes, with `If-Match`: a concurrent change of other members does not conflict, and one
 * of the same member wins and is reported. contract.md sections 1 and 5.
 */
import type { Latest } from '../../actions.ts';
import { usePortal } from '../../context.ts';
import { useQuickActions } from '../../ui/quick-actions.tsx';
import { useAllowedStates } from './graph.ts';
import { useTicketCommands, type TicketCommand } from './ticket-commands.ts';
import { stateName, type Priority, type State, type Ticket } from './words.tsx';

export type Assignment = Partial<Pick<Ticket, 'assignedUserId' | 'assignedTeamId'>>;

/** A quick action as plain data. */
export interface TicketRepeat {
  readonly id: string;
  /** The members that it sets: their values before and after. */
  readonly before: Partial<Ticket>;
  readonly after: Pick<Partial<Ticket>, 'priority' | 'state'> & Assignment;
}

export interface TicketActions {
  readonly setPriority: (ticket: Ticket, priority: Priority) => void;
  /** Sends only the given members; `null` unassigns. */
  readonly assign: (ticket: Ticket, assignment: Assignment) => void;
  readonly transition: (ticket: Ticket, state: State) => void;
  /** The target states that `transition` accepts for a ticket as it is shown. */
  readonly allowed: (ticket: Ticket) => readonly State[];
}

const repeatOf = (ticket: Ticket, after: TicketRepeat['after']): TicketRepeat => ({
  id: ticket.id,
  before: Object.fromEntries(
    (Object.keys(after) as (keyof Ticket)[]).map((name) => [name, ticket[name]]),
  ),
  after,
});

export const useTicketActions = (): TicketActions => {
  const { me } = usePortal();
  const { act } = useQuickActions();
  const allowedFrom = useAllowedStates();
  const { unlessChanged, patch, assign, move } = useTicketCommands();

  const give = async (
    seen: Ticket,
    names: readonly (keyof Ticket)[],
    command: TicketCommand,
    latest: Latest,
  ): Promise<readonly Ticket[]> => [await unlessChanged(seen, names, command, latest)];

  return {
    setPriority(ticket, priority) {
      if (ticket.priority === priority) return;
      act({
        words: `${ticket.number}: priority set to ${priority}`,
        failure: `The priority of ${ticket.number} was not changed`,
        items: [ticket],
        shows: { priority },
        repeat: repeatOf(ticket, { priority }),
        send: (latest) => give(ticket, ['priority'], patch({ priority }), latest),
        revert: ([sent], latest) =>
          give(sent!, ['priority'], patch({ priority: ticket.priority }), latest),
      });
    },
    assign(ticket, assignment) {
      const names = Object.keys(assignment) as (keyof Assignment)[];
      const changed = names.filter((name) => assignment[name] !== ticket[name]);
      if (changed.length === 0) return;
      const before = Object.fromEntries(changed.map((name) => [name, ticket[name]]));
      const after = Object.fromEntries(changed.map((name) => [name, assignment[name]]));
      // The first assignment counts as the first response, which no command can undo.
      const isAssigned = Object.values(after).some((to) => to !== null);
      const isResponse = ticket.firstRespondedAt === null && isAssigned;
      const assignees = Object.values(after).map((to) =>
        to === me.actor.id ? 'you' : (to ?? 'nobody'),
      );
      act({
        words: `${ticket.number}: assigned to ${assignees.join(', ')}`,
        failure: isAssigned
          ? `${ticket.number} was not assigned to ${assignees.join(', ')}`
          : `${ticket.number} is still assigned`,
        items: [ticket],
        shows: after,
        repeat: repeatOf(ticket, after),
        send: (latest) => give(ticket, changed, assign(after), latest),
        ...(!isResponse && {
          revert: ([sent]: readonly Ticket[], latest: Latest) =>
            give(sent!, changed, assign(before), latest),
        }),
      });
    },
    transition(ticket, state) {
      if (ticket.state === state) return;
      const back = allowedFrom(ticket, state).includes(ticket.state) ? ticket.state : null;
      act({
        words: `${ticket.number}: ${stateName[state]}`,
        failure: `${ticket.number} was not moved to ${stateName[state]}`,
        items: [ticket],
        shows: { state },
        repeat: repeatOf(ticket, { state }),
        send: (latest) => give(ticket, ['state'], move({ state }), latest),
        ...(back !== null && {
          revert: ([sent]: readonly Ticket[], latest: Latest) =>
            give(sent!, ['state'], move({ state: back }), latest),
        }),
      });
    },
    allowed: (ticket) => allowedFrom(ticket, ticket.state),
  };
};
