/** Tickets, changed. */
import type { components } from '../../../sdk/src/index.ts';
import type { Invocation } from '../invocation.ts';
import { buildingOf, platformOf, type SandboxOption } from './platform.ts';
import { described, ticketNamed, type Ticket } from './tickets.ts';

type NewTicket = components['schemas']['NewTicket'];

interface CreateOptions extends SandboxOption {
  readonly description: string;
  readonly building?: string;
  readonly subject?: string;
  readonly priority?: NewTicket['priority'];
  readonly category?: string;
  readonly type?: string;
  readonly space?: string;
  readonly idempotencyKey?: string;
}

export const createTicket = async (invocation: Invocation<CreateOptions>): Promise<void> => {
  const { options, terminal } = invocation;
  const { client } = await platformOf(invocation);
  const { description, subject, priority, category, idempotencyKey } = options;
  const said = { subject, priority, category, requestType: options.type, spaceId: options.space };
  const known = Object.entries(said).filter(([, value]) => value !== undefined);
  const { data } = await client.POST('/api/service-desk/requests', {
    body: {
      buildingId: await buildingOf(client, options.building),
      description,
      ...(Object.fromEntries(known) as Partial<NewTicket>),
    },
    ...(idempotencyKey === undefined ? {} : { headers: { 'Idempotency-Key': idempotencyKey } }),
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
    body: {
      // A state that there is not is refused by the server, which names those there are.
      state: words[1] as Ticket['state'],
      ...(options.note === undefined ? {} : { note: options.note }),
    },
  });
  terminal.print(data, () => `${number} is ${data.state}.`);
};
