/** Webhooks, changed. */
import type { components } from '../../../../sdk/src/index.ts';
import type { Invocation } from '../../invocation.ts';
import { localTime } from '../../terminal/text.ts';
import { given, underKey } from '../given.ts';
import { buildingOf, platformOf, type SandboxOption } from '../platform.ts';
import { described, webhookNamed } from './webhooks.ts';

type WithSecret = components['schemas']['WebhookWithSecret'];

interface CreateOptions extends SandboxOption {
  readonly events: string[];
  readonly building?: string;
  readonly description?: string;
  readonly idempotencyKey?: string;
}

export const createWebhook = async (invocation: Invocation<CreateOptions>): Promise<void> => {
  const { words, options } = invocation;
  const { events, building, description, idempotencyKey } = options;
  const { client } = await platformOf(invocation);
  const buildingId = building && (await buildingOf(client, building));
  const { data } = await client.POST('/api/v1/webhooks', {
    body: { url: words[0]!, events, ...given({ buildingId, description }) },
    ...underKey(idempotencyKey),
  });
  printSecret(invocation, data);
};

export const rotateSecret = async (invocation: Invocation<SandboxOption>): Promise<void> => {
  const { client } = await platformOf(invocation);
  const { webhookId } = await webhookNamed(client, invocation.words[0]!);
  const { data } = await client.POST('/api/v1/webhooks/{webhookId}/rotate-secret', {
    params: { path: { webhookId } },
  });
  printSecret(invocation, data);
};

const printSecret = ({ terminal }: Invocation, webhook: WithSecret): void => {
  terminal.print(webhook, () => described(webhook));
  terminal.notice(
    webhook.secret === undefined
      ? 'Only the first answer had the secret; if that was lost, make a new one with ' +
          `atrium webhooks rotate-secret ${webhook.webhookId}`
      : 'The secret is shown only once: store it now.',
  );
};

export const resetFailures = async (invocation: Invocation<SandboxOption>): Promise<void> => {
  const { client } = await platformOf(invocation);
  const { webhookId } = await webhookNamed(client, invocation.words[0]!);
  const { data } = await client.POST('/api/v1/webhooks/{webhookId}/reset-failures', {
    params: { path: { webhookId } },
  });
  invocation.terminal.print(data, () => `${data.url} is ${data.status}.`);
};

export const deleteWebhook = async (
  invocation: Invocation<SandboxOption & { readonly yes?: true }>,
): Promise<void> => {
  const { words, options, terminal } = invocation;
  const { client } = await platformOf(invocation);
  const { webhookId, url } = await webhookNamed(client, words[0]!);
  if (!options.yes) await terminal.confirm(`Delete the webhook of ${url} (${webhookId})?`);
  await client.DELETE('/api/v1/webhooks/{webhookId}', { params: { path: { webhookId } } });
  terminal.print({ webhookId, deleted: true }, () => `Deleted ${url} (${webhookId}).`);
};

interface RecoverOptions extends SandboxOption {
  readonly since: string;
  readonly until?: string;
}

export const recoverEvents = async (invocation: Invocation<RecoverOptions>): Promise<void> => {
  const { words, options, terminal } = invocation;
  const { client } = await platformOf(invocation);
  const { webhookId, url } = await webhookNamed(client, words[0]!);
  const { data } = await client.POST('/api/v1/webhooks/{webhookId}/recover', {
    params: { path: { webhookId } },
    body: { since: options.since, ...given({ until: options.until }) },
  });
  const { since, until } = data;
  const span = `${localTime(since)} to ${localTime(until)}`;
  terminal.print(data, () => `Sending ${url} the events that were left out from ${span}.`);
};
