import { randomUUID } from 'node:crypto';
import { healthy } from '../../../src/domain/webhooks/subscription/health.ts';
import type { DeliveryRequest } from '../../../src/processes/webhooks/attempt.ts';
import type { SubscriptionView } from '../../../src/domain/webhooks/subscription/view.ts';

/** A subscription to readings of all buildings of acme, as the read model has it. */
export const subscriptionRow = (over: Partial<SubscriptionView> = {}): SubscriptionView => ({
  webhookId: randomUUID(),
  organisationId: 'acme',
  url: 'https://receiver.example.org/',
  events: ['building.point.updated'],
  buildingId: null,
  description: null,
  ...healthy,
  sealedSecret: 'sealed',
  previousSecrets: [],
  createdAt: '2026-03-02T12:00:00.000Z',
  createdBy: { kind: 'user', id: 'manager' },
  registeredAt: '0',
  deletedAt: null,
  ...over,
});

/** An attempt to be made, of an event without content. */
export const PENDING_REQUEST: DeliveryRequest = {
  messageId: '',
  idempotencyKey: '',
  event: { id: '', type: '', time: '2026-03-02T12:00:00.000Z', subject: null },
  body: Buffer.alloc(0),
  attempt: 1,
};
