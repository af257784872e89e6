/** Tickets, looked at. */
import type { Atrium, components, operations } from '../../../sdk/src/index.ts';
import { CommandFailed } from '../failures.ts';
import type { Invocation } from '../invocation.ts';
import { localTime, record } from '../terminal/text.ts';
import { platformOf, type SandboxOption } from './platform.ts';

export type Ticket = components['schemas']['Ticket'];
type Query = NonNullable<operations['listTickets']['parameters']['query']>;

export interface FilterOptions {
  readonly state?: NonNullable<Query['state']>;
  readonly priority?: NonNullable<Query['priority']>;
  readonly category?: NonNullable<Query['category']>;
  readonly building?: string;
  readonly user?: string;
  readonly team?: string;
  readonly search?: string;
  readonly overdue?: true;
}

interface ListOptions extends SandboxOption, FilterOptions {
  readonly limit?: number;
}

const LIMIT = 50;
const PAGE_MAX = 200;

export const listTickets = async (invocation: Invocation<ListOptions>): Promise<void> => {
  const { options, terminal } = invocation;
  const { client } = await platformOf(invocation);
  const { limit = LIMIT } = options;
  const query = { ...filtersOf(options), limit: Math.min(limit, PAGE_MAX) };
  const items: Ticket[] = [];
  for await (const ticket of client.items('/api/service-desk/requests', { params: { query } }))
    if (items.push(ticket) >= limit) break;
  await terminal.printTable(
    { items },
    {
      head: ['number', 'state', 'priority', 'subject', 'created'],
      rows: items.map((ticket) => [
        ticket.number,
        ticket.state,
        ticket.priority,
        ticket.subject ?? ticket.description,
        localTime(ticket.createdAt),
      ]),
      empty: 'There is no such ticket.',
    },
  );
};

/** What was said of them, by the names that the API has. */
export const filtersOf = (options: FilterOptions): Omit<Query, 'page' | 'limit'> => {
  const { state, priority, category, search, overdue, building, user, team } = options;
  const said = {
    state,
    priority,
    category,
    search,
    overdue,
    buildingId: building,
    assignedUserId: user,
    assignedTeamId: team,
  };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
};

export const getTicket = async (invocation: Invocation<SandboxOption>): Promise<void> => {
  const { client } = await platformOf(invocation);
  const ticket = await ticketNamed(client, invocation.words[0]!);
  invocation.terminal.print(ticket, () => described(ticket));
};

/** @throws {@link CommandFailed} if no ticket has this number. */
export const ticketNamed = async (client: Atrium, word: string): Promise<Ticket> => {
  const number = word.toUpperCase();
  if (!/^SR-\d+$/.test(number)) {
    const params = { path: { id: word } };
    return (await client.GET('/api/service-desk/requests/{id}', { params })).data;
  }
  const { data } = await client.GET('/api/service-desk/requests', {
    params: { query: { search: number, limit: PAGE_MAX } },
  });
  const found = data.items.find((ticket) => ticket.number === number);
  if (found) return found;
  throw new CommandFailed(`no ticket has the number ${number}`);
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

const timeOrNull = (at: string | null): string | null => (at === null ? null : localTime(at));
