/**
 * The webhook slots of one organisation, in `webhookQuota-<organisation>`: at most 50, and at most
 * 10 for one URL host. Both rules count over all subscriptions, so neither fits into the stream of
 * a single one.
 *
 * A slot is reserved before its subscription is registered or gets another URL. Slots are
 * reconciled with the subscriptions only when a limit is reached: until then a slot of a deleted
 * subscription does no harm, and an interrupted request leaves nothing to clean up.
 */
import { z } from 'zod';
import {
  refuse,
  tableOf,
  type Decider,
  type Decision,
  type Instant,
  type Occasion,
} from '../../../engine/aggregates/decider.ts';
import { text } from '../../../engine/log/event-fields.ts';
import {
  WEBHOOK_SLOT_PENDING_MAX_MS,
  WEBHOOKS_OF_HOST_MAX,
  WEBHOOKS_OF_ORGANISATION_MAX,
} from './limits.ts';

export const webhookQuotaEventSchemas = {
  SlotTaken: z.strictObject({ type: z.literal('SlotTaken'), webhookId: z.uuid(), host: text }),
  /** Its subscription has this host, and no other request for it is running. */
  SlotSettled: z.strictObject({ type: z.literal('SlotSettled'), webhookId: z.uuid(), host: text }),
  SlotReleased: z.strictObject({ type: z.literal('SlotReleased'), webhookId: z.uuid() }),
};

export type WebhookQuotaEvent = {
  [T in keyof typeof webhookQuotaEventSchemas]: Readonly<
    z.infer<(typeof webhookQuotaEventSchemas)[T]>
  >;
}[keyof typeof webhookQuotaEventSchemas];

/** A subscription and the host of its URL. */
export interface HostedWebhook {
  readonly webhookId: string;
  readonly host: string;
}

/** A subscription that has a slot, as recorded in the log. `host` is `null` for a deleted one. */
export type ActualWebhook =
  | { readonly webhookId: string; readonly isRegistered: false }
  | { readonly webhookId: string; readonly isRegistered: true; readonly host: string | null };

export type WebhookQuotaCommand =
  | {
      readonly type: 'TakeSlot';
      readonly webhookId: string;
      readonly host: string;
      /** Registered subscriptions, some of them older than this quota and without a slot. */
      readonly registered: readonly HostedWebhook[];
    }
  | { readonly type: 'ReconcileSlots'; readonly actual: readonly ActualWebhook[] };

export interface WebhookSlot {
  /** Usually one; during a change of the URL, the new host is the last. */
  readonly hosts: readonly string[];
  readonly takenAt: Instant;
}

export interface WebhookQuota {
  readonly slots: ReadonlyMap<string, WebhookSlot>;
}

const decide = tableOf<WebhookQuotaCommand, [WebhookQuota, Occasion], Decision<WebhookQuotaEvent>>({
  TakeSlot: ({ webhookId, host, registered }, { slots }) => {
    const hostsOf = hostsByWebhook(slots, registered);
    const isNew = !hostsOf.delete(webhookId);
    if (isNew && hostsOf.size >= WEBHOOKS_OF_ORGANISATION_MAX)
      return limitReached(`${hostsOf.size} webhooks`, WEBHOOKS_OF_ORGANISATION_MAX);
    const ofHost = [...hostsOf.values()].filter((hosts) => hosts.has(host)).length;
    if (ofHost >= WEBHOOKS_OF_HOST_MAX)
      return limitReached(`${ofHost} webhooks to this host`, WEBHOOKS_OF_HOST_MAX);
    const isTaken = slots.get(webhookId)?.hosts.at(-1) === host;
    return isTaken ? [] : [{ type: 'SlotTaken', webhookId, host }];
  },

  ReconcileSlots: ({ actual }, { slots }, { at }) =>
    actual.flatMap((webhook): readonly WebhookQuotaEvent[] => {
      const { webhookId } = webhook;
      const slot = slots.get(webhookId);
      if (!slot) return [];
      const isPending = Date.parse(at) - Date.parse(slot.takenAt) < WEBHOOK_SLOT_PENDING_MAX_MS;
      if (!webhook.isRegistered) return isPending ? [] : [{ type: 'SlotReleased', webhookId }];
      const { host } = webhook;
      if (host === null) return [{ type: 'SlotReleased', webhookId }];
      if (slot.hosts.length === 1 && slot.hosts[0] === host) return [];
      const isChanging = slot.hosts.at(-1) !== host && isPending;
      return isChanging ? [] : [{ type: 'SlotSettled', webhookId, host }];
    }),
});

const evolve = tableOf<WebhookQuotaEvent, [WebhookQuota, Instant], WebhookQuota>({
  SlotTaken: ({ webhookId, host }, { slots }, takenAt) => {
    const others = (slots.get(webhookId)?.hosts ?? []).filter((one) => one !== host);
    return { slots: new Map(slots).set(webhookId, { hosts: [...others, host], takenAt }) };
  },

  SlotSettled: ({ webhookId, host }, { slots }, takenAt) => ({
    slots: new Map(slots).set(webhookId, { hosts: [host], takenAt }),
  }),

  SlotReleased: ({ webhookId }, { slots }) => ({
    slots: new Map([...slots].filter(([held]) => held !== webhookId)),
  }),
});

/** Refuses `WEBHOOK_LIMIT_REACHED` with `limit`. */
export const webhookQuotaDecider: Decider<WebhookQuotaCommand, WebhookQuota, WebhookQuotaEvent> = {
  initial: { slots: new Map() },
  decide,
  evolve,
};

/** The quota after an event. */
export const webhookQuotaAfter = (
  { event, at }: { readonly event: WebhookQuotaEvent; readonly at: Instant },
  before: WebhookQuota | null,
): WebhookQuota => evolve(event, before ?? webhookQuotaDecider.initial, at);

const hostsByWebhook = (
  slots: WebhookQuota['slots'],
  registered: readonly HostedWebhook[],
): Map<string, Set<string>> => {
  const hostsOf = new Map([...slots].map(([id, { hosts }]) => [id, new Set(hosts)]));
  for (const { webhookId, host } of registered) {
    const hosts = hostsOf.get(webhookId);
    if (hosts) hosts.add(host);
    else hostsOf.set(webhookId, new Set([host]));
  }
  return hostsOf;
};

const limitReached = (existing: string, limit: number) => {
  const detail = `The organisation has ${existing}; at most ${limit} are allowed.`;
  return refuse('WEBHOOK_LIMIT_REACHED', detail, { limit });
};
