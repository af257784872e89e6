/** The query of list and board, kept in the address. contract.md section 5. */
import type { components } from '../../../../sdk/src/index.ts';
import { timeNow } from '../../ui/now.ts';
import { placeMembers } from '../place-members.ts';
import { openClocksOf } from './clocks.ts';
import { edges } from './edges.ts';

type Schemas = components['schemas'];
type Ticket = Schemas['Ticket'];

export const FILTERS = [
  'search',
  'state',
  'priority',
  'category',
  ...placeMembers,
  'assigned',
  'assignedUserId',
  'assignedTeamId',
  'reporterUserId',
  'overdue',
] as const;

/** A filter by a field of a form: `field.leakSize`. */
const FIELD_FILTER = /^field\.[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/** The field key in the name of a filter or column; `null` if it has none. */
export const fieldKeyIn = (name: string): string | null =>
  FIELD_FILTER.test(name) ? name.slice('field.'.length) : null;

export const fieldName = (key: string): string => `field.${key}`;

/** The filters by fields, in the order of the address. */
export const fieldFiltersIn = (filters: Filters): readonly string[] =>
  Object.keys(filters).filter((name) => fieldKeyIn(name) !== null);

export type Filters = Readonly<Record<string, string>>;

/** The sort key of the list, with `-` for descending. */
export type Sort = NonNullable<Schemas['NewView']['sort']>;

export const filtersIn = (query: URLSearchParams): Filters =>
  Object.fromEntries(
    [...FILTERS, ...[...query.keys()].filter((name) => fieldKeyIn(name) !== null)].flatMap(
      (name) => {
        const value = query.get(name);
        return value ? [[name, value] as const] : [];
      },
    ),
  );

export const SORTS: readonly (readonly [Sort, string])[] = [
  ['dueAt', 'Soonest due'],
  ['-dueAt', 'Latest due'],
  ['-priority', 'Most urgent'],
  ['priority', 'Least urgent'],
  ['-updatedAt', 'Last changed'],
  ['updatedAt', 'Longest unchanged'],
  ['-createdAt', 'Newest'],
  ['createdAt', 'Oldest'],
];

/** The query of the list, from its address. */
export interface Asked {
  /** The id of the view that the query is based on. */
  readonly view: string;
  readonly filters: Filters;
  readonly sort: Sort;
  readonly columns: readonly string[];
}

export const OPEN_STATES = 'new,triaged,in_progress,waiting,reopened';
export const ENDED_STATES = 'resolved,closed,cancelled';
export const NEWEST: Sort = '-createdAt';

/** The default query: open tickets, due soonest first. */
export const OPEN = { view: 'open', filters: { state: OPEN_STATES }, sort: 'dueAt' } as const;

const COLUMNS = ['number', 'subject', 'state', 'priority', 'assignee', 'place', 'dueAt'] as const;

export const askedIn = (query: URLSearchParams): Asked => {
  const filters = filtersIn(query);
  const columns = query.get('columns')?.split(',').filter(Boolean) ?? COLUMNS;
  const view = query.get('view') ?? '';
  const isAsked = view !== '' || Object.keys(filters).length > 0;
  const sort = SORTS.find(([key]) => key === query.get('sort'))?.[0];
  if (isAsked) return { view, filters, sort: sort ?? NEWEST, columns };
  return { ...OPEN, sort: sort ?? OPEN.sort, columns };
};

/** The changes of an address from the query `before` to the query `next`. */
export const changesOf = (before: Asked, next: Asked): Readonly<Record<string, string | null>> => ({
  ...Object.fromEntries(fieldFiltersIn(before.filters).map((name) => [name, null])),
  ...addressOf(next),
});

/** The complete query for an address, so that no parameter of an earlier query is left. */
export const addressOf = ({
  view,
  filters,
  sort,
  columns,
}: Asked): Readonly<Record<string, string | null>> => ({
  ...Object.fromEntries(FILTERS.map((name) => [name, null])),
  ...filters,
  view,
  sort,
  columns: columns.join() === COLUMNS.join() ? null : columns.join(),
  page: null,
});

/** The earlier due time of the running clocks, in milliseconds since 1970; `null` for none. */
export const nextDueAt = (ticket: Ticket): number | null => {
  const running = openClocksOf(ticket).filter(({ pausedAt }) => pausedAt === null);
  const due = running.map(({ dueAt }) => Date.parse(dueAt));
  return due.length === 0 ? null : Math.min(...due);
};

/** Filters whose value is a member of the ticket. */
const MEMBERS = [...placeMembers, 'assignedUserId', 'assignedTeamId'] as const;

const LISTS = ['state', 'priority', 'category'] as const;

/** The values of an answer as the server compares them: its options, `true` or `false`. */
const optionsOf = (answer: unknown): readonly string[] =>
  [answer]
    .flat()
    .filter((option) => typeof option === 'string' || typeof option === 'boolean')
    .map(String);

const hasAnswers = ({ formData }: Ticket, filters: Filters): boolean =>
  fieldFiltersIn(filters).every((name) => {
    const key = fieldKeyIn(name)!;
    const options = Object.hasOwn(formData, key) ? optionsOf(formData[key]) : [];
    return filters[name]!.split(',').some((option) => options.includes(option.trim()));
  });

/**
 * Whether a ticket matches the filters, as far as the ticket itself shows it: the server also
 * searches the names of its place.
 *
 * @param userId Of the person at the screen, for `assigned=me`.
 */
export const fits = (ticket: Ticket, filters: Filters, userId: string): boolean =>
  MEMBERS.every((name) => filters[name] === undefined || ticket[name] === filters[name]) &&
  LISTS.every(
    (name) => filters[name] === undefined || filters[name].split(',').includes(ticket[name] ?? ''),
  ) &&
  (filters['assigned'] !== 'me' || ticket.assignedUserId === userId) &&
  (filters['overdue'] === undefined || String(isOverdue(ticket)) === filters['overdue']) &&
  hasAnswers(ticket, filters) &&
  hasWords(ticket, filters['search'] ?? '');

/** Filters whose match a change may begin, by the kind of the change. */
const BEGINS: Readonly<Record<string, RegExp>> = {
  assignment: /^assigned/,
  fields: /^(priority|category|(storey|space|element)Id|field\..*)$/,
  sla: /^overdue$/,
};

/**
 * Whether a ticket that matches the filters may have begun to with this change, which does not say
 * how the ticket was before.
 */
export const mayHaveJoined = (
  { change, ticket: { state } }: Pick<Schemas['TicketChange'], 'change' | 'ticket'>,
  filters: Filters,
): boolean => {
  if (change === 'created') return true;
  if (change !== 'state') return Object.keys(filters).some((name) => BEGINS[change]?.test(name));
  const states = filters['state']?.split(',');
  const before = Object.keys(edges) as (keyof typeof edges)[];
  return before.some((from) => edges[from].includes(state) && states?.includes(from) === false);
};

const isOverdue = (ticket: Ticket): boolean => {
  const due = nextDueAt(ticket);
  return due !== null && due < timeNow();
};

const hasWords = (ticket: Ticket, search: string): boolean => {
  const { number, subject, description, category, reporterName } = ticket;
  const text = [number, subject, description, category, reporterName].join('\n').toLowerCase();
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return words.every((word) => text.includes(word));
};
