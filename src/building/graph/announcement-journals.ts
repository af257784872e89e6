/** Appends announcements to their journals, each once. design.md decision 10. */
import type { ClientBase } from 'pg';
import { announcementCodec } from '../../domain/buildings/codecs.ts';
import { lruCache } from '../../engine/concurrency/lru-cache.ts';
import type { EventStore, NewEvent } from '../../engine/log/event-store.ts';
import {
  ANNOUNCEMENTS_APPENDED_BYTES_MAX,
  ANNOUNCEMENTS_SEARCHED_AT_ONCE,
  ANNOUNCEMENT_JOURNALS_KNOWN_MAX,
} from './limits.ts';
import { waitingOf, type WaitingAnnouncement } from './outbox.ts';

/** The end of a journal. */
export interface JournalEnd {
  /** The revision of its last event; `null`: it has no events. */
  readonly tail: number | null;
  /** Events stored by a crashed relay, whose announcements are still in the outbox. */
  readonly stored: ReadonlySet<string>;
}

/**
 * Journals that only relays write, one relay at a time. Each append expects a revision: a log may
 * detect a repeat at any revision by the first event alone, and after a crash an older announcement
 * may be the first.
 */
export interface AnnouncementJournals {
  /**
   * The end that this process remembers, or that it reads from the log.
   *
   * @param client The transaction that holds the lock of the relays.
   * @throws {@link LogUnavailable}.
   */
  endOf(client: ClientBase, stream: string): Promise<JournalEnd>;
  /**
   * Appends the announcements that are not stored yet, in order.
   *
   * Until {@link keep} is called with the returned end, the next `endOf` reads the log.
   *
   * @throws {@link LogUnavailable}; {@link WrongRevision} if the journal has a later end.
   */
  append(
    stream: string,
    end: JournalEnd,
    announcements: readonly WaitingAnnouncement[],
  ): Promise<JournalEnd>;
  /** Remembers the end; must be called after the announcements have left the outbox. */
  keep(stream: string, end: JournalEnd): void;
}

export const announcementJournals = (
  log: Pick<EventStore, 'append' | 'readStream'>,
): AnnouncementJournals => {
  const ends = lruCache<JournalEnd>(ANNOUNCEMENT_JOURNALS_KNOWN_MAX);
  return {
    async endOf(client, stream) {
      return ends.get(stream) ?? searched(log, client, stream);
    },

    async append(stream, end, announcements) {
      ends.delete(stream);
      let { tail } = end;
      for (const events of inAppends(announcements.filter(({ id }) => !end.stored.has(id))))
        tail = (await log.append(stream, tail ?? 'no_stream', events)).revision;
      return { tail, stored: NONE };
    },

    keep: ends.set,
  };
};

const NONE: ReadonlySet<string> = new Set();

const searched = async (
  log: Pick<EventStore, 'readStream'>,
  client: ClientBase,
  stream: string,
): Promise<JournalEnd> => {
  const stored = new Set<string>();
  let tail: number | null = null;
  for (let next = {}; ;) {
    const range = { ...next, backwards: true, limit: ANNOUNCEMENTS_SEARCHED_AT_ONCE };
    const page = await log.readStream(stream, range);
    if (page.length === 0) return { tail, stored };
    tail ??= page[0]!.revision;
    const waiting = await waitingOf(
      client,
      page.map(({ id }) => id),
    );
    for (const id of waiting) stored.add(id);
    const oldest = page.at(-1)!.revision;
    if (waiting.length === 0 || oldest === 0) return { tail, stored };
    next = { from: oldest - 1 };
  }
};

/** Divides announcements into appends of bounded size. */
function* inAppends(announcements: readonly WaitingAnnouncement[]): Generator<NewEvent[]> {
  let [events, bytes] = [[] as NewEvent[], 0];
  for (const { id, event, record, size } of announcements) {
    if (events.length > 0 && bytes + size > ANNOUNCEMENTS_APPENDED_BYTES_MAX) {
      yield events;
      [events, bytes] = [[], 0];
    }
    events.push(announcementCodec.encode(id, event, record));
    bytes += size;
  }
  if (events.length > 0) yield events;
}
