import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../../src/engine/aggregates/decider.ts';
import { hostOfUrl } from '../../../src/domain/webhooks/subscription/host.ts';
import {
  webhookQuotaDecider,
  type WebhookQuota,
  type WebhookQuotaEvent,
} from '../../../src/domain/webhooks/quota/quota.ts';
import { webhookQuotaCodec } from '../../../src/domain/webhooks/codecs.ts';
import { throughJson } from '../../support/domain/round-trip.ts';
import { afterNoon, specify } from '../../support/domain/specify.ts';

const given = specify(webhookQuotaDecider);
const a = randomUUID();
const taking = (webhookId: string, host: string, registered: readonly Hosted[] = []) =>
  ({ type: 'TakeSlot', webhookId, host, registered }) as const;
interface Hosted {
  readonly webhookId: string;
  readonly host: string;
}
const taken = (webhookId: string, host: string): WebhookQuotaEvent => ({
  type: 'SlotTaken',
  webhookId,
  host,
});
const settled = (webhookId: string, host: string): WebhookQuotaEvent => ({
  type: 'SlotSettled',
  webhookId,
  host,
});
const released = (webhookId: string): WebhookQuotaEvent => ({ type: 'SlotReleased', webhookId });
const reconciling = (webhookId: string, host: string | null) =>
  ({ type: 'ReconcileSlots', actual: [{ webhookId, isRegistered: true, host }] }) as const;
const absent = (webhookId: string) =>
  ({ type: 'ReconcileSlots', actual: [{ webhookId, isRegistered: false }] }) as const;
const slots = (count: number, hostOf: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => taken(randomUUID(), hostOf(index)));
const hosted = (count: number, hostOf: (index: number) => string): readonly Hosted[] =>
  Array.from({ length: count }, (_, index) => ({ webhookId: randomUUID(), host: hostOf(index) }));

describe('a webhook slot', () => {
  it('is acquired once per subscription and host', () => {
    given().when(taking(a, 'x')).records(taken(a, 'x'));
    given(taken(a, 'x')).when(taking(a, 'x')).recordsNothing();
  });

  it('is refused to the 51st subscription, with or without a slot', () => {
    const limit = { limit: 50 };
    const distinct = (index: number) => `host-${index}`;
    given(...slots(49, distinct))
      .when(taking(a, 'x'))
      .records(taken(a, 'x'));
    given(...slots(50, distinct))
      .when(taking(a, 'x'))
      .refuses('WEBHOOK_LIMIT_REACHED', limit);
    given(...slots(20, distinct))
      .when(taking(a, 'x', hosted(30, distinct)))
      .refuses('WEBHOOK_LIMIT_REACHED', limit);
  });

  it('is refused to the 11th subscription of a host', () => {
    const ofOne = () => 'x';
    given(...slots(5, ofOne))
      .when(taking(a, 'x', hosted(5, ofOne)))
      .refuses('WEBHOOK_LIMIT_REACHED', { limit: 10 });
    given(...slots(10, ofOne))
      .when(taking(a, 'y'))
      .records(taken(a, 'y'));
  });

  it('moves above the limit of the organisation, not above that of a host', () => {
    const registered = [...hosted(60, (index) => `host-${index % 6}`), { webhookId: a, host: 'x' }];
    given()
      .when(taking(a, 'y', registered))
      .records(taken(a, 'y'));
    given()
      .when(taking(a, 'host-1', registered))
      .refuses('WEBHOOK_LIMIT_REACHED', { limit: 10 });
  });

  it('counts for both hosts until the change of its URL is known to be over', () => {
    const moving = [...slots(9, () => 'x'), taken(a, 'x'), taken(a, 'y')];
    given(...moving)
      .when(taking(randomUUID(), 'x'))
      .refuses('WEBHOOK_LIMIT_REACHED');
    given(...moving)
      .when(reconciling(a, 'y'))
      .records(settled(a, 'y'));
    // The request may not have arrived yet.
    given(...moving)
      .when(reconciling(a, 'x'))
      .recordsNothing();
    given(...moving)
      .when(reconciling(a, 'x'), afterNoon(5))
      .records(settled(a, 'x'));
  });

  it('is released when its subscription is deleted', () => {
    given(taken(a, 'x')).when(reconciling(a, null)).records(released(a));
    given(taken(a, 'x'), released(a)).when(taking(a, 'x')).records(taken(a, 'x'));
  });

  it('is released after five minutes without a registration', () => {
    given(taken(a, 'x')).when(absent(a), afterNoon(4)).recordsNothing();
    given(taken(a, 'x')).when(absent(a), afterNoon(5)).records(released(a));
  });

  it('never exceeds either limit over any sequence of acquires and releases', () => {
    const ids = Array.from({ length: 70 }, () => randomUUID());
    const step = fc.record({
      id: fc.constantFrom(...ids),
      host: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
      release: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 100, maxLength: 150 }), (steps) => {
        let quota: WebhookQuota = webhookQuotaDecider.initial;
        for (const { id, host, release } of steps) {
          const command =
            release && quota.slots.size > 20 ? reconciling(id, null) : taking(id, host);
          const decision = webhookQuotaDecider.decide(command, quota, afterNoon(0));
          if (isRefusal(decision)) continue;
          for (const event of decision)
            quota = webhookQuotaDecider.evolve(event, quota, afterNoon(0).at);
          const ofHost = [...quota.slots.values()].filter(({ hosts }) => hosts.includes(host));
          if (quota.slots.size > 50 || ofHost.length > 10) return false;
        }
        return true;
      }),
    );
  });

  it('is stored in a format that reads back', () => {
    for (const event of [taken(a, 'x'), settled(a, 'x'), released(a)])
      expect(throughJson(webhookQuotaCodec, event)).toEqual(event);
  });

  it.each([
    ['https://Hook.Example.org:8443/a', 'hook.example.org'],
    ['https://hook.example.org./', 'hook.example.org'],
    ['https://[2606:4700::1111]/', '[2606:4700::1111]'],
  ])('counts %s for %s', (url, host) => expect(hostOfUrl(url)).toBe(host));
});
