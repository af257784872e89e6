import { expect, it } from 'vitest';
import { memoryEventStore } from '../../../../src/engine/log/memory/store.ts';
import { eventStoreContract } from '../../../contract/event-store.contract.ts';
import { happened } from '../../../support/log/events.ts';

eventStoreContract('memory', async () => {
  const store = memoryEventStore();
  return { store, other: store, close: () => store.close() };
});

it('stamps events by the configured clock', async () => {
  const store = memoryEventStore({ now: () => '2026-03-01T09:00:00.000Z' });
  await store.append('ticket-1', 'no_stream', [happened('A')]);
  expect((await store.head()).recordedAt).toBe('2026-03-01T09:00:00.000Z');
});

it('returns copies, so that a reader cannot change stored events', async () => {
  const store = memoryEventStore();
  await store.append('ticket-1', 'no_stream', [happened('A', { list: [1] })]);
  const [read] = await store.readStream('ticket-1');
  (read!.data as { list: number[] }).list.push(2);
  expect((await store.readStream('ticket-1'))[0]!.data).toEqual({ list: [1] });
});
