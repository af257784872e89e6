import { keyringDecider, type Keyring } from '../../domain/keys/keyring.ts';
import { KEYRINGS_CACHED_MAX } from '../../limits.ts';
import { lruCache } from '../../engine/concurrency/lru-cache.ts';
import { keyringCodec } from '../../domain/keys/codecs.ts';
import type { EventStore } from '../../engine/log/event-store.ts';
import { pagesOf } from '../../engine/log/history.ts';
import { SharedReads } from '../../engine/log/shared-reads.ts';

/** A keyring, and the revision at which it was read. */
export interface ReadKeyring {
  readonly keyring: Keyring;
  /** `null`: the keyring does not exist. */
  readonly revision: number | null;
}

/**
 * Keyrings by stream. The cache is never used alone: in each request the log confirms that the
 * keyring has not changed since it was read.
 */
export class KeyringCache {
  readonly #log: EventStore;
  readonly #kept = lruCache<ReadKeyring>(KEYRINGS_CACHED_MAX);
  readonly #reads: SharedReads<ReadKeyring>;

  constructor(log: EventStore) {
    this.#log = log;
    this.#reads = new SharedReads((stream) => this.#read(stream));
  }

  /** The cached keyring, of any age. */
  kept(stream: string): ReadKeyring | undefined {
    return this.#kept.get(stream);
  }

  /** Never older than the call. @throws `LogUnavailable`. */
  read(stream: string): Promise<ReadKeyring> {
    return this.#reads.of(stream);
  }

  async #read(stream: string): Promise<ReadKeyring> {
    let { keyring, revision } = this.#kept.get(stream) ?? unopened;
    for await (const page of pagesOf(this.#log, stream, (revision ?? -1) + 1)) {
      for (const stored of page) {
        const { event, at } = keyringCodec.decode(stored);
        keyring = keyringDecider.evolve(event, keyring, at);
        revision = stored.revision;
      }
    }
    // Missing keyrings are not cached, because callers can name any number of them.
    if (revision !== null) this.#kept.set(stream, { keyring, revision });
    return { keyring, revision };
  }
}

const unopened: ReadKeyring = { keyring: keyringDecider.initial, revision: null };
