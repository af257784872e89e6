import type { EventStore } from '../../../src/engine/log/event-store.ts';
import { logWith } from '../../../src/engine/log/log-with.ts';

/** The same log, delivered in batches of a fixed size. */
export const inBatchesOf = (events: number, log: EventStore): EventStore =>
  logWith(log, {
    subscribe: (after, options) => log.subscribe(after, { ...options, batchEventsMax: events }),
  });
