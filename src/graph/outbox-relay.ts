/** From the graph's outbox to the log. design.md decision 10. */
import type { Pool } from 'pg';
import { forgetAnnouncements, waitingAnnouncements } from './outbox.ts';
import { transaction } from '../db/transaction.ts';
import { buildingImported, type BuildingEvent } from '../domain/building/events.ts';
import { ANNOUNCEMENTS_AT_ONCE_MAX, ANNOUNCEMENT_SWEEP_MS } from '../limits.ts';
import type { Report } from '../ops/report.ts';
import { Wakes } from '../ops/wakes.ts';
import { codecOf, type Codec } from '../store/codec.ts';
import type { EventStore } from '../store/event-store.ts';

export const buildingCodec: Codec<BuildingEvent> = codecOf<BuildingEvent>({
  BuildingImported: { schema: buildingImported },
});

/**
 * Appends what waits in the outbox to the log and then forgets it. A crash in between appends the
 * same event again, which the log stores once.
 *
 * @returns How many were moved.
 * @throws {@link LogUnavailable} and whatever the database throws; what was not moved still waits.
 */
export const relayAnnouncements = async (
  db: Pool,
  log: EventStore,
  codec: Codec<BuildingEvent> = buildingCodec,
): Promise<number> => {
  let moved = 0;
  for (;;) {
    const batch = await transaction(db, async (client) => {
      const waiting = await waitingAnnouncements(client, ANNOUNCEMENTS_AT_ONCE_MAX);
      if (waiting.length === 0) return 0;
      for (const { id, stream, event, record } of waiting) {
        await log.append(stream, 'any', [codec.encode(id, event, record)]);
      }
      await forgetAnnouncements(
        client,
        waiting.map(({ id }) => id),
      );
      return waiting.length;
    });
    moved += batch;
    if (batch < ANNOUNCEMENTS_AT_ONCE_MAX) return moved;
  }
};

/** Moves announcements as they come. */
export interface OutboxRelay {
  /** Something has been announced: relay now instead of at the next round. */
  wake(): void;
  /**
   * Relays at once when woken, and every {@link ANNOUNCEMENT_SWEEP_MS} for what a crash or an
   * unreachable log left behind, until `signal` aborts. A round under way is finished.
   */
  run(signal: AbortSignal): Promise<void>;
}

export const outboxRelay = (parts: {
  readonly db: Pool;
  readonly log: EventStore;
  readonly logger: Pick<Report, 'warn'>;
  readonly everyMs?: number;
}): OutboxRelay => {
  const { db, log, logger, everyMs = ANNOUNCEMENT_SWEEP_MS } = parts;
  const announced = new Wakes();
  return {
    wake: () => announced.wake(),

    async run(signal) {
      while (!signal.aborted) {
        // Counted before the round: a wake during the round must not be slept over.
        const seen = announced.count;
        try {
          await relayAnnouncements(db, log);
        } catch (error) {
          // What waits is tried again in the next round.
          logger.warn({ err: error }, 'announcements could not be moved');
        }
        await announced.after(seen, signal, everyMs);
      }
    },
  };
};
