import { randomUUID } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { SubscriptionBuffer } from '../../../../src/engine/log/eventstoredb/subscription-buffer.ts';
import type { StoredEvent } from '../../../../src/engine/log/event-store.ts';
import { until } from '../../../support/until.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const { signal } = new AbortController();

/** @returns A reference that does not keep the event in memory. */
const put = (buffer: SubscriptionBuffer, revision: number): WeakRef<StoredEvent> => {
  const event: StoredEvent = {
    id: randomUUID(),
    stream: 'sample-a',
    revision,
    type: 'Happened',
    data: {},
    meta: {},
    position: `${revision}/${revision}`,
    recordedAt: '2026-03-01T09:00:00.000Z',
  };
  buffer.put({ event });
  return new WeakRef(event);
};

it('keeps no event that its consumer has taken while others wait', async () => {
  const buffer = new SubscriptionBuffer(null, 2);
  const taken = [0, 1].map((revision) => put(buffer, revision));
  const waiting = put(buffer, 2);
  expect((await buffer.next(signal))?.upTo).toBe('1/1');
  await until(() => {
    collectGarbage();
    return taken.every((event) => event.deref() === undefined);
  }, 'the events to be collected');
  expect(waiting.deref()).toBeDefined();
  expect(await buffer.next(signal)).toMatchObject({ upTo: '2/2', events: [{ revision: 2 }] });
});
