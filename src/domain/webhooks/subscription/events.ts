/**
 * Events of a webhook subscription, in `subscription-<webhookId>`. Names and shapes are a contract
 * with every event ever stored. Secrets are sealed, and bound to this stream.
 */
import { z } from 'zod';
import { instant, text } from '../../../engine/log/event-fields.ts';

/** interface.md «Webhook event types»: the last two are not raised yet. */
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
  /** `null`: events of all buildings of the organisation. */
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
  /** The replaced secret signs until `previousUntil`. */
  SecretRotated: z.strictObject({
    type: z.literal('SecretRotated'),
    sealedSecret: sealed,
    previousUntil: instant,
  }),
  /** An attempt failed that counts towards the pause. */
  AttemptFailed: z.strictObject({
    type: z.literal('AttemptFailed'),
    deliveryId: z.uuid(),
    attempt: z.int().min(1),
    finishedAt: instant,
    consecutiveFailures: z.int().min(1),
  }),
  SubscriptionPaused: z.strictObject({ type: z.literal('SubscriptionPaused') }),
  /** One event is sent while the subscription is paused. */
  ProbeAdmitted: z.strictObject({ type: z.literal('ProbeAdmitted'), deliveryId: z.uuid() }),
  /** By a successful attempt or on request: the count is 0 and deliveries resume. */
  FailuresCleared: z.strictObject({
    type: z.literal('FailuresCleared'),
    by: z.enum(['success', 'reset']),
  }),
  TestRequested: z.strictObject({ type: z.literal('TestRequested'), deliveryId: z.uuid() }),
  /** A delivery, successful or not, is repeated under a new id. */
  RedeliveryRequested: z.strictObject({
    type: z.literal('RedeliveryRequested'),
    deliveryId: z.uuid(),
    /** Where the log holds the repeated delivery. */
    journal: text,
    revision: z.int().min(0),
    /** The repeated delivery, if the event there holds several. */
    original: z.uuid().optional(),
  }),
  /** Events skipped by a pause, from `since` to `until`, are delivered. */
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
