/**
 * How each aggregate's facts are stored: the schema of every event type, and the upcasters of those
 * that have had an older version.
 */
import { auditChainEventSchemas, type AuditChainEvent } from '../domain/keys/audit-chain.ts';
import { allowanceEventSchemas, type AllowanceEvent } from '../domain/sandboxes/allowance.ts';
import {
  busEventSchemas,
  parkedEventSchemas,
  type BusEvent,
  type ParkedEvent,
} from '../domain/bus/events.ts';
import { telemetryEventSchemas, type TelemetryEvent } from '../domain/buildings/events.ts';
import { clockEventSchemas, type ClockEvent } from '../engine/timers/virtual-clock.ts';
import {
  deliveredEventSchemas,
  type DeliveriesSucceeded,
} from '../domain/webhooks/delivery/delivered.ts';
import {
  deliveryEventSchemas,
  withoutOrdinal,
  type DeliveryEvent,
} from '../domain/webhooks/delivery/events.ts';
import { feedSkipEventSchemas, type FeedSkipEvent } from '../domain/tickets/feed-skips.ts';
import {
  sharedJournalEventSchemas,
  type SharedJournalEvent,
} from '../domain/keys/shared-journals.ts';
import { keyringEventSchemas, type KeyringEvent } from '../domain/keys/events.ts';
import { useIndexEventSchemas, type UsesIndexed } from '../domain/keys/use-index.ts';
import { keyUseEventSchemas, type KeyUseEvent } from '../domain/keys/uses.ts';
import { numberingEventSchemas, type NumberingEvent } from '../domain/tickets/numbering.ts';
import { releaseEventSchemas, type ReleaseEvent } from '../engine/consumers/release-events.ts';
import { sandboxEventSchemas, type SandboxEvent } from '../domain/sandboxes/events.ts';
import {
  subscriptionEventSchemas,
  type SubscriptionEvent,
} from '../domain/webhooks/subscription/events.ts';
import { ticketEventSchemas, type TicketEvent } from '../domain/tickets/events.ts';
import {
  webhookQuotaEventSchemas,
  type WebhookQuotaEvent,
} from '../domain/webhooks/quota/quota.ts';
import { workOrderEventSchemas, type WorkOrderFact } from '../domain/work-orders/events.ts';
import { codecOf } from '../engine/log/codec.ts';

export const ticketCodec = codecOf<TicketEvent>(ticketEventSchemas);
export const numberingCodec = codecOf<NumberingEvent>(numberingEventSchemas);
export const clockCodec = codecOf<ClockEvent>(clockEventSchemas);
/**
 * Version 2 of a use says nothing new, but where it is written no older release runs: only then may
 * uses of several organisations lie in one journal. docs/decisions/0055.
 */
export const keyUseCodec = codecOf<KeyUseEvent>({
  ...keyUseEventSchemas,
  KeyUsed: {
    schema: keyUseEventSchemas.KeyUsed,
    version: 2,
    readableAs: 1,
    upcasters: { 1: (data) => data },
    writtenBefore: { version: 1, data: (data) => data },
  },
});
export const useIndexCodec = codecOf<UsesIndexed>(useIndexEventSchemas);
export const sharedJournalCodec = codecOf<SharedJournalEvent>(sharedJournalEventSchemas);
export const workOrderCodec = codecOf<WorkOrderFact>(workOrderEventSchemas);
export const telemetryCodec = codecOf<TelemetryEvent>(telemetryEventSchemas);
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
export const busCodec = codecOf<BusEvent>(busEventSchemas);
export const parkedCodec = codecOf<ParkedEvent>(parkedEventSchemas);
export const allowanceCodec = codecOf<AllowanceEvent>(allowanceEventSchemas);
export const releaseCodec = codecOf<ReleaseEvent>(releaseEventSchemas);
export const feedSkipCodec = codecOf<FeedSkipEvent>(feedSkipEventSchemas);
export const sandboxCodec = codecOf<SandboxEvent>(sandboxEventSchemas);
export const auditChainCodec = codecOf<AuditChainEvent>(auditChainEventSchemas);
/** What is added to a key may restrict it: an older release lets nobody in who has such a key. */
export const keyringCodec = codecOf<KeyringEvent>(
  {
    ...keyringEventSchemas,
    // Keys that were issued before there were scopes allowed everything.
    KeyIssued: {
      schema: keyringEventSchemas.KeyIssued,
      version: 2,
      upcasters: { 1: (data) => ({ ...data, scope: 'full' }) },
    },
  },
  { unknownMembers: 'refused' },
);
