/** Tickets, looked at. */
import type { Atrium, components, operations } from '../../../sdk/src/index.ts';
import { CommandFailed } from '../failures.ts';
import type { Invocation } from '../invocation.ts';
import { localTime, printable, record } from '../terminal/text.ts';
import { given } from './given.ts';
import { collected, pageOf, printList, type Columns, type LimitOptions } from './list.ts';
import { platformOf, type SandboxOption } from './platform.ts';

export type Ticket = components['schemas']['Ticket'];
type Query = NonNullable<operations['listTickets']['parameters']['query']>;

type Sort = NonNullable<Query['sort']>;

export interface FilterOptions {
  readonly state?: NonNullable<Query['state']>;
  readonly priority?: NonNullable<Query['priority']>;
  readonly category?: NonNullable<Query['category']>;
  readonly building?: string;
  readonly storey?: string;
  readonly space?: string;
  readonly element?: string;
  readonly user?: string;
  readonly team?: string;
  readonly reporter?: string;
  readonly search?: string;
  readonly mine?: true;
  readonly overdue?: true;
  readonly field?: Readonly<Record<string, string>>;
}

interface ListOptions extends SandboxOption, FilterOptions, LimitOptions {
  readonly sort?: Sort;
}

const PAGE_MAX = 200;

const COLUMNS: Columns<Ticket> = {
  number: ({ number }) => number,
  state: ({ state }) => state,
  priority: ({ priority }) => priority,
  subject: ({ subject, description }) => subject ?? description,
  created: ({ createdAt }) => localTime(createdAt),
};

export const listTickets = async (invocation: Invocation<ListOptions>): Promise<void> => {
  const { options } = invocation;
  const { client } = await platformOf(invocation);
  const { sort } = options;
  const query = { ...filtersOf(options), ...given({ sort }), ...pageOf(options, PAGE_MAX) };
  const tickets = client.items('/api/service-desk/requests', { params: { query } });
  await printList(invocation, tickets, COLUMNS, 'There is no such ticket.');
};

/** The filters of the API that were given. */
export const filtersOf = (
  options: FilterOptions,
): Omit<Query, 'page' | 'limit' | 'sort' | 'number'> => {
  const { state, priority, category, search, overdue, mine, field } = options;
  return given({
    state,
    priority,
    category,
    search,
    overdue,
    buildingId: options.building,
    storeyId: options.storey,
    spaceId: options.space,
    elementId: options.element,
    assignedUserId: options.user,
    assignedTeamId: options.team,
    reporterUserId: options.reporter,
    assigned: mine ? 'me' : undefined,
    fields: field,
  });
};

/** The ticket and all that happened to it. */
export const getTicket = async (invocation: Invocation<SandboxOption>): Promise<void> => {
  const { client } = await platformOf(invocation);
  const ticket = await ticketNamed(client, invocation.words[0]!);
  const timeline = await collected(
    client.items('/api/service-desk/requests/{id}/updates', {
      params: { path: { id: ticket.id }, query: { limit: 500 } },
    }),
  );
  invocation.terminal.print({ ...ticket, timeline }, () =>
    [described(ticket), '', ...timeline.map(entryLine)].join('\n'),
  );
};

/** @throws {@link CommandFailed} if no ticket has this number. */
export const ticketNamed = async (client: Atrium, word: string): Promise<Ticket> => {
  if (!/^SR-\d+$/i.test(word)) {
    const params = { path: { id: word } };
    return (await client.GET('/api/service-desk/requests/{id}', { params })).data;
  }
  const { data } = await client.GET('/api/service-desk/requests', {
    params: { query: { number: word } },
  });
  const [found] = data.items;
  if (found) return found;
  throw new CommandFailed(`no ticket has the number ${word.toUpperCase()}`);
};

export const described = (ticket: Ticket): string =>
  record({
    number: ticket.number,
    state: ticket.state,
    priority: ticket.priority,
    subject: ticket.subject,
    description: ticket.description,
    category: ticket.category,
    team: ticket.assignedTeamId,
    user: ticket.assignedUserId,
    created: localTime(ticket.createdAt),
    'respond by': timeOrNull(ticket.slaFirstResponseDueAt),
    'resolve by': timeOrNull(ticket.slaResolutionDueAt),
    id: ticket.id,
  });

type Entry = components['schemas']['TimelineEntry'];

/** `2026-03-02 12:00  state  Ada Agent: new → triaged` */
const entryLine = ({ at, kind, actor, body, visibility, from, to }: Entry): string => {
  const change = to === undefined ? null : `${shown(from)} → ${shown(to)}`;
  const what = body ?? change ?? '';
  const isPublic = kind === 'note' && visibility === 'public' ? ', public' : '';
  return printable(`${localTime(at)}  ${kind}${isPublic}  ${actor.name ?? actor.id}: ${what}`);
};

const shown = (value: unknown): string => {
  if (value === null || value === undefined) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

const timeOrNull = (at: string | null): string | null => (at === null ? null : localTime(at));
