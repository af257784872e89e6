import type { Consumers } from '../../engine/consumers/runtime.ts';
import type { Tracing } from '../../engine/observe/tracing.ts';
import type { WebhookQueries } from '../../projections/webhooks/queries.ts';
import type { AttemptParts } from './attempts.ts';

/** What making attempts takes. */
export interface SenderParts extends AttemptParts {
  readonly consumers: Pick<Consumers, 'log' | 'logger'> & {
    readonly positions: Pick<Consumers['positions'], 'onMoved'>;
  };
  readonly queries: Pick<WebhookQueries, 'byId'>;
  readonly measured: Measured;
  /** Default: deliveries are not traced. */
  readonly tracing?: Tracing | undefined;
}

/** What becomes of attempts, for whoever counts them. */
export interface Measured {
  attempted(outcome: string, seconds: number): void;
  deadLettered(): void;
}
