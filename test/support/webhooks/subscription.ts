import { randomUUID } from 'node:crypto';
import { systemAuthority } from '../../../src/domain/authority.ts';
import { healthy } from '../../../src/domain/webhooks/subscription/health.ts';
import { subscriptionDecider } from '../../../src/domain/webhooks/subscription/subscription.ts';
import type { Instant } from '../../../src/engine/aggregates/decider.ts';
import type { EventStore } from '../../../src/engine/log/event-store.ts';
import { subscriptionRepository } from '../../../src/use-cases/webhooks/subscriptions.ts';
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

type Command = Parameters<typeof subscriptionDecider.decide>[0];
type WithoutAuthority<Any> = Any extends Command ? Omit<Any, 'authority'> : never;

/** The same, registered in a log at a time. */
export const registered = async (log: EventStore, since: Instant) => {
  const subscriptions = subscriptionRepository(log);
  const { webhookId, url, events, buildingId, description } = subscriptionRow();
  const give = async (asked: WithoutAuthority<Command>, at: Instant) => {
    const command = { ...asked, authority: systemAuthority };
    const given = { commandId: randomUUID(), command };
    const by = { kind: 'system', id: 'test' } as const;
    return (await subscriptions.give(webhookId, given, { at, by, origin: 'system' })).view;
  };
  const details = { url, events, buildingId, description, sealedSecret: 'v1.a.b.c' };
  const register = { type: 'RegisterSubscription', webhookId, organisation: 'acme' } as const;
  const subscription = await give({ ...register, ...details }, since);
  const view = async () => (await subscriptions.look(webhookId))!.view;
  return { subscription, give, view };
};

/** An attempt to be made, of an event without content. */
export const PENDING_REQUEST: DeliveryRequest = {
  messageId: '',
  idempotencyKey: '',
  event: { id: '', type: '', time: '2026-03-02T12:00:00.000Z', subject: null },
  body: Buffer.alloc(0),
  attempt: 1,
};
