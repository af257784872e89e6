/** From the graph's outbox to the log. design.md decision 10. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { forgetAnnouncements, waitingAnnouncements } from './outbox.ts';
import { transaction } from '../db/transaction.ts';
import { buildingImported, type BuildingEvent } from '../domain/building/events.ts';
import { ANNOUNCEMENTS_AT_ONCE_MAX, ANNOUNCEMENT_SWEEP_MS } from '../limits.ts';
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

export interface AnnouncementSweeper {
  /** Something has been announced: relay now instead of at the next round. */
  wake(): void;
  /** Resolves when the sweeper has stopped after `signal`; never rejects. */
  readonly ended: Promise<void>;
}

/**
 * Relays at once when woken, and every {@link ANNOUNCEMENT_SWEEP_MS} for what a crash or an
 * unreachable log left behind, until `signal` aborts. A round under way is finished.
 *
 * @param failed Told of a round that failed. What waits is tried again in the next one.
 */
export const sweepAnnouncements = (parts: {
  readonly db: Pool;
  readonly log: EventStore;
  readonly signal: AbortSignal;
  readonly failed: (error: unknown) => void;
  readonly everyMs?: number;
}): AnnouncementSweeper => {
  const { db, log, signal, failed, everyMs = ANNOUNCEMENT_SWEEP_MS } = parts;
  let nap = new AbortController();

  const run = async () => {
    while (!signal.aborted) {
      // Made before the round: a wake during the round must not be slept over.
      nap = new AbortController();
      await relayAnnouncements(db, log).catch(failed);
      const ends = AbortSignal.any([signal, nap.signal]);
      await sleep(everyMs, undefined, { signal: ends }).catch(() => {
        // Woken, or told to stop: either way the nap is over.
      });
    }
  };
  return { wake: () => nap.abort(), ended: run() };
};
