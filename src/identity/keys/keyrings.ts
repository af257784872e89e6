import { keyringDecider, type Keyring } from '../../domain/keyring/keyring.ts';
import { KEYRINGS_CACHED_MAX } from '../../limits.ts';
import { keyringCodec } from '../../store/codecs.ts';
import { READ_PAGE_EVENTS, type EventStore } from '../../store/event-store.ts';
import { SharedReads } from '../../store/shared-reads.ts';

/** A keyring as it was when it was read. */
export interface ReadKeyring {
  readonly keyring: Keyring;
  /** `null`: there is no such keyring. */
  readonly revision: number | null;
}

/**
 * Keyrings by their stream. What is kept in memory is only ever a start: it counts once the log has
 * confirmed, in the very request, that the keyring has not moved.
 */
export class Keyrings {
  readonly #log: EventStore;
  readonly #kept = new Map<string, ReadKeyring>();
  readonly #reads: SharedReads<ReadKeyring>;

  constructor(log: EventStore) {
    this.#log = log;
    this.#reads = new SharedReads((stream) => this.#read(stream));
  }

  /** As it was read last, whenever that was. */
  kept(stream: string): ReadKeyring | undefined {
    return this.#kept.get(stream);
  }

  /** As the log has it after this was asked for. @throws `LogUnavailable`. */
  read(stream: string): Promise<ReadKeyring> {
    return this.#reads.of(stream);
  }

  async #read(stream: string): Promise<ReadKeyring> {
    let { keyring, revision } = this.#kept.get(stream) ?? unopened;
    for (;;) {
      const page = await this.#log.readStream(stream, { from: (revision ?? -1) + 1 });
      for (const stored of page) {
        const { event, at } = keyringCodec.decode(stored);
        keyring = keyringDecider.evolve(event, keyring, at);
        revision = stored.revision;
      }
      if (page.length < READ_PAGE_EVENTS) break;
    }
    // Those that do not exist are as many as somebody likes to invent.
    if (revision !== null) this.#keep(stream, { keyring, revision });
    return { keyring, revision };
  }

  /** The one that was not read for longest leaves first. */
  #keep(stream: string, read: ReadKeyring): void {
    this.#kept.delete(stream);
    this.#kept.set(stream, read);
    const oldest = this.#kept.keys().next();
    if (this.#kept.size > KEYRINGS_CACHED_MAX && !oldest.done) this.#kept.delete(oldest.value);
  }
}

const unopened: ReadKeyring = { keyring: keyringDecider.initial, revision: null };
