/** Deliveries of a webhook. */
import type { Atrium, components } from '../../../../sdk/src/index.ts';
import { CommandFailed } from '../../failures.ts';
import type { Invocation } from '../../invocation.ts';
import { localTime } from '../../terminal/text.ts';
import { awaited } from '../awaited.ts';
import { underKey } from '../given.ts';
import { printList, type Columns, type LimitOptions } from '../list.ts';
import { platformOf, type SandboxOption } from '../platform.ts';
import { webhookNamed } from './webhooks.ts';

type Attempt = components['schemas']['WebhookDeliveryAttempt'];

/** An attempt takes at most 10 s; others of the same receiver may be before it. */
const ATTEMPTED_MAX_MS = 120_000;
const LOOK_MS = 500;

const outcomeOf = ({ httpCode, error }: Attempt): string => String(httpCode ?? error ?? '');

const COLUMNS: Columns<Attempt> = {
  delivery: ({ deliveryId }) => deliveryId,
  event: ({ event }) => event,
  attempt: ({ attempt }) => String(attempt),
  status: ({ status, deadLettered }) => (deadLettered ? 'given up' : status),
  answer: outcomeOf,
  ms: ({ durationMs }) => String(durationMs),
  at: ({ attemptedAt }) => localTime(attemptedAt),
};

type DeliveriesOptions = SandboxOption & LimitOptions & { readonly dead?: true };

export const listDeliveries = async (invocation: Invocation<DeliveriesOptions>): Promise<void> => {
  const { words, options } = invocation;
  const { client } = await platformOf(invocation);
  const { webhookId } = await webhookNamed(client, words[0]!);
  const attempts = client.items('/api/v1/webhooks/{webhookId}/deliveries', {
    params: { path: { webhookId }, query: { deadLettered: options.dead ?? false } },
  });
  await printList(invocation, attempts, COLUMNS, 'No recent delivery attempts.');
};

interface WaitingOptions extends SandboxOption {
  readonly wait?: true;
  readonly idempotencyKey?: string;
}

export const testWebhook = async (invocation: Invocation<WaitingOptions>): Promise<void> => {
  const { client } = await platformOf(invocation);
  const { webhookId } = await webhookNamed(client, invocation.words[0]!);
  const { data } = await client.POST('/api/v1/webhooks/{webhookId}/test', {
    params: { path: { webhookId } },
  });
  await printDelivery(invocation, client, webhookId, data.deliveryId);
};

export const redeliver = async (invocation: Invocation<WaitingOptions>): Promise<void> => {
  const [word = '', again = ''] = invocation.words;
  const { client } = await platformOf(invocation);
  const { webhookId } = await webhookNamed(client, word);
  const { data } = await client.POST(
    '/api/v1/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver',
    {
      params: { path: { webhookId, deliveryId: again } },
      ...underKey(invocation.options.idempotencyKey),
    },
  );
  await printDelivery(invocation, client, webhookId, data.deliveryId);
};

/** @throws {@link CommandFailed} with `--wait`, if it failed or was not attempted in time. */
const printDelivery = async (
  { options, terminal }: Invocation<WaitingOptions>,
  client: Atrium,
  webhookId: string,
  deliveryId: string,
): Promise<void> => {
  if (!options.wait) {
    terminal.print({ deliveryId }, () => `Delivery ${deliveryId} is queued.`);
    return;
  }
  const attempt = await attempted(client, webhookId, deliveryId);
  const answer = outcomeOf(attempt);
  terminal.print(attempt, () => `Delivery ${deliveryId} ${attempt.status}: ${answer}.`);
  if (attempt.status === 'failed') throw new CommandFailed(`the delivery failed: ${answer}`);
};

const attempted = (client: Atrium, webhookId: string, deliveryId: string): Promise<Attempt> =>
  awaited(
    async () => {
      const { data } = await client.GET('/api/v1/webhooks/{webhookId}/deliveries', {
        params: { path: { webhookId } },
      });
      return data.items.find((one) => one.deliveryId === deliveryId) ?? null;
    },
    {
      everyMs: LOOK_MS,
      withinMs: ATTEMPTED_MAX_MS,
      late: `delivery ${deliveryId} is still queued`,
    },
  );
