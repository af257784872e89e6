import {
  LIVE_REPLAY_BYTES_MAX,
  LIVE_REPLAY_EVENTS_MAX,
  LIVE_REPLAY_MESSAGES_MAX,
  LIVE_REPLAY_PAGES_MAX,
} from './limits.ts';
import { READ_PAGE_EVENTS, type EventStore, type Position } from '../../engine/log/event-store.ts';
import { categoryOf, keyOf, streamOf } from '../../engine/log/streams.ts';
import { retiresAt } from '../../engine/retention/terms.ts';
import { daysAfter } from '../../engine/time/calendar.ts';
import type { Instant } from '../../engine/time/instant.ts';
import { announcementTerm, journalKeyOf } from '../../domain/buildings/events.ts';
import { cursorAfter, type Cursor } from './cursor.ts';
import type { Place } from './frames.ts';
import { buildingIn, LIVE_CATEGORIES, liveMessagesOf } from './messages.ts';

export type ReplayedLog = Pick<EventStore, 'readAll' | 'readStream' | 'compare' | 'head'>;

/** The messages that a listener has missed. */
export interface Missed {
  readonly messages: readonly Place[];
  /** Everything up to here was searched. */
  readonly upTo: Position | null;
}

/**
 * The messages of a building after `since`, up to the head of the log or beyond `atLeast`. `null`:
 * they exceed the bounds of a replay, `since` is no position of this log, or a journal of the
 * building was deleted after `since` and may have held some of them; or the listener is gone.
 */
export const missedSince = async (
  log: ReplayedLog,
  buildingId: string,
  since: Cursor,
  atLeast: () => Position | null,
  isGone: () => boolean = () => false,
): Promise<Missed | null> => {
  const { position: head } = await log.head();
  try {
    if (log.compare(since.after, head) > 0) return null;
  } catch (error) {
    // The position has the format of another log.
    if (error instanceof TypeError) return null;
    throw error;
  }
  const missed = await read(log, buildingId, since, atLeast, isGone);
  // After the read: a journal is retired before it is deleted, so none is deleted unnoticed.
  return missed && !(await hasLostJournal(log, buildingId, since, isGone)) ? missed : null;
};

/** Whether a journal of the building that may have held messages after `since` was deleted. */
const hasLostJournal = async (
  log: ReplayedLog,
  buildingId: string,
  since: Cursor,
  isGone: () => boolean,
): Promise<boolean> => {
  const { position: head } = await log.head();
  let upTo = since.after;
  /** When the newest of the deleted journals was. */
  let lastEnd: Instant | null = null;
  let searched = 0;
  for (let pages = 0; pages < LIVE_REPLAY_PAGES_MAX && !isGone(); pages += 1) {
    const page = await log.readAll(upTo, { limit: READ_PAGE_EVENTS, categories: ['retention'] });
    for (const { stream } of page.events) {
      const journal = keyOf(stream);
      if (!isLiveJournal(journal, buildingId)) continue;
      const end = retiresAt(announcementTerm, journal);
      if (end === null) return true;
      if (lastEnd === null || end > lastEnd) lastEnd = end;
    }
    searched += page.events.length;
    upTo = page.next;
    if (log.compare(upTo, head) >= 0)
      return lastEnd !== null && !(await wasClosed(log, buildingId, lastEnd, since));
    if (searched >= LIVE_REPLAY_EVENTS_MAX) return true;
  }
  return true;
};

/**
 * Whether no event of the journals can be after `since`: a journal is written until the end of the
 * next day (`journalOf` of the bus), and here one of a later day had begun.
 *
 * @param end When the newest of them was deleted.
 */
const wasClosed = async (
  log: ReplayedLog,
  buildingId: string,
  end: Instant,
  { after }: Cursor,
): Promise<boolean> => {
  // From the day of its deletion back to the second day after its own.
  for (let daysBefore = 0; daysBefore < announcementTerm.keptFor; daysBefore += 1) {
    const key = journalKeyOf(buildingId, daysAfter(end, -daysBefore));
    for (const category of LIVE_CATEGORIES) {
      const [first] = await log.readStream(streamOf(category, key), { limit: 1 });
      if (first && log.compare(first.position, after) <= 0) return true;
    }
  }
  return false;
};

const isLiveJournal = (stream: string, buildingId: string): boolean =>
  LIVE_CATEGORIES.includes(categoryOf(stream)) && buildingIn({ stream }) === buildingId;

const read = async (
  log: Pick<EventStore, 'readAll' | 'compare'>,
  buildingId: string,
  since: Cursor,
  atLeast: () => Position | null,
  isGone: () => boolean,
): Promise<Missed | null> => {
  const messages: Place[] = [];
  let [upTo, had, bytes, searched] = [since.after, since.messages, 0, 0];
  for (let pages = 0; pages < LIVE_REPLAY_PAGES_MAX && !isGone(); pages += 1) {
    const page = await log.readAll(upTo, { limit: READ_PAGE_EVENTS, categories: LIVE_CATEGORIES });
    searched += page.events.length;
    let before = upTo;
    for (const event of page.events) {
      if (buildingIn(event) === buildingId) {
        const found = liveMessagesOf(event);
        for (const [index, message] of found.entries()) {
          const { position } = event;
          const cursor = cursorAfter(index + 1, {
            of: found.length,
            position,
            before,
            timeline: since.timeline,
          });
          if (had > 0) had -= 1;
          else {
            messages.push({ message, cursor });
            bytes += JSON.stringify(message.body).length;
          }
        }
        if (messages.length > LIVE_REPLAY_MESSAGES_MAX || bytes > LIVE_REPLAY_BYTES_MAX)
          return null;
      }
      before = event.position;
    }
    upTo = page.next;
    if (log.compare(upTo, atLeast()) >= 0) return { messages, upTo };
    if (searched >= LIVE_REPLAY_EVENTS_MAX) return null;
  }
  return null;
};
