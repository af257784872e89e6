/** Helpers for tests of the log: arbitrary events, and subscriptions read in small steps. */
import { randomUUID } from 'node:crypto';
import type {
  Batch,
  EventStore,
  Filter,
  NewEvent,
  Position,
  StoredEvent,
  SubscribeOptions,
} from '../../../src/engine/log/event-store.ts';

export const happened = (type: string, data: Readonly<Record<string, unknown>> = {}): NewEvent => ({
  id: randomUUID(),
  type,
  data,
  meta: { commandId: randomUUID() },
});

export const typesOf = (events: readonly { readonly type: string }[]): string[] =>
  events.map(({ type }) => type);

export const batchesOf = (
  store: EventStore,
  after: Position | null,
  options: SubscribeOptions,
): AsyncIterator<Batch> => store.subscribe(after, options)[Symbol.asyncIterator]();

/** A subscription to read a few events at a time, until it is stopped. */
export const eventsOf = (store: EventStore, after: Position | null, filter: Filter = {}) => {
  const stop = new AbortController();
  const batches = batchesOf(store, after, { ...filter, signal: stop.signal });
  const held: StoredEvent[] = [];
  return {
    /** The next `count` events, once they have arrived. */
    async next(count: number): Promise<StoredEvent[]> {
      while (held.length < count) {
        const { done, value } = await batches.next();
        if (done) throw new Error('the subscription has ended');
        held.push(...value.events);
      }
      return held.splice(0, count);
    },
    async stop(): Promise<void> {
      stop.abort();
      await batches.return?.();
    },
  };
};
