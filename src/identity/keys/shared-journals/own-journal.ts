import { randomUUID } from 'node:crypto';
import {
  familyOfShared,
  sharedJournalOf,
  type JournalFamily,
} from '../../../domain/keys/shared-journals.ts';
import { GUARDS_KNOWN_MAX, SHARED_JOURNALS_OPEN_MAX } from '../limits.ts';
import type { Clock } from '../../../engine/time/clock.ts';
import { lruCache, type LruCache } from '../../../engine/concurrency/lru-cache.ts';
import {
  StaleRead,
  type Channel,
  type ChannelCalls,
  type Guard,
  type Position,
  type StoredEvent,
} from '../../../engine/log/event-store.ts';
import { factIn, listed } from './facts.ts';
import type { OpenJournals } from './open-journals.ts';

/** An event of this process that was found in the journal. */
export interface Found {
  readonly revision: number;
  readonly position: Position;
}

/**
 * A shared journal to which only this process writes records, with the guards' revisions as of the
 * journal's last read revision. docs/decisions/0055 proves that these revisions are current.
 */
export class OwnJournal {
  readonly name: string;
  readonly family: JournalFamily;
  readonly #channel: Channel;
  readonly #guardRevisions: LruCache<number>;
  #revision: number;
  /** The connection whose server had the journal up to this revision. */
  #connection: number;
  #closed: boolean;

  constructor(
    channel: Channel,
    name: string,
    seen: { readonly revision: number; readonly connection: number; readonly closed: boolean },
  ) {
    this.name = name;
    this.family = familyOfShared(name)!;
    this.#channel = channel;
    this.#revision = seen.revision;
    this.#connection = seen.connection;
    this.#closed = seen.closed;
    this.#guardRevisions = lruCache(GUARDS_KNOWN_MAX);
  }

  /** Whether the journal accepts no more records, so that another one must be opened. */
  get closed(): boolean {
    return this.#closed;
  }

  /** The expected revision of the next append. */
  get revision(): number {
    return this.#revision;
  }

  /** Records that a group was stored at the expected revision. */
  stored(revision: number): void {
    // An abandoned attempt may be answered after a later one.
    this.#revision = Math.max(this.#revision, revision);
  }

  /**
   * Reads new events. An announced change invalidates the cached revision of its guard.
   *
   * @returns The records found, by id.
   * @throws {@link StaleRead} if the answering server lacks events that were read before.
   */
  async follow(calls: ChannelCalls): Promise<ReadonlyMap<string, Found>> {
    const { connection } = this.#channel;
    const events = await calls.read(this.name, this.#revision);
    if (events[0]?.revision !== this.#revision) throw new StaleRead(this.name);
    const found = new Map<string, Found>();
    for (const stored of events.slice(1)) {
      this.#take(stored, found);
      this.#revision = stored.revision;
    }
    this.#connection = connection;
    return found;
  }

  /** Whether the connection changed: the new server may lack events that were read before. */
  get mustFollow(): boolean {
    return this.#connection !== this.#channel.connection;
  }

  /**
   * The revisions of the guards' streams, as of this journal's revision. A cached one is read again
   * if a caller has seen a later revision, whose change need not be announced here yet.
   *
   * @throws {@link StaleRead} if the connection was lost, so that the revisions are unknown.
   */
  async guards(
    calls: ChannelCalls,
    guards: Iterable<Guard>,
  ): Promise<ReadonlyMap<string, number | null>> {
    const at = new Map<string, number | null>();
    const unknown = new Set<string>();
    for (const { stream, revision } of guards) {
      const seen = this.#guardRevisions.get(stream);
      if (seen === undefined || seen < (revision ?? -1)) unknown.add(stream);
      else at.set(stream, seen);
    }
    if (unknown.size === 0) return at;
    const asked = [...unknown];
    const revision = this.#revision;
    const read = await Promise.all(asked.map((stream) => calls.revisionOf(stream)));
    // An abandoned attempt must not restore revisions that a later one has invalidated.
    if (this.mustFollow || this.#revision !== revision) throw new StaleRead(this.name);
    for (const [index, stream] of asked.entries()) {
      at.set(stream, read[index]!);
      // Missing streams are not cached, because callers can name any number of them.
      if (typeof read[index] === 'number') this.#guardRevisions.set(stream, read[index]);
    }
    return at;
  }

  #take({ id, type, data, revision, position }: StoredEvent, found: Map<string, Found>) {
    if (type === 'GuardChanged')
      this.#guardRevisions.delete((data as { readonly stream: string }).stream);
    else if (type === 'JournalClosed') this.#closed = true;
    else found.set(id, { revision, position });
  }
}

/** Opens a journal of a family with a unique name. */
export class Opening {
  readonly name: string;
  readonly family: JournalFamily;
  readonly #clock: Clock;

  constructor(family: JournalFamily, clock: Clock) {
    this.family = family;
    this.name = sharedJournalOf(family, randomUUID().replaceAll('-', '').slice(0, 12));
    this.#clock = clock;
  }

  /**
   * Lists the journal and appends its first event. Idempotent. Closes the journals of earlier
   * periods, and the oldest if there are too many; their writers open new ones. Another process may
   * have closed this journal while it was only listed: then it is closed from the beginning.
   *
   * @param abandoned A journal that the caller no longer writes to, and that may still be open.
   */
  async open(
    calls: ChannelCalls,
    channel: Channel,
    journals: OpenJournals,
    abandoned: string | null,
  ): Promise<OwnJournal> {
    const opened = { type: 'JournalOpened', journal: this.name } as const;
    await calls.append(listed(opened, this.#clock));
    const { connection } = channel;
    // Changes may have been announced since it was listed, so cached revisions must be later.
    const { revision } = await calls.append(factIn(this.name, opened, this.#clock));
    const begun = await calls.read(this.name, 0);
    if (!begun.some((stored) => stored.revision === revision)) throw new StaleRead(this.name);
    // A later close comes after `revision`, so that the next append is refused.
    const closed = begun.some(({ type }) => type === 'JournalClosed');
    const own = new OwnJournal(channel, this.name, { revision, connection, closed });
    const others = (await journals.look(calls)).filter((name) => name !== this.name);
    const over = others.filter((name) => isBefore(familyOfShared(name), own.family));
    const many = others.slice(0, Math.max(0, others.length + 1 - SHARED_JOURNALS_OPEN_MAX));
    // A deleted journal is not listed as open.
    const left = others.filter((name) => name === abandoned);
    for (const name of new Set([...over, ...many, ...left])) await journals.close(calls, name);
    return own;
  }
}

const isBefore = (one: JournalFamily | null, other: JournalFamily): boolean =>
  one !== null && one.category === other.category && one.period < other.period;
