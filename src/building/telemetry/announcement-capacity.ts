import type { Pool } from 'pg';
import {
  FAULT_ANNOUNCEMENTS_LOOK_MS,
  FAULT_ANNOUNCEMENTS_WAITING_MAX,
} from '../../domain/telemetry/limits.ts';
import { pause } from '../../engine/concurrency/backoff.ts';

/**
 * Backpressure: resolves when fewer than {@link FAULT_ANNOUNCEMENTS_WAITING_MAX} announcements wait
 * for the log. The outbox is one queue, shared by the announcements of all buildings.
 *
 * @param announced Triggers the relay of the outbox.
 * @throws If `signal` aborts.
 */
export const announcementCapacity = async (
  db: Pool,
  announced: () => void,
  signal: AbortSignal,
): Promise<void> => {
  for (;;) {
    signal.throwIfAborted();
    const { rows } = await db.query<{ waiting: number }>(
      `select count(*)::int as waiting
       from (select from graph.announcement limit ${FAULT_ANNOUNCEMENTS_WAITING_MAX}) as queued`,
    );
    if (rows[0]!.waiting < FAULT_ANNOUNCEMENTS_WAITING_MAX) return;
    announced();
    await pause(FAULT_ANNOUNCEMENTS_LOOK_MS, signal);
  }
};
