/** Webhook slots of an organisation, reserved before a subscription uses them. */
import { v4 as newId } from 'uuid';
import type { Occasion } from '../../engine/aggregates/decider.ts';
import { hostOfUrl } from '../../domain/webhooks/subscription/host.ts';
import { WEBHOOKS_OF_ORGANISATION_MAX } from '../../domain/webhooks/quota/limits.ts';
import type { ActualWebhook, HostedWebhook } from '../../domain/webhooks/quota/quota.ts';
import { Refused } from '../../engine/aggregates/aggregate.ts';
import { chunksOf } from '../../engine/concurrency/chunks.ts';
import type { Subscriptions } from './subscriptions.ts';
import type { WebhookQuotas } from './quotas.ts';

export interface WebhookSlotsParts {
  readonly quotas: WebhookQuotas;
  readonly subscriptions: Pick<Subscriptions, 'look'>;
  /** As the read model lists them: it may lag. */
  readonly registered: (
    organisation: string,
  ) => Promise<readonly { readonly webhookId: string; readonly url: string }[]>;
}

export interface WebhookSlots {
  /**
   * Reserves a slot for a subscription with this URL. Idempotent.
   *
   * @throws {@link Refused} `WEBHOOK_LIMIT_REACHED` with `limit`.
   */
  take(organisation: string, slot: RequestedSlot, occasion: Occasion): Promise<void>;
}

export interface RequestedSlot {
  readonly webhookId: string;
  readonly url: string;
}

/** Subscriptions that one reconciliation reads: twice the limit of an organisation. */
const RECONCILED_MAX = 2 * WEBHOOKS_OF_ORGANISATION_MAX;
/** Subscriptions that one reconciliation reads concurrently. */
const RECONCILED_AT_ONCE = 10;

export const webhookSlots = ({
  quotas,
  subscriptions,
  registered,
}: WebhookSlotsParts): WebhookSlots => {
  const actualOf = async (webhookId: string): Promise<ActualWebhook> => {
    const view = (await subscriptions.look(webhookId))?.view;
    if (!view) return { webhookId, isRegistered: false };
    const host = view.deletedAt === null ? hostOfUrl(view.url) : null;
    return { webhookId, isRegistered: true, host };
  };

  /** Reconciles slots with their subscriptions in the log. @returns The subscriptions. */
  const reconcile = async (
    organisation: string,
    listed: readonly HostedWebhook[],
    occasion: Occasion,
  ): Promise<readonly ActualWebhook[]> => {
    let actual: readonly ActualWebhook[] = [];
    const command = async () => {
      const slots = (await quotas.look(organisation))?.view.slots ?? new Map<string, unknown>();
      const ids = new Set([...slots.keys(), ...listed.map(({ webhookId }) => webhookId)]);
      const webhooks: ActualWebhook[] = [];
      for (const some of chunksOf([...ids].slice(0, RECONCILED_MAX), RECONCILED_AT_ONCE))
        webhooks.push(...(await Promise.all(some.map(actualOf))));
      actual = webhooks;
      return { type: 'ReconcileSlots', actual } as const;
    };
    const given = { commandId: newId(), command, organisation };
    if (await quotas.look(organisation)) await quotas.give(organisation, given, occasion);
    // Without a slot there is nothing to reconcile.
    else await command();
    return actual;
  };

  return {
    async take(organisation, { webhookId, url }, occasion) {
      const rows = await registered(organisation);
      const listed = rows.map((row) => ({ webhookId: row.webhookId, host: hostOfUrl(row.url) }));
      const take = async (webhooks: readonly HostedWebhook[]) => {
        const host = hostOfUrl(url);
        const command = { type: 'TakeSlot', webhookId, host, registered: webhooks } as const;
        await quotas.give(organisation, { commandId: newId(), command, organisation }, occasion);
      };
      try {
        await take(listed);
      } catch (error) {
        if (!isFull(error)) throw error;
        const actual = await reconcile(organisation, listed, occasion);
        await take(corrected(listed, actual));
      }
    },
  };
};

/** The list of the read model, corrected from the log. */
const corrected = (
  listed: readonly HostedWebhook[],
  actual: readonly ActualWebhook[],
): readonly HostedWebhook[] => {
  const byId = new Map(actual.map((webhook) => [webhook.webhookId, webhook]));
  return listed.flatMap((row) => {
    const webhook = byId.get(row.webhookId);
    if (!webhook?.isRegistered) return [row];
    return webhook.host === null ? [] : [{ webhookId: row.webhookId, host: webhook.host }];
  });
};

const isFull = (error: unknown): boolean =>
  error instanceof Refused && error.refusal.refused === 'WEBHOOK_LIMIT_REACHED';
