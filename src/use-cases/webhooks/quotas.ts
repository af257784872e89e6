/** Organisations' webhook slots in the log: `webhookQuota-<organisation>`. */
import {
  webhookQuotaAfter,
  webhookQuotaDecider,
  type WebhookQuota,
  type WebhookQuotaCommand,
} from '../../domain/webhooks/quota/quota.ts';
import { aggregate, type Aggregate } from '../../engine/aggregates/aggregate.ts';
import { webhookQuotaCodec } from '../../domain/webhooks/codecs.ts';
import type { EventStore } from '../../engine/log/event-store.ts';

export type WebhookQuotas = Aggregate<WebhookQuotaCommand, WebhookQuota>;

export const webhookQuotaRepository = (log: EventStore): WebhookQuotas =>
  aggregate({
    log,
    category: 'webhookQuota',
    codec: webhookQuotaCodec,
    decider: webhookQuotaDecider,
    viewAfter: webhookQuotaAfter,
  });
