/** From the graph's outbox to the log. design.md decision 10. */
import { setImmediate as immediate } from 'node:timers/promises';
import type { Pool } from 'pg';
import { forgetAnnouncements, waitingAnnouncements, type WaitingAnnouncement } from './outbox.ts';
import { transaction } from '../../engine/postgres/transaction.ts';
import { announcementCodec } from '../../domain/buildings/codecs.ts';
import {
  ANNOUNCEMENTS_APPENDED_BYTES_MAX,
  ANNOUNCEMENTS_AT_ONCE_MAX,
  ANNOUNCEMENTS_STORED_BYTES_MAX,
  ANNOUNCEMENT_SWEEP_MS,
} from './limits.ts';
import type { Report } from '../../engine/observe/report.ts';
import { repeat } from '../../engine/concurrency/repeat.ts';
import { Signal } from '../../engine/concurrency/signal.ts';
import { appendAny } from '../../engine/log/append-any.ts';
import type { EventStore, NewEvent } from '../../engine/log/event-store.ts';

/**
 * Appends the waiting announcements of the outbox to the log, then deletes them. A crash in between
 * appends the same events again, which the log stores once.
 *
 * @returns The number of moved announcements.
 * @throws {@link LogUnavailable} and errors of the database; announcements that were not moved
 *   still wait.
 */
export const relayAnnouncements = async (db: Pool, log: EventStore): Promise<number> => {
  let moved = 0;
  for (;;) {
    const { taken, left } = await transaction(db, async (client) => {
      const waiting = await waitingAnnouncements(client, ROUND);
      if (waiting.length === 0) return { taken: 0, left: 0 };
      const streams = Map.groupBy(waiting, ({ stream }) => stream);
      await appendStreams(log, streams);
      await forgetAnnouncements(
        client,
        waiting.map(({ id }) => id),
      );
      return { taken: waiting.length, left: waiting[0]!.waiting - waiting.length };
    });
    moved += taken;
    if (left === 0) return moved;
  }
};

const ROUND = { count: ANNOUNCEMENTS_AT_ONCE_MAX, storedBytes: ANNOUNCEMENTS_STORED_BYTES_MAX };

/** Started appends are finished before another relay may run. */
const appendStreams = async (
  log: EventStore,
  streams: ReadonlyMap<string, readonly WaitingAnnouncement[]>,
): Promise<void> => {
  const failures: unknown[] = [];
  const appends: Promise<unknown>[] = [];
  for (const [stream, facts] of streams) {
    appends.push(appendAll(log, stream, facts).catch((error: unknown) => failures.push(error)));
    // To write out the points of one journal is enough for one turn of the event loop.
    await immediate();
  }
  await Promise.all(appends);
  if (failures.length > 0) throw failures[0];
};

/** In order, with as many events per append as fit. */
const appendAll = async (
  log: EventStore,
  stream: string,
  announcements: readonly WaitingAnnouncement[],
): Promise<void> => {
  let [events, bytes] = [[] as NewEvent[], 0];
  const append = async () => {
    // A relay that crashed may have stored some of them.
    if (events.length > 0) await appendAny(log, stream, events);
    [events, bytes] = [[], 0];
  };
  for (const { id, event, record, size } of announcements) {
    if (bytes + size > ANNOUNCEMENTS_APPENDED_BYTES_MAX) await append();
    events.push(announcementCodec.encode(id, event, record));
    bytes += size;
  }
  await append();
};

/** Moves announcements as they come. */
export interface OutboxRelay {
  /** Something has been announced: relay now instead of at the next round. */
  wake(): void;
  /**
   * Relays at once when woken, and every {@link ANNOUNCEMENT_SWEEP_MS} for announcements left
   * behind by a crash or an unreachable log, until `signal` aborts. A round in progress is
   * finished.
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
  const announced = new Signal();
  return {
    wake: () => announced.wake(),

    run(signal) {
      const relay = async () => {
        await relayAnnouncements(db, log);
        return everyMs;
      };
      const failed = (error: unknown) =>
        logger.warn({ err: error }, 'announcements could not be moved');
      return repeat(relay, { signal, failed, wakeups: announced, pauseMaxMs: everyMs });
    },
  };
};
