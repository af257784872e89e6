/** Relays announcements from the graph's outbox to the log. design.md decision 10. */
import { setImmediate as immediate } from 'node:timers/promises';
import type { ClientBase, Pool } from 'pg';
import {
  forgetAnnouncements,
  hasAnnouncements,
  lockRelays,
  waitingAnnouncements,
  type WaitingAnnouncement,
} from './outbox.ts';
import {
  announcementJournals,
  type AnnouncementJournals,
  type JournalEnd,
} from './announcement-journals.ts';
import { transaction } from '../../engine/postgres/transaction.ts';
import {
  ANNOUNCEMENTS_AT_ONCE_MAX,
  ANNOUNCEMENT_ATTEMPTS_MAX,
  ANNOUNCEMENTS_STORED_BYTES_MAX,
  ANNOUNCEMENT_SWEEP_MS,
} from './limits.ts';
import type { Report } from '../../engine/observe/report.ts';
import { repeat } from '../../engine/concurrency/repeat.ts';
import { Signal } from '../../engine/concurrency/signal.ts';
import { WrongRevision, type EventStore } from '../../engine/log/event-store.ts';

/**
 * Appends the waiting announcements of the outbox to the log, then deletes them. After a crash in
 * between, the next relay finds them in both and only deletes them. One relay runs at a time.
 *
 * @returns The number of moved announcements.
 * @throws {@link LogUnavailable} and errors of the database; announcements that were not moved
 *   stay in the outbox.
 */
export const relayAnnouncements = (db: Pool, log: EventStore): Promise<number> =>
  relayTo(announcementJournals(log), db);

const relayTo = async (journals: AnnouncementJournals, db: Pool): Promise<number> => {
  let moved = 0;
  for (let attempts = 0; ;) {
    try {
      const { taken, left, ends } = await transaction(db, (client) => round(journals, client));
      for (const [stream, end] of ends) journals.keep(stream, end);
      moved += taken;
      attempts = 0;
      if (left === 0) return moved;
    } catch (error) {
      attempts += 1;
      if (!(error instanceof WrongRevision) || attempts === ANNOUNCEMENT_ATTEMPTS_MAX) throw error;
    }
  }
};

interface Round {
  readonly taken: number;
  readonly left: number;
  /** By stream, to be remembered after the commit. */
  readonly ends: ReadonlyMap<string, JournalEnd>;
}

const round = async (journals: AnnouncementJournals, client: ClientBase): Promise<Round> => {
  await lockRelays(client);
  const waiting = await waitingAnnouncements(client, ROUND);
  if (waiting.length === 0) return { taken: 0, left: 0, ends: new Map() };
  const streams = Map.groupBy(waiting, ({ stream }) => stream);
  const ends = new Map<string, JournalEnd>();
  for (const stream of streams.keys()) ends.set(stream, await journals.endOf(client, stream));
  await appendAll(journals, streams, ends);
  await forgetAnnouncements(
    client,
    waiting.map(({ id }) => id),
  );
  return { taken: waiting.length, left: waiting[0]!.waiting - waiting.length, ends };
};

const ROUND = { count: ANNOUNCEMENTS_AT_ONCE_MAX, storedBytes: ANNOUNCEMENTS_STORED_BYTES_MAX };

/**
 * Appends to all streams and updates their `ends`. Started appends are finished before another
 * relay may run.
 */
const appendAll = async (
  journals: AnnouncementJournals,
  streams: ReadonlyMap<string, readonly WaitingAnnouncement[]>,
  ends: Map<string, JournalEnd>,
): Promise<void> => {
  const failures: unknown[] = [];
  const appends: Promise<unknown>[] = [];
  for (const [stream, announcements] of streams) {
    const append = async () =>
      ends.set(stream, await journals.append(stream, ends.get(stream)!, announcements));
    appends.push(append().catch((error: unknown) => failures.push(error)));
    // Yields, because serialising one journal's points takes one turn of the event loop.
    await immediate();
  }
  await Promise.all(appends);
  if (failures.length > 0) throw failures[0];
};

/** Moves announcements to the log continuously. */
export interface OutboxRelay {
  /** Relays now instead of at the next sweep; to be called after an announcement. */
  wake(): void;
  /** As {@link relayAnnouncements}. */
  relay(): Promise<number>;
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
  const journals = announcementJournals(log);
  const relayed = () => relayTo(journals, db);
  return {
    wake: () => announced.wake(),
    relay: relayed,

    run(signal) {
      let relayedCount = -1;
      const relay = async () => {
        const { count } = announced;
        // A sweep rarely finds an announcement, and a transaction costs four statements.
        if (count !== relayedCount || (await hasAnnouncements(db))) await relayed();
        relayedCount = count;
        return everyMs;
      };
      const failed = (error: unknown) =>
        logger.warn({ err: error }, 'announcements could not be moved');
      return repeat(relay, { signal, failed, wakeups: announced, pauseMaxMs: everyMs });
    },
  };
};
