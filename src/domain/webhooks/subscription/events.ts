/**
 * What is on disk of a webhook subscription, in `subscription-<webhookId>`. Names and shapes here
 * are a contract with every event ever stored. A secret stands here sealed, bound to this stream.
 */
import { z } from 'zod';
import { instant, text } from '../../../engine/aggregates/event-fields.ts';

/** interface.md «Webhook event types»: nothing raises the last two yet. */
export const webhookEventTypes = [
  'building.point.updated',
  'building.alarm.triggered',
  'building.element.status_changed',
  'building.changeset.applied',
] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

const details = {
  url: text,
  events: z.array(z.enum(webhookEventTypes)).min(1),
  /** Only events of this building; `null`: of every one of the organisation. */
  buildingId: z.uuid().nullable(),
  description: z.string().nullable(),
};

/** `v1.<key id>.<nonce>.<ciphertext and tag>`. */
const sealed = text;

export const subscriptionEventSchemas = {
  SubscriptionRegistered: z.strictObject({
    type: z.literal('SubscriptionRegistered'),
    webhookId: z.uuid(),
    organisation: text,
    ...details,
    sealedSecret: sealed,
  }),
  SubscriptionChanged: z.strictObject({ type: z.literal('SubscriptionChanged'), ...details }),
  /** The secret that it replaces signs until `previousUntil`. */
  SecretRotated: z.strictObject({
    type: z.literal('SecretRotated'),
    sealedSecret: sealed,
    previousUntil: instant,
  }),
  /** An attempt at a delivery failed, and it counts. */
  AttemptFailed: z.strictObject({
    type: z.literal('AttemptFailed'),
    deliveryId: z.uuid(),
    attempt: z.int().min(1),
    finishedAt: instant,
    consecutiveFailures: z.int().min(1),
  }),
  SubscriptionPaused: z.strictObject({ type: z.literal('SubscriptionPaused') }),
  /** One event is let through while it is paused. */
  ProbeAdmitted: z.strictObject({ type: z.literal('ProbeAdmitted'), deliveryId: z.uuid() }),
  /** An attempt has succeeded, or somebody says so: the count is 0 and nothing is paused. */
  FailuresCleared: z.strictObject({
    type: z.literal('FailuresCleared'),
    by: z.enum(['success', 'reset']),
  }),
  TestRequested: z.strictObject({ type: z.literal('TestRequested'), deliveryId: z.uuid() }),
  /** What was delivered once, or never, is delivered again under an id of its own. */
  RedeliveryRequested: z.strictObject({
    type: z.literal('RedeliveryRequested'),
    deliveryId: z.uuid(),
    /** Where the log has what the delivery that is repeated was sent. */
    journal: text,
    revision: z.int().min(0),
    /** That delivery, where the fact there is of several. */
    original: z.uuid().optional(),
  }),
  /** What was left out while it was paused, from `since` up to `until`, is delivered after all. */
  RecoveryRequested: z.strictObject({
    type: z.literal('RecoveryRequested'),
    since: instant,
    until: instant,
  }),
  SubscriptionDeleted: z.strictObject({ type: z.literal('SubscriptionDeleted') }),
};

export type SubscriptionEvent = {
  [T in keyof typeof subscriptionEventSchemas]: Readonly<
    z.infer<(typeof subscriptionEventSchemas)[T]>
  >;
}[keyof typeof subscriptionEventSchemas];
