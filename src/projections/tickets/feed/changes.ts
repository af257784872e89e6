/**
 * Ticket changes: one per command, with the ticket after it. Folded from the ticket's stream on
 * demand; there is no second copy.
 * contract.md section 5.
 */
import type { Actor, Instant, Origin } from '../../../engine/aggregates/decider.ts';
import { changeOf, type Change } from '../../../domain/tickets/change.ts';
import type { TicketEvent } from '../../../domain/tickets/events.ts';
import { asExpired, type ShownEvent } from '../../../domain/tickets/expiry.ts';
import type { RaisedSla } from '../../../domain/tickets/publication.ts';
import { viewAfter, type TicketView } from '../../../domain/tickets/view.ts';
import {
  CHANGES_OF_TICKET_KEPT_MAX,
  CHANGES_STREAMS_AT_ONCE_MAX,
  CHANGES_TICKETS_CACHED_BYTES_MAX,
  CHANGES_TICKETS_CACHED_MAX,
  TICKET_OWNERS_CACHED_MAX,
  TIMELINE_READ_AT_ONCE_EVENTS,
} from '../limits.ts';
import { estimatedSize } from '../../../engine/concurrency/estimated-size.ts';
import { datedCache } from '../../../engine/concurrency/dated-cache.ts';
import { lruCache } from '../../../engine/concurrency/lru-cache.ts';
import { PERSON_KEY_TRUSTED_MS } from '../../../engine/limits.ts';
import type { Recorded } from '../../../engine/log/codec.ts';
import { ticketCodec } from '../../../domain/tickets/codecs.ts';
import {
  LogUnavailable,
  type EventStore,
  type Position,
  type StoredEvent,
} from '../../../engine/log/event-store.ts';
import { keyOf } from '../../../engine/log/streams.ts';
import { systemClock, type Clock } from '../../../engine/time/clock.ts';
import { ticketOwnerIn, type TicketOwner } from '../owners.ts';
import { yieldQueue } from '../../../engine/concurrency/yield-queue.ts';
import { keyedMutex } from '../../../engine/concurrency/keyed-mutex.ts';
import { forEachConcurrently } from '../../../engine/concurrency/semaphore.ts';
import { expiriesIn, type Expiries } from './expiries.ts';
import { instantOf } from './unreadable.ts';

/** One command's effect on one ticket. */
export interface TicketChange {
  /** The log position of the command's last fact. */
  readonly position: Position;
  /** The revision of the command's last fact in the ticket's stream. */
  readonly revision: number;
  readonly at: Instant;
  readonly ticketId: string;
  readonly change: Change;
  readonly actor: Actor;
  readonly origin: Origin;
  readonly facts: readonly ShownEvent[];
  /** Warnings and breaches that the command recorded, oldest first. */
  readonly slaEvents: readonly SlaEvent[];
  /** The state after the command. */
  readonly ticket: TicketView;
}

/** A warning or a breach, as if its timer had recorded it. */
export interface SlaEvent extends RaisedSla {
  /** The id of the event. */
  readonly id: string;
}

/** The changes of a stretch of one ticket's stream. */
export interface ChangeRange {
  /** By the revision of the last fact of each command; earlier facts have no entry. */
  readonly ended: ReadonlyMap<number, TicketChange>;
  /** The first event that this release cannot read; `null`: none. */
  readonly broken: Broken | null;
}

export interface Broken {
  readonly revision: number;
  readonly since: Instant;
  readonly error: unknown;
}

export interface TicketChanges {
  /**
   * The changes whose last fact is in `stream` between the revisions `first` and `last`, both
   * inclusive.
   *
   * @throws {@link LogUnavailable} if the log cannot be reached, or `last` is not readable yet.
   */
  between(stream: string, first: number, last: number): Promise<ChangeRange>;
  /**
   * The owners of the tickets of `events`, by stream; `null`: unknown.
   *
   * @throws {@link LogUnavailable}.
   */
  ownersOf(events: readonly StoredEvent[]): Promise<ReadonlyMap<string, TicketOwner | null>>;
}

/** A partly folded ticket, always to the end of a command. */
interface Followed {
  readonly view: TicketView | null;
  /** -1 before the first fact. */
  readonly revision: number;
  /** The latest changes up to `revision`, oldest first, without a gap. */
  readonly kept: readonly TicketChange[];
  /** The changes up to this revision are not among `kept`. */
  readonly keptAfter: number;
}

const unfollowed: Followed = { view: null, revision: -1, kept: [], keptAfter: -1 };

export interface TicketChangesOptions {
  /** Estimated size of cached tickets. Default {@link CHANGES_TICKETS_CACHED_BYTES_MAX}. */
  readonly cachedBytesMax?: number;
  /**
   * Buffered events of a stream from a revision on, whole appends only; `null`: not buffered.
   * Default: none.
   */
  readonly recent?: (stream: string, from: number) => readonly StoredEvent[] | null;
  /** The platform's clock. Default: the system's. */
  readonly clock?: Pick<Clock, 'now'>;
}

export const ticketChanges = (
  log: Pick<EventStore, 'readStream'>,
  {
    cachedBytesMax = CHANGES_TICKETS_CACHED_BYTES_MAX,
    recent,
    clock = systemClock,
  }: TicketChangesOptions = {},
): TicketChanges => {
  const expiries = expiriesIn(log, clock);
  /** Tickets followed at once share the turns of the event loop. */
  const turn = yieldQueue(TIMELINE_READ_AT_ONCE_EVENTS);
  /** Reads up to `last`, if the log has it, and on to the end of its command. */
  const read: ReadUpTo = async (stream, { from, limit, last }) => {
    const buffered = recent?.(stream, from) ?? [];
    const end = from + buffered.length - 1;
    // A gap in the buffer, whatever its cause, is read from the log.
    const isWhole =
      end >= last &&
      buffered.at(-1)?.revision === end &&
      // Events buffered before an erasure still contain personal data.
      !buffered.some(({ type }) => type === 'TicketPersonalDataErased');
    return isWhole ? buffered.slice(0, limit) : log.readStream(stream, { from, limit });
  };
  const followed = datedCache<Followed>(CHANGES_TICKETS_CACHED_MAX, PERSON_KEY_TRUSTED_MS, {
    weightMax: cachedBytesMax,
    weightOf: ({ view, kept }) => estimatedSize(view, kept),
  });
  const owners = lruCache<TicketOwner | null>(TICKET_OWNERS_CACHED_MAX);
  /** Readers woken by one change request it together: the first one reads it for all. */
  const mutex = keyedMutex();

  const between = async (stream: string, first: number, last: number): Promise<ChangeRange> => {
    const beginning = { value: unfollowed, readAt: performance.now() };
    const cached = followed.get(stream) ?? beginning;
    const state = cached.value;
    // A reader behind the kept changes reads the stream from its beginning.
    const { value: start, readAt } = state.keptAfter < first ? cached : beginning;
    const ended = new Map(start.kept.map((change) => [change.revision, change]));
    let broken: Broken | null = null;
    if (start.revision < last) {
      const found = await changesIn({ read, expiries, turn }, stream, start, first, last);
      if (start.revision >= 0 && found.changes.some(isErasure)) {
        // A ticket folded before the erasure still contains personal data.
        followed.delete(stream);
        return between(stream, first, last);
      }
      ({ broken } = found);
      for (const change of found.changes) ended.set(change.revision, change);
      const reached = found.changes.at(-1);
      if (reached && reached.revision >= state.revision) {
        followed.set(stream, followedTo(reached, start, found.changes), readAt);
      }
    }
    return { ended, broken };
  };

  const ownerOf = async (stored: StoredEvent) => {
    const cached = owners.get(stored.stream);
    if (cached !== undefined) return cached;
    const [opening] =
      stored.revision === 0 ? [stored] : await log.readStream(stored.stream, { limit: 1 });
    const owner = opening ? ticketOwnerIn(opening) : null;
    owners.set(stored.stream, owner);
    return owner;
  };

  return {
    between: (stream, first, last) => mutex.run(stream, () => between(stream, first, last)),

    async ownersOf(events) {
      const first = new Map(events.toReversed().map((event) => [event.stream, event]));
      const found = new Map<string, TicketOwner | null>();
      await severalAtOnce(first.values(), async (event) => {
        found.set(event.stream, await ownerOf(event));
      });
      return found;
    },
  };
};

/** {@link forEachConcurrently} with the bound on the log reads of one reader. */
export const severalAtOnce = <Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> => forEachConcurrently(items, CHANGES_STREAMS_AT_ONCE_MAX, work);

const isErasure = ({ facts }: TicketChange): boolean =>
  facts.some(({ event }) => event.type === 'TicketPersonalDataErased');

const followedTo = (
  reached: TicketChange,
  start: Followed,
  changes: readonly TicketChange[],
): Followed => {
  const all = [...start.kept, ...changes];
  const kept = all.slice(-CHANGES_OF_TICKET_KEPT_MAX);
  const left = all.at(-CHANGES_OF_TICKET_KEPT_MAX - 1);
  const { ticket: view, revision } = reached;
  return { view, revision, kept, keptAfter: left?.revision ?? start.keptAfter };
};

/** Part of a stream, read once `last` is readable. */
type ReadUpTo = (
  stream: string,
  range: { readonly from: number; readonly limit: number; readonly last: number },
) => Promise<readonly StoredEvent[]>;

interface ChangesParts {
  readonly read: ReadUpTo;
  readonly expiries: Expiries;
  /** Waits for a turn of the event loop in which this many events may be folded. */
  readonly turn: (events: number) => Promise<void>;
}

interface ChangesRead {
  /** The changes that end at `first` or later, and the latest before them. */
  readonly changes: readonly TicketChange[];
  readonly broken: Broken | null;
}

/**
 * The commands that end at `last` or before, up to the first unreadable event. The stream is read
 * in parts, which bounds the memory of concurrent readers.
 *
 * @throws {@link LogUnavailable} where the log does not show `last` yet.
 */
const changesIn = async (
  { read, expiries, turn }: ChangesParts,
  stream: string,
  start: Pick<Followed, 'view' | 'revision'>,
  first: number,
  last: number,
): Promise<ChangesRead> => {
  const changes: TicketChange[] = [];
  const open = openCommand(start.view);
  const close = (): Broken | null => {
    const closed = open.closed();
    if (closed === null || 'error' in closed) return closed;
    changes.push(closed);
    const oldest = changes[0]!;
    if (changes.length > CHANGES_OF_TICKET_KEPT_MAX + 1 && oldest.revision < first) changes.shift();
    return null;
  };
  let expired: number | null = null;
  // Reads one event past `last`, if there is one: it may continue the command.
  for (let next = start.revision + 1; next <= last + 1;) {
    const limit = Math.min(last + 2 - next, TIMELINE_READ_AT_ONCE_EVENTS);
    const page = await read(stream, { from: next, limit, last });
    if (page[0]) expired ??= await expiries.lastAfter(page[0]);
    await turn(page.length);
    for (const event of page) {
      const ended = event.meta['commandId'] === open.commandId() ? null : close();
      if (ended || event.revision > last) return { changes, broken: ended };
      const broken = open.take(event, event.revision <= (expired ?? -1));
      if (broken) return { changes, broken };
    }
    next += page.length;
    if (page.length === limit) continue;
    if (next <= last) throw new LogUnavailable(`${stream} cannot be read up to revision ${last}`);
    return { changes, broken: close() };
  }
  return { changes, broken: null };
};

/** Groups facts by command, and folds the ticket after each. */
const openCommand = (before: TicketView | null) => {
  let facts: Recorded<TicketEvent>[] = [];
  let slaEvents: SlaEvent[] = [];
  let view = before;
  return {
    /** The command of the facts added since the last change; `undefined`: no facts. */
    commandId: (): string | undefined => facts.at(-1)?.commandId,

    /** Adds a fact. An event that cannot be decoded or folded is reported, never guessed. */
    take(event: StoredEvent, isExpired: boolean): Broken | null {
      try {
        const decoded = ticketCodec.decode(event);
        const fact = isExpired ? asExpired(decoded) : decoded;
        view = viewAfter(fact, view);
        facts.push(fact);
        slaEvents.push(...slaEventOf(fact, view));
        return null;
      } catch (error) {
        return { revision: event.revision, since: instantOf(event), error };
      }
    },

    /** The change made by the facts added since the last one; `null` if there are none. */
    closed(): TicketChange | Broken | null {
      const last = facts.at(-1);
      if (!last || view === null) return null;
      try {
        const change = changeBy(facts, slaEvents, last, view);
        facts = [];
        slaEvents = [];
        return change;
      } catch (error) {
        return { revision: last.revision, since: last.at, error };
      }
    },
  };
};

const slaEventOf = (
  { id, event }: Recorded<TicketEvent>,
  ticket: TicketView,
): readonly SlaEvent[] => {
  const kind = slaKinds[event.type];
  if (kind === undefined || !('clock' in event)) return [];
  const { clock, dueAt } = event;
  return [{ id, kind, clock, dueAt, ticket }];
};

const slaKinds: Partial<Readonly<Record<TicketEvent['type'], SlaEvent['kind']>>> = {
  SlaWarningRaised: 'warning',
  SlaClockBreached: 'breached',
};

const changeBy = (
  facts: readonly Recorded<TicketEvent>[],
  slaEvents: readonly SlaEvent[],
  last: Recorded<TicketEvent>,
  ticket: TicketView,
): TicketChange => {
  const change = changeOf(facts.map(({ event }) => event));
  if (change === null) throw new Error(`${last.stream}: a command without a change`);
  const { position, revision, at, stream, by: actor, origin } = last;
  const message = {
    ticketId: keyOf(stream),
    change,
    actor,
    origin,
    facts: facts.map(({ event, erased }) => (erased ? { event, erased } : { event })),
    slaEvents,
  };
  return { position, revision, at, ...message, ticket };
};
