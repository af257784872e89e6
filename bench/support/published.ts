import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { EventStore } from '../../src/engine/log/event-store.ts';

/** Waits until all current events of `log` have been published on the bus. */
export const untilPublished = async (db: Pool, log: EventStore): Promise<void> => {
  const { position: head } = await log.head();
  for (;;) {
    const { rows } = await db.query<{ position: string | null }>(
      `select position from consumers.checkpoint where consumer = 'process/ticket-publishing'`,
    );
    if (rows[0] && log.compare(rows[0].position, head) >= 0) return;
    await sleep(500);
  }
};
