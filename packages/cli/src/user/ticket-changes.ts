/** Tickets, changed. */
import type { Atrium, components } from '../../../sdk/src/index.ts';
import { CommandFailed, usageError } from '../failures.ts';
import type { Invocation } from '../invocation.ts';
import { STANDARD, textIn } from './files.ts';
import { given, underKey } from './given.ts';
import { buildingOf, platformOf, type SandboxOption } from './platform.ts';
import { described, ticketNamed, type Ticket } from './tickets.ts';

type NewTicket = components['schemas']['NewTicket'];

interface Repeatable extends SandboxOption {
  readonly idempotencyKey?: string;
}

interface CreateOptions extends Repeatable {
  readonly description: string;
  readonly building?: string;
  readonly subject?: string;
  readonly priority?: NonNullable<NewTicket['priority']>;
  readonly category?: string;
  readonly type?: string;
  readonly space?: string;
}

export const createTicket = async (invocation: Invocation<CreateOptions>): Promise<void> => {
  const { options, terminal } = invocation;
  const { client } = await platformOf(invocation);
  const { description, subject, priority, category, idempotencyKey } = options;
  const { data } = await client.POST('/api/service-desk/requests', {
    body: {
      buildingId: await buildingOf(client, options.building),
      description,
      ...given({
        subject,
        priority,
        category,
        requestType: options.type,
        spaceId: options.space,
      }),
    },
    ...underKey(idempotencyKey),
  });
  terminal.print(data, () => described(data));
};

export const transitionTicket = async (
  invocation: Invocation<SandboxOption & { readonly note?: string }>,
): Promise<void> => {
  const { words, options, terminal } = invocation;
  const { client } = await platformOf(invocation);
  const { id, number } = await ticketNamed(client, words[0]!);
  const { data } = await client.POST('/api/service-desk/requests/{id}/transition', {
    params: { path: { id } },
    // A state that there is not is refused by the server, which names those there are.
    body: { state: words[1] as Ticket['state'], ...given({ note: options.note }) },
  });
  terminal.print(data, () => `${number} is ${data.state}.`);
};

export const addNote = async (
  invocation: Invocation<Repeatable & { readonly public?: true }>,
): Promise<void> => {
  const { words, options, terminal } = invocation;
  const [ticket = '', text = ''] = words;
  const body = text === STANDARD ? (await textIn(STANDARD)).trim() : text;
  const { client } = await platformOf(invocation);
  const { id, number } = await ticketNamed(client, ticket);
  const { data } = await client.POST('/api/service-desk/requests/{id}/updates', {
    params: { path: { id } },
    body: { body, visibility: options.public ? 'public' : 'internal' },
    ...underKey(options.idempotencyKey),
  });
  terminal.print(data, () => `Noted on ${number}, ${data.visibility}.`);
};

interface AssignOptions extends Repeatable {
  /** `false`: `--no-user`. */
  readonly user?: string | false;
  readonly team?: string | false;
  readonly note?: string;
}

export const assignTicket = async (invocation: Invocation<AssignOptions>): Promise<void> => {
  const { words, options, terminal } = invocation;
  const { user, team, note, idempotencyKey } = options;
  if (user === undefined && team === undefined)
    throw usageError('name the assignee: --user, --team, --no-user or --no-team');
  const { client } = await platformOf(invocation);
  const { id, number } = await ticketNamed(client, words[0]!);
  const { data } = await client.POST('/api/service-desk/requests/{id}/assign', {
    params: { path: { id } },
    body: given({
      assignedUserId: user === false ? null : user && (await assigneeOf(client, user, 'items')),
      assignedTeamId: team === false ? null : team && (await assigneeOf(client, team, 'teams')),
      note,
    }),
    ...underKey(idempotencyKey),
  });
  const { assignedUserId, assignedTeamId } = data;
  const to = [assignedUserId, assignedTeamId].filter((one) => one !== null).join(', ');
  terminal.print(data, () => `${number} is assigned to ${to || 'nobody'}.`);
};

/** The id of the person or team of this name; a word that is no name is an id. */
const assigneeOf = async (
  client: Atrium,
  word: string,
  among: 'items' | 'teams',
): Promise<string> => {
  const { data } = await client.GET('/api/service-desk/people', {
    params: { query: { search: word } },
  });
  const found =
    among === 'items'
      ? data.items.map(({ userId, name }) => ({ id: userId, name }))
      : data.teams.map(({ teamId, name }) => ({ id: teamId, name }));
  if (found.some(({ id }) => id === word)) return word;
  const named = found.filter(({ name }) => name === word).map(({ id }) => id);
  if (named.length > 1) throw new CommandFailed(`several are called ${word}: ${named.join(', ')}`);
  return named[0] ?? word;
};
