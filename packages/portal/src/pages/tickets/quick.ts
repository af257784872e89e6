/**
 * The quick actions on one ticket, for the ticket's page, the list and the board. Each sends only
 * what it changes, with `If-Match`: a change of a colleague to something else does not disturb it,
 * and one to the same member is kept, and reported. contract.md sections 1 and 5.
 */
import { AtriumError } from '../../../../sdk/src/index.ts';
import type { Latest } from '../../actions.ts';
import { usePortal } from '../../context.ts';
import { useQuickActions } from '../../ui/quick-actions.tsx';
import { useAllowedStates } from './graph.ts';
import { stateName, type Priority, type State, type Ticket } from './words.tsx';

export type Assignment = Partial<Pick<Ticket, 'assignedUserId' | 'assignedTeamId'>>;

export interface TicketActions {
  readonly setPriority: (ticket: Ticket, priority: Priority) => void;
  /** Only the members that are given are sent; `null` unassigns. */
  readonly assign: (ticket: Ticket, assignment: Assignment) => void;
  readonly transition: (ticket: Ticket, state: State) => void;
  /** The states that `transition` may be given for a ticket as it is shown. */
  readonly allowed: (ticket: Ticket) => readonly State[];
}

/** Attempts of one command against changes of others to other members. */
const ATTEMPTS_MAX = 4;

const MEMBER_NAMES: Readonly<Record<string, string>> = {
  assignedUserId: 'assignee',
  assignedTeamId: 'team',
};

const shown = (value: Ticket[keyof Ticket]): string =>
  value === null ? 'nobody' : typeof value === 'string' ? value : JSON.stringify(value);

type Command = (ticket: Ticket, header: { 'If-Match': string }) => Promise<{ data?: Ticket }>;

export const useTicketActions = (): TicketActions => {
  const { api, me } = usePortal();
  const { act } = useQuickActions();
  const allowedFrom = useAllowedStates();

  /**
   * Gives a command at the newest revision, as long as the members that it sets are as in `seen`.
   *
   * @throws Error that names the member which somebody else has changed.
   */
  const unlessChanged = async (
    seen: Ticket,
    names: readonly (keyof Ticket)[],
    latest: Latest,
    command: Command,
  ): Promise<readonly Ticket[]> => {
    const params = { path: { id: seen.id } };
    let current = latest(seen);
    for (let attempt = 1; ; attempt += 1) {
      const other = names.find((name) => current[name] !== seen[name]);
      if (other !== undefined)
        throw new Error(
          `somebody else has set its ${MEMBER_NAMES[other] ?? other} to ` +
            `${shown(current[other])} meanwhile.`,
        );
      try {
        const { data } = await command(current, { 'If-Match': `"${current.revision}"` });
        return [data!];
      } catch (error) {
        const isStale = AtriumError.is(error, 'PRECONDITION_FAILED');
        if (!isStale || attempt === ATTEMPTS_MAX) throw error;
        const { data } = await api.GET('/api/service-desk/requests/{id}', { params });
        current = data!;
      }
    }
  };

  const patch =
    (priority: Priority): Command =>
    ({ id }, header) =>
      api.PATCH('/api/service-desk/requests/{id}', {
        params: { path: { id }, header },
        body: { priority },
        keepalive: true,
      });
  const assigning =
    (body: Assignment): Command =>
    ({ id }, header) =>
      api.POST('/api/service-desk/requests/{id}/assign', {
        params: { path: { id }, header },
        body,
        keepalive: true,
      });
  const moving =
    (state: State): Command =>
    ({ id }, header) =>
      api.POST('/api/service-desk/requests/{id}/transition', {
        params: { path: { id }, header },
        body: { state },
        keepalive: true,
      });

  return {
    setPriority(ticket, priority) {
      if (ticket.priority === priority) return;
      act({
        words: `${ticket.number}: priority set to ${priority}`,
        failure: `The priority of ${ticket.number} was not changed`,
        items: [ticket],
        shows: { priority },
        send: (latest) => unlessChanged(ticket, ['priority'], latest, patch(priority)),
        revert: ([sent], latest) =>
          unlessChanged(sent!, ['priority'], latest, patch(ticket.priority)),
      });
    },
    assign(ticket, assignment) {
      const names = Object.keys(assignment) as (keyof Assignment)[];
      const changed = names.filter((name) => assignment[name] !== ticket[name]);
      if (changed.length === 0) return;
      const before = Object.fromEntries(changed.map((name) => [name, ticket[name]]));
      const after = Object.fromEntries(changed.map((name) => [name, assignment[name]]));
      // The first assignment is the first response, which no command takes back.
      const isResponse =
        ticket.firstRespondedAt === null && Object.values(after).some((to) => to !== null);
      const assignees = Object.values(after).map((to) =>
        to === me.actor.id ? 'you' : (to ?? 'nobody'),
      );
      act({
        words: `${ticket.number}: assigned to ${assignees.join(', ')}`,
        failure: `${ticket.number} was not assigned`,
        items: [ticket],
        shows: after,
        send: (latest) => unlessChanged(ticket, changed, latest, assigning(after)),
        ...(!isResponse && {
          revert: ([sent]: readonly Ticket[], latest: Latest) =>
            unlessChanged(sent!, changed, latest, assigning(before)),
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
        send: (latest) => unlessChanged(ticket, ['state'], latest, moving(state)),
        ...(back !== null && {
          revert: ([sent]: readonly Ticket[], latest: Latest) =>
            unlessChanged(sent!, ['state'], latest, moving(back)),
        }),
      });
    },
    allowed: (ticket) => allowedFrom(ticket, ticket.state),
  };
};
