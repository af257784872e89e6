import {
  LIVE_REPLAY_BYTES_MAX,
  LIVE_REPLAY_EVENTS_MAX,
  LIVE_REPLAY_MESSAGES_MAX,
} from './limits.ts';
import { READ_PAGE_EVENTS, type EventStore, type Position } from '../../engine/log/event-store.ts';
import { categoryOf, keyOf } from '../../engine/log/streams.ts';
import { cursorAfter, type Cursor } from './cursor.ts';
import type { Place } from './frames.ts';
import { buildingIn, LIVE_CATEGORIES, liveMessagesOf } from './messages.ts';

/** The messages that a listener has missed. */
export interface Missed {
  readonly messages: readonly Place[];
  /** Everything up to here was searched. */
  readonly upTo: Position | null;
}

/**
 * The messages of a building after `since`, up to the head of the log or beyond `atLeast`. `null`:
 * they exceed the bounds of a replay, `since` is no position of this log, or a journal of the
 * building was deleted after `since` and may have held some of them.
 */
export const missedSince = async (
  log: Pick<EventStore, 'readAll' | 'compare' | 'head'>,
  buildingId: string,
  since: Cursor,
  atLeast: () => Position | null,
): Promise<Missed | null> => {
  const { position: head } = await log.head();
  try {
    if (log.compare(since.after, head) > 0) return null;
  } catch (error) {
    // The position has the format of another log.
    if (error instanceof TypeError) return null;
    throw error;
  }
  const missed = await read(log, buildingId, since, atLeast);
  // After the read: a journal is retired before it is deleted, so none is deleted unnoticed.
  return missed && !(await hasLostJournal(log, buildingId, since)) ? missed : null;
};

const hasLostJournal = async (
  log: Pick<EventStore, 'readAll' | 'compare' | 'head'>,
  buildingId: string,
  since: Cursor,
): Promise<boolean> => {
  const { position: head } = await log.head();
  let upTo = since.after;
  for (let searched = 0; searched < LIVE_REPLAY_EVENTS_MAX;) {
    const page = await log.readAll(upTo, { limit: READ_PAGE_EVENTS, categories: ['retention'] });
    const retired = page.events.map(({ stream }) => keyOf(stream));
    if (retired.some((journal) => isLiveJournal(journal, buildingId))) return true;
    searched += Math.max(1, page.events.length);
    upTo = page.next;
    if (log.compare(upTo, head) >= 0) return false;
  }
  return true;
};

const isLiveJournal = (stream: string, buildingId: string): boolean =>
  LIVE_CATEGORIES.includes(categoryOf(stream)) && buildingIn({ stream }) === buildingId;

const read = async (
  log: Pick<EventStore, 'readAll' | 'compare'>,
  buildingId: string,
  since: Cursor,
  atLeast: () => Position | null,
): Promise<Missed | null> => {
  const messages: Place[] = [];
  let [upTo, had, bytes] = [since.after, since.messages, 0];
  for (let searched = 0; searched < LIVE_REPLAY_EVENTS_MAX;) {
    const page = await log.readAll(upTo, { limit: READ_PAGE_EVENTS, categories: LIVE_CATEGORIES });
    searched += Math.max(1, page.events.length);
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
  }
  return null;
};
