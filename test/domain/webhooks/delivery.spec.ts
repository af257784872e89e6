import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { idempotencyKey, webhookBody } from '../../../src/domain/webhooks/delivery/message.ts';
import { deliveryJournal } from '../../../src/domain/webhooks/delivery/events.ts';
import { nextAttemptAt } from '../../../src/domain/webhooks/delivery/schedule.ts';

const at = '2026-03-02T12:00:00.000Z';
const minutesUntil = (next: string | null) => (Date.parse(next ?? '') - Date.parse(at)) / 60_000;

it.each([
  [1, 1],
  [2, 5],
  [3, 15],
  [4, 60],
  [5, 180],
])('after attempt %i waits %i minutes, a tenth more or less', (attempt, minutes) =>
  fc.assert(
    fc.property(fc.uuid(), (deliveryId) => {
      const waited = minutesUntil(nextAttemptAt({ deliveryId, attempt }, at));
      expect(waited).toBeGreaterThanOrEqual(minutes * 0.9 - 0.0001);
      expect(waited).toBeLessThanOrEqual(minutes * 1.1 + 0.0001);
    }),
  ),
);

it('spreads the pauses evenly', () => {
  const waits = Array.from({ length: 20_000 }, (_, index) =>
    minutesUntil(nextAttemptAt({ deliveryId: `delivery ${index}`, attempt: 5 }, at)),
  );
  const mean = waits.reduce((sum, wait) => sum + wait, 0) / waits.length;
  expect(Math.abs(mean - 180)).toBeLessThan(1);
  expect(waits.filter((wait) => wait < 171).length).toBeGreaterThan(4_000);
  expect(waits.filter((wait) => wait > 189).length).toBeGreaterThan(4_000);
});

it('has a deterministic pause per delivery', () => {
  const one = { deliveryId: 'a', attempt: 1 };
  expect(nextAttemptAt(one, at)).toBe(nextAttemptAt(one, at));
  expect(nextAttemptAt(one, at)).not.toBe(nextAttemptAt({ ...one, deliveryId: 'b' }, at));
});

it('tries six times by default', () => {
  expect(nextAttemptAt({ deliveryId: 'a', attempt: 6 }, at)).toBeNull();
  expect(nextAttemptAt({ deliveryId: 'a', attempt: 1, attemptsMax: 1 }, at)).toBeNull();
});

it('sends event, data and timestamp, and names the event', () => {
  const message = { event: 'building.point.updated', data: { buildingId: 'b' }, timestamp: at };
  expect(webhookBody(message)).toBe(
    `{"event":"building.point.updated","data":{"buildingId":"b"},"timestamp":"${at}"}`,
  );
  expect(idempotencyKey({ messageId: 'm', ...message })).toBe(
    `m:building.point.updated:${Date.parse(at)}`,
  );
});

it('keeps a journal for each subscription and day', () =>
  expect(deliveryJournal('w', at)).toBe('delivery-w.20260302'));
