import { SHARED_JOURNALS } from '../../../domain/keys/shared-journals.ts';
import { LOG_CALL_TIMEOUT_MS } from '../../../engine/limits.ts';
import { GUARDS_ANNOUNCED_KEPT_MAX } from '../limits.ts';
import type { Clock } from '../../../engine/time/clock.ts';
import { lruCache } from '../../../engine/concurrency/lru-cache.ts';
import { sharedJournalCodec } from '../../../domain/keys/codecs.ts';
import { StaleRead, type Channel, type ChannelCalls } from '../../../engine/log/event-store.ts';
import { factIn, listed } from './facts.ts';

/** The open shared journals, from the list of them in the log. */
export class OpenJournals {
  readonly #channel: Channel;
  readonly #clock: Clock;
  /** In the order in which they were opened. */
  readonly #open = new Set<string>();
  #next = 0;
  /** By stream, the last announced revision. */
  readonly #announced = lruCache<number>(GUARDS_ANNOUNCED_KEPT_MAX);

  constructor(channel: Channel, clock: Clock) {
    this.#channel = channel;
    this.#clock = clock;
  }

  /** The open journals, by the state of the answering server. */
  async look(calls: ChannelCalls): Promise<readonly string[]> {
    for (const stored of await calls.read(SHARED_JOURNALS, this.#next)) {
      // Concurrent reads may return the same event.
      if (stored.revision < this.#next) continue;
      const { event } = sharedJournalCodec.decode(stored);
      if (event.type === 'JournalOpened') this.#open.add(event.journal);
      if (event.type === 'JournalClosed') this.#open.delete(event.journal);
      this.#next = stored.revision + 1;
    }
    return [...this.#open];
  }

  /**
   * Announces the change of the stream in every open journal, so that no further use is stored
   * there that was checked against an earlier revision. Journals opened meanwhile need no
   * announcement: their writer reads the guards after opening, in a log that has this change.
   *
   * @throws `LogUnavailable`.
   */
  async announce(stream: string, revision: number): Promise<void> {
    if ((this.#announced.get(stream) ?? -1) >= revision) return;
    await this.#channel.ready();
    await this.#channel.ask(`announcing ${stream}`, LOG_CALL_TIMEOUT_MS, async (calls) => {
      const { connection } = this.#channel;
      // The list must come from a log that has the change.
      if (((await calls.revisionOf(stream)) ?? -1) < revision) throw new StaleRead(stream);
      const journals = await this.look(calls);
      if (connection !== this.#channel.connection) throw new StaleRead(SHARED_JOURNALS);
      const change = { type: 'GuardChanged', stream, revision } as const;
      await Promise.all(
        journals.map((journal) => calls.append(factIn(journal, change, this.#clock))),
      );
    });
    this.#announced.set(stream, revision);
  }

  /** Closes a journal permanently. Idempotent. */
  async close(calls: ChannelCalls, journal: string): Promise<void> {
    const closed = { type: 'JournalClosed', journal } as const;
    // The list is updated last: while a journal is listed as open, changes are announced in it.
    await calls.append(factIn(journal, closed, this.#clock));
    await calls.append(listed(closed, this.#clock));
    this.#open.delete(journal);
  }
}
