/**
 * A subscription: one fold for the API, the list and the deliveries. Its secrets are sealed; the
 * API shows them masked.
 */
import type { Actor, Instant } from '../../../engine/aggregates/decider.ts';
import type { SubscriptionEvent } from './events.ts';
import { healthy, type Health } from './health.ts';
import { secretsAfter, type SubscriptionSecrets } from './secrets.ts';
import { healthAfter, type SubscriptionDetails } from './subscription.ts';

export interface SubscriptionView extends SubscriptionDetails, SubscriptionSecrets, Health {
  readonly webhookId: string;
  readonly organisationId: string;
  readonly createdAt: Instant;
  readonly createdBy: Actor;
  /** Position of its registration: it receives later events. */
  readonly registeredAt: string;
  readonly deletedAt: Instant | null;
}

export interface RecordedSubscriptionEvent {
  readonly event: SubscriptionEvent;
  readonly at: Instant;
  readonly by: Actor;
  readonly position: string;
}

/** Pure and total. `null` for a stream that does not begin with a registration. */
export const subscriptionAfter = (
  { event, at, by, position }: RecordedSubscriptionEvent,
  view: SubscriptionView | null,
): SubscriptionView | null => {
  if (event.type === 'SubscriptionRegistered') {
    const { type: _, organisation: organisationId, ...rest } = event;
    const made = { createdAt: at, createdBy: by, registeredAt: position, deletedAt: null };
    return { ...rest, organisationId, previousSecrets: [], ...healthy, ...made };
  }
  if (view === null) return null;
  if (event.type === 'SubscriptionDeleted') return { ...view, deletedAt: at };
  if (event.type === 'SubscriptionChanged') {
    const { type: _, ...details } = event;
    return { ...view, ...details };
  }
  if (event.type === 'SecretRotated') return { ...view, ...secretsAfter(event, at, view) };
  return { ...view, ...healthAfter(event, at, view) };
};

/** Whether the subscription includes events of this type and building. */
export const subscribesTo = (
  { events, buildingId }: Pick<SubscriptionDetails, 'events' | 'buildingId'>,
  event: { readonly type: string; readonly buildingId: string },
): boolean =>
  (events as readonly string[]).includes(event.type) &&
  (buildingId === null || buildingId === event.buildingId);
