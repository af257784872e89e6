/** Webhooks, looked at. */
import type { Atrium, components } from '../../../../sdk/src/index.ts';
import type { Invocation } from '../../invocation.ts';
import { localTime, record } from '../../terminal/text.ts';
import { collected, pageOf, printList, type Columns, type LimitOptions } from '../list.ts';
import { isId, oneNamed, type Kind } from '../named.ts';
import { platformOf, type SandboxOption } from '../platform.ts';

export type Webhook = components['schemas']['Webhook'];

const PAGE_MAX = 1_000;

const COLUMNS: Columns<Webhook> = {
  id: ({ webhookId }) => webhookId,
  status: ({ status }) => status,
  failures: ({ consecutiveFailures }) => String(consecutiveFailures),
  url: ({ url }) => url,
  events: ({ events }) => events.join(' '),
};

const WEBHOOKS: Kind<Webhook> = {
  one: 'webhook',
  many: 'webhooks',
  list: 'atrium webhooks list',
  names: ({ url }) => [url],
  label: ({ webhookId, events }) => `${webhookId} (${events.join(' ')})`,
};

export const listWebhooks = async (
  invocation: Invocation<SandboxOption & LimitOptions>,
): Promise<void> => {
  const { client } = await platformOf(invocation);
  const query = pageOf(invocation.options, PAGE_MAX);
  const webhooks = client.items('/api/v1/webhooks', { params: { query } });
  await printList(invocation, webhooks, COLUMNS, 'There are no webhooks.');
};

export const getWebhook = async (invocation: Invocation<SandboxOption>): Promise<void> => {
  const { client } = await platformOf(invocation);
  const webhook = await webhookNamed(client, invocation.words[0]!);
  invocation.terminal.print(webhook, () => described(webhook));
};

/** @throws {@link CommandFailed} if there is none of this URL, or several. */
export const webhookNamed = async (client: Atrium, word: string): Promise<Webhook> => {
  if (isId(word)) {
    const params = { path: { webhookId: word } };
    return (await client.GET('/api/v1/webhooks/{webhookId}', { params })).data;
  }
  const params = { query: { limit: PAGE_MAX } };
  const webhooks = client.items('/api/v1/webhooks', { params });
  return oneNamed(word, await collected(webhooks), WEBHOOKS);
};

export const described = (webhook: Omit<Webhook, 'secret'> & { readonly secret?: string }) =>
  record({
    id: webhook.webhookId,
    url: webhook.url,
    events: webhook.events.join(' '),
    building: webhook.buildingId,
    description: webhook.description,
    status: webhook.status,
    failures: String(webhook.consecutiveFailures),
    'paused at': webhook.pausedAt === null ? null : localTime(webhook.pausedAt),
    'left out': webhook.skippedEvents === 0 ? null : `${webhook.skippedEvents} events`,
    secret: webhook.secret,
    created: localTime(webhook.createdAt),
  });
