import type { Consumers } from '../../engine/consumers/runtime.ts';
import type { Subscriptions } from '../../use-cases/webhooks/subscriptions.ts';
import type { SenderParts } from './sender-parts.ts';
import type { DeliverySender } from './sender.ts';

export interface DelivererParts extends SenderParts {
  readonly consumers: Consumers;
  readonly sender: DeliverySender;
  readonly subscriptions: Pick<Subscriptions, 'look'>;
}
