import type {
  EventStore,
  Filter,
  Position,
  StoredEvent,
} from '../../../src/engine/log/event-store.ts';

/** All events of the log after `start`, page by page. Default: from its beginning. */
export const allEvents = async (
  log: Pick<EventStore, 'readAll'>,
  filter: Filter = {},
  start: Position | null = null,
): Promise<StoredEvent[]> => {
  const events: StoredEvent[] = [];
  for (let after = start; ;) {
    const page = await log.readAll(after, { ...filter, limit: 1_000 });
    events.push(...page.events);
    if (page.end) return events;
    after = page.next;
  }
};
