/** The question that list and board ask, kept in the address. contract.md section 5. */
import { priorities, type Ticket } from './words.tsx';

export const FILTERS = [
  'search',
  'state',
  'priority',
  'category',
  'buildingId',
  'storeyId',
  'spaceId',
  'elementId',
  'assigned',
  'assignedUserId',
  'assignedTeamId',
  'reporterUserId',
  'overdue',
] as const;

export type Filters = Readonly<Record<string, string>>;

export const filtersIn = (query: URLSearchParams): Filters =>
  Object.fromEntries(
    FILTERS.flatMap((name) => {
      const value = query.get(name);
      return value ? [[name, value] as const] : [];
    }),
  );

const ENDED: ReadonlySet<Ticket['state']> = new Set(['resolved', 'closed', 'cancelled']);

/** The earlier due time of the running clocks, in milliseconds since 1970; `null` for none. */
export const nextDueAt = (ticket: Ticket): number | null => {
  if (ENDED.has(ticket.state)) return null;
  const firstResponse = ticket.firstRespondedAt === null ? ticket.slaFirstResponseDueAt : null;
  const due = [firstResponse, ticket.slaResolutionDueAt].filter((at) => at !== null);
  return due.length === 0 ? null : Math.min(...due.map((at) => Date.parse(at)));
};

/** Filters whose value is a member of the ticket. */
const MEMBERS: Readonly<Record<string, keyof Ticket>> = {
  buildingId: 'buildingId',
  storeyId: 'storeyId',
  spaceId: 'spaceId',
  elementId: 'elementId',
  assignedUserId: 'assignedUserId',
  assignedTeamId: 'assignedTeamId',
};

const LISTS = ['state', 'priority', 'category'] as const;

/**
 * Whether a ticket belongs to the list, as far as the ticket itself says so: the server also
 * searches the names of its place.
 *
 * @param userId Of the person at the screen, for `assigned=me`.
 */
export const fits = (ticket: Ticket, filters: Filters, userId: string): boolean =>
  Object.entries(MEMBERS).every(
    ([name, member]) => filters[name] === undefined || ticket[member] === filters[name],
  ) &&
  LISTS.every(
    (name) => filters[name] === undefined || filters[name].split(',').includes(ticket[name] ?? ''),
  ) &&
  (filters['assigned'] !== 'me' || ticket.assignedUserId === userId) &&
  (filters['overdue'] === undefined || String(isOverdue(ticket)) === filters['overdue']) &&
  hasWords(ticket, filters['search'] ?? '');

const isOverdue = (ticket: Ticket): boolean => {
  const due = nextDueAt(ticket);
  return due !== null && due < Date.now();
};

const hasWords = (ticket: Ticket, search: string): boolean => {
  const { number, subject, description, category, reporterName } = ticket;
  const text = [number, subject, description, category, reporterName].join('\n').toLowerCase();
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return words.every((word) => text.includes(word));
};

export const SORTS = [
  ['dueAt', 'Soonest due'],
  ['-updatedAt', 'Last changed'],
  ['-priority', 'Most urgent'],
  ['-createdAt', 'Newest'],
  ['createdAt', 'Oldest'],
] as const;

/** Most urgent first. */
export const byUrgency = (a: Ticket, b: Ticket): number =>
  priorities.indexOf(a.priority) - priorities.indexOf(b.priority);
