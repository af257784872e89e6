/** The state of the EventStoreDB servers, as they report it. */
import type { EventStore } from '../../engine/log/event-store.ts';
import { eventStoreServers, lastScavenge } from '../../engine/log/eventstoredb/server-state.ts';
import type { EventStoreCondition } from './eventstore-condition.ts';

/**
 * This module loads the EventStoreDB client: import it only for a log in EventStoreDB.
 *
 * @throws If no server answers, or the log cannot be read.
 */
export const eventStoreCondition = async (
  url: string,
  log: Pick<EventStore, 'readAll'>,
): Promise<EventStoreCondition> => {
  const [servers, scavenge, { events }] = await Promise.all([
    eventStoreServers(url),
    lastScavenge(url),
    log.readAll(null, { limit: 1 }),
  ]);
  return { servers, scavenge, since: events[0]?.recordedAt ?? null };
};
