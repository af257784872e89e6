import type { EventStore, Position } from './event-store.ts';

/** Whether the log has a sealed secret. Searches the whole log if it has none. */
export const hasSealedSecrets = async (log: EventStore): Promise<boolean> => {
  for (let after: Position | null = null; ;) {
    const page = await log.readAll(after, { limit: 1, categories: ['subscription'] });
    if (page.events.length > 0) return true;
    if (page.end) return false;
    after = page.next;
  }
};
