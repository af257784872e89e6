import { codecOf } from '../../engine/log/codec.ts';
import { deliveredEventSchemas, type DeliveriesSucceeded } from './delivery/delivered.ts';
import { deliveryEventSchemas, withoutOrdinal, type DeliveryEvent } from './delivery/events.ts';
import { webhookQuotaEventSchemas, type WebhookQuotaEvent } from './quota/quota.ts';
import { subscriptionEventSchemas, type SubscriptionEvent } from './subscription/events.ts';

export const subscriptionCodec = codecOf<SubscriptionEvent>(subscriptionEventSchemas);
export const webhookQuotaCodec = codecOf<WebhookQuotaEvent>(webhookQuotaEventSchemas);
export const deliveryCodec = codecOf<DeliveryEvent>({
  ...deliveryEventSchemas,
  DeliveryAttempted: {
    schema: deliveryEventSchemas.DeliveryAttempted,
    version: 2,
    upcasters: { 1: withoutOrdinal },
  },
});
export const deliveredCodec = codecOf<DeliveriesSucceeded>(deliveredEventSchemas);
