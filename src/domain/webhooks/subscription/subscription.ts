/**
 * A webhook subscription: its event types, and the health of its receiver. For an organisation, the
 * subscriptions of others do not exist. contract.md section 7.
 *
 * Ids and sealed secrets arrive in the command, and the URL was checked before.
 */
import { WEBHOOK_SECRET_OVERLAP_HOURS } from '../limits.ts';
import { ANNOUNCEMENT_RETENTION_DAYS } from '../../../limits.ts';
import { mayAddress, type Authority } from '../../authority.ts';
import {
  refuse,
  tableOf,
  type Decider,
  type Decision,
  type Instant,
} from '../../../engine/aggregates/decider.ts';
import type { Occasion, Refusal } from '../../../engine/aggregates/decider.ts';
import { webhookEventTypes, type SubscriptionEvent, type WebhookEventType } from './events.ts';
import { healthy, isTooMany, mayProbe, type Health } from './health.ts';
import { WEBHOOK_PREVIOUS_SECRETS_MAX } from './limits.ts';
import { livePreviousSecrets, secretsAfter, type SubscriptionSecrets } from './secrets.ts';

export type SubscriptionCommand = Command & { readonly authority: Authority };

type Command =
  | {
      readonly type: 'RegisterSubscription';
      readonly webhookId: string;
      readonly organisation: string;
      readonly url: string;
      readonly events: readonly string[];
      readonly buildingId: string | null;
      readonly description: string | null;
      readonly sealedSecret: string;
    }
  /** Absent members stay unchanged. */
  | {
      readonly type: 'ChangeSubscription';
      readonly url?: string | undefined;
      readonly events?: readonly string[] | undefined;
      readonly buildingId?: string | null | undefined;
      readonly description?: string | null | undefined;
    }
  | { readonly type: 'RotateSecret'; readonly sealedSecret: string }
  | { readonly type: 'ResetFailures' }
  | { readonly type: 'CountAttempt'; readonly attempt: FinishedAttempt }
  | { readonly type: 'AdmitProbe'; readonly deliveryId: string }
  | { readonly type: 'RequestTest'; readonly deliveryId: string }
  | {
      readonly type: 'RequestRedelivery';
      readonly deliveryId: string;
      readonly journal: string;
      readonly revision: number;
      readonly original?: string | undefined;
    }
  | {
      readonly type: 'RequestRecovery';
      readonly since: Instant;
      /** Absent: up to now. */
      readonly until?: Instant | undefined;
    }
  | { readonly type: 'DeleteSubscription' };

export interface FinishedAttempt {
  readonly deliveryId: string;
  readonly attempt: number;
  readonly succeeded: boolean;
  readonly startedAt: Instant;
  readonly finishedAt: Instant;
}

export interface SubscriptionDetails {
  readonly url: string;
  readonly events: readonly WebhookEventType[];
  readonly buildingId: string | null;
  readonly description: string | null;
}

interface Registered extends Health, SubscriptionDetails, SubscriptionSecrets {
  readonly organisation: string;
  readonly deleted: boolean;
}

/** `null`: never registered. */
export type Subscription = Registered | null;

const unknown = refuse('NOT_FOUND', 'No webhook has this id.');

const decide = (
  command: SubscriptionCommand,
  subscription: Subscription,
  occasion: Occasion,
): Decision<SubscriptionEvent> => {
  if (command.type === 'RegisterSubscription') return registered(command, subscription);
  const found = subscription && !subscription.deleted ? subscription : null;
  if (!found || !mayAddress(command.authority, found.organisation)) return unknown;
  return changed(command, found, occasion);
};

const registered = (
  command: Extract<SubscriptionCommand, { type: 'RegisterSubscription' }>,
  subscription: Subscription,
): Decision<SubscriptionEvent> => {
  if (subscription) return refuse('CONFLICT', 'This webhook id is in use.');
  const events = eventsOf(command.events);
  if ('refused' in events) return events;
  const { webhookId, organisation, url, buildingId, description, sealedSecret } = command;
  const details = { url, events: [...events], buildingId, description };
  return [{ type: 'SubscriptionRegistered', webhookId, organisation, ...details, sealedSecret }];
};

const changed = tableOf<
  Exclude<SubscriptionCommand, { type: 'RegisterSubscription' }>,
  [Registered, Occasion],
  Decision<SubscriptionEvent>
>({
  ChangeSubscription: (command, now) => {
    const events = eventsOf(command.events ?? now.events);
    if ('refused' in events) return events;
    const { url = now.url, buildingId = now.buildingId, description = now.description } = command;
    const after = { url, events: [...events], buildingId, description };
    const before = { url: now.url, events: now.events, buildingId: now.buildingId };
    const same = JSON.stringify({ ...before, description: now.description });
    return JSON.stringify(after) === same ? [] : [{ type: 'SubscriptionChanged', ...after }];
  },

  RotateSecret: ({ sealedSecret }, now, { at }) => {
    const live = livePreviousSecrets(now, at);
    if (live.length >= WEBHOOK_PREVIOUS_SECRETS_MAX) {
      const detail = `${live.length} previous secrets still sign. The first of them ends at `;
      return refuse('CONFLICT', `${detail}${live.at(-1)!.until}: rotate again then.`);
    }
    const previousUntil = hoursAfter(at, WEBHOOK_SECRET_OVERLAP_HOURS);
    return [{ type: 'SecretRotated', sealedSecret, previousUntil }];
  },

  ResetFailures: (_, now) => (isHealthy(now) ? [] : [{ type: 'FailuresCleared', by: 'reset' }]),

  CountAttempt: ({ attempt: finished }, now) => {
    const { deliveryId, attempt, succeeded, startedAt, finishedAt } = finished;
    if (succeeded) return isHealthy(now) ? [] : [{ type: 'FailuresCleared', by: 'success' }];
    if (now.resetAt !== null && startedAt < now.resetAt) return [];
    const consecutiveFailures = now.consecutiveFailures + 1;
    const failed = { deliveryId, attempt, finishedAt, consecutiveFailures };
    return now.pausedAt === null && isTooMany(consecutiveFailures)
      ? [{ type: 'AttemptFailed', ...failed }, { type: 'SubscriptionPaused' }]
      : [{ type: 'AttemptFailed', ...failed }];
  },

  AdmitProbe: ({ deliveryId }, now, { at }) =>
    mayProbe(now, at)
      ? [{ type: 'ProbeAdmitted', deliveryId }]
      : refuse('CONFLICT', 'It is not the time for a probe.'),

  RequestTest: ({ deliveryId }) => [{ type: 'TestRequested', deliveryId }],

  RequestRedelivery: ({ deliveryId, journal, revision, original }) => [
    {
      type: 'RedeliveryRequested',
      deliveryId,
      journal,
      revision,
      ...(original === undefined ? {} : { original }),
    },
  ],

  RequestRecovery: ({ since, until }, _, { at }) => {
    const end = until === undefined || until > at ? at : until;
    // The journals of older events are deleted: the recorded period is what is covered.
    const oldest = hoursAfter(at, -ANNOUNCEMENT_RETENTION_DAYS * 24);
    const start = since < oldest ? oldest : since;
    return start < end ? [{ type: 'RecoveryRequested', since: start, until: end }] : unrecoverable;
  },

  DeleteSubscription: () => [{ type: 'SubscriptionDeleted' }],
});

const recoveredPeriod =
  'must lie in the past, and before until; until must lie within the last ' +
  `${ANNOUNCEMENT_RETENTION_DAYS} days`;
const unrecoverable = refuse('VALIDATION_FAILED', `since ${recoveredPeriod}.`, {
  errors: [{ path: 'since', message: recoveredPeriod }],
});

/** Without duplicates, in the order of the interface. Refuses `EVENT_NOT_SUBSCRIBABLE`. */
export const eventsOf = (names: readonly string[]): readonly WebhookEventType[] | Refusal => {
  const other = names.find((name) => !(webhookEventTypes as readonly string[]).includes(name));
  if (other !== undefined) {
    const detail = `${JSON.stringify(other)} cannot be subscribed to.`;
    return refuse('EVENT_NOT_SUBSCRIBABLE', detail, { events: webhookEventTypes });
  }
  return webhookEventTypes.filter((name) => names.includes(name));
};

const isHealthy = ({ consecutiveFailures, pausedAt }: Health): boolean =>
  consecutiveFailures === 0 && pausedAt === null;

const hoursAfter = (at: Instant, hours: number): Instant =>
  new Date(Date.parse(at) + hours * 3_600_000).toISOString();

/** Health after an event; most events leave it unchanged. */
export const healthAfter = (event: SubscriptionEvent, at: Instant, health: Health): Health => {
  if (event.type === 'AttemptFailed') {
    const { consecutiveFailures, finishedAt: lastFailureAt } = event;
    return { ...health, consecutiveFailures, lastFailureAt, probe: null };
  }
  if (event.type === 'SubscriptionPaused') return { ...health, pausedAt: at };
  if (event.type === 'ProbeAdmitted') return { ...health, probe: event.deliveryId };
  if (event.type === 'FailuresCleared') {
    return { ...healthy, resetAt: event.by === 'reset' ? at : health.resetAt };
  }
  return health;
};

const evolve = (event: SubscriptionEvent, now: Subscription, at: Instant): Subscription => {
  if (event.type === 'SubscriptionRegistered') {
    const { organisation, url, events, buildingId, description, sealedSecret } = event;
    const details = { url, events, buildingId, description };
    const secrets = { sealedSecret, previousSecrets: [] };
    return { organisation, ...details, ...secrets, ...healthy, deleted: false };
  }
  if (now === null) return null;
  if (event.type === 'SubscriptionDeleted') return { ...now, deleted: true };
  if (event.type === 'SubscriptionChanged') {
    const { type: _, ...details } = event;
    return { ...now, ...details };
  }
  if (event.type === 'SecretRotated') return { ...now, ...secretsAfter(event, at, now) };
  return { ...now, ...healthAfter(event, at, now) };
};

export const subscriptionDecider: Decider<SubscriptionCommand, Subscription, SubscriptionEvent> = {
  initial: null,
  decide,
  evolve,
};
