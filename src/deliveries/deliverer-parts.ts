import type { Consumers } from '../consumers/runtime.ts';
import type { WebhookQueries } from '../projections/webhooks/queries.ts';
import type { Subscriptions } from '../store/repositories/subscriptions.ts';
import type { AttemptParts } from './attempts.ts';

export interface DelivererParts extends AttemptParts {
  readonly consumers: Consumers;
  readonly queries: Pick<WebhookQueries, 'byId' | 'ordinals'>;
  readonly subscriptions: Pick<Subscriptions, 'look'>;
  readonly measured: Measured;
}

/** What becomes of attempts, for whoever counts them. */
export interface Measured {
  attempted(outcome: string, seconds: number): void;
  deadLettered(): void;
  underWay(read: () => number): void;
}
