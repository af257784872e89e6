import { systemAuthority } from '../../../src/domain/authority.ts';
import type { SubscriptionEvent } from '../../../src/domain/webhooks/subscription/events.ts';
import type {
  FinishedAttempt,
  SubscriptionCommand,
} from '../../../src/domain/webhooks/subscription/subscription.ts';

export const webhookId = '01890a5d-ac96-774b-bcce-b302099a8057';
export const deliveryId = '4f2c8b1e-5a6d-5f00-9c3b-7d1e2a3b4c5d';

type Registered = Extract<SubscriptionEvent, { type: 'SubscriptionRegistered' }>;

export const registered: Registered = {
  type: 'SubscriptionRegistered',
  webhookId,
  organisation: 'acme',
  url: 'https://hook.example.org/',
  events: ['building.point.updated'],
  buildingId: null,
  description: null,
  sealedSecret: 'v1.a.b.c',
};

export const failures = (count: number, finishedAt: string): SubscriptionEvent[] =>
  Array.from({ length: count }, (_, index) => ({
    type: 'AttemptFailed',
    deliveryId,
    attempt: 1,
    finishedAt,
    consecutiveFailures: index + 1,
  }));

export const counting = (over: Partial<FinishedAttempt> = {}): SubscriptionCommand => ({
  type: 'CountAttempt',
  authority: systemAuthority,
  attempt: {
    deliveryId,
    attempt: 1,
    succeeded: false,
    startedAt: '2026-03-02T11:59:59.000Z',
    finishedAt: '2026-03-02T12:00:00.000Z',
    ...over,
  },
});
