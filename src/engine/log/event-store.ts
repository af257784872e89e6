import { Unavailable } from '../concurrency/unavailable.ts';
import type { Instant } from '../time/instant.ts';
import { readinessError } from '../observe/readiness-error.ts';

/**
 * The event log, and every promise it makes. All three {@link Backend}s pass one contract suite,
 * `test/contract/event-store.contract.ts`; do not rely on behaviour that it does not test.
 */
export interface EventStore {
  /** For display and exports. Code checks {@link capabilities} instead. */
  readonly backend: Backend;
  readonly capabilities: Capabilities;
  /** Calls over one connection, if the log guarantees their order; else `null`. */
  readonly channel: Channel | null;
  /**
   * Begins appends that are stored in the order in which they are added, many of them concurrently.
   * `null` if one commit does that ({@link Capabilities.commitsInCallOrder}), or if calls of the
   * log are replaced, which these would bypass.
   */
  readonly orderedAppends: ((options: OrderedOptions) => OrderedAppends) | null;

  /**
   * Appends all of `events` to `stream`, or none of them. Durable when the promise resolves. They
   * are adjacent in the order of the log.
   *
   * Idempotent: the same events (by id) with the same expectation are stored once, whatever has
   * been appended since, and a repeat returns the first result with `repeated: true`. Repeats are
   * checked before the guard, and the guard before the revision, so that a writer that lost the
   * reply can always retry. It is no repeat if only some of the events are stored.
   *
   * `data` is stored as `JSON.stringify` writes it: `undefined` members are dropped, `null` is
   * kept.
   *
   * @throws {@link WrongRevision} if `stream` is not where `expected` says, or holds a part of
   *   `events` already. Nothing was stored.
   * @throws {@link GuardMoved} if the guard's stream has moved. Nothing was stored.
   * @throws {@link LogUnavailable} if the outcome is unknown after `LOG_CALL_TIMEOUT_MS`; retry
   *   with the same ids.
   * @throws {TypeError} for events that cannot be stored: none, an id that is no UUID or is not
   *   unique, `data` that JSON cannot represent, an empty or ill-formed stream or type.
   */
  append(
    stream: string,
    expected: Expected,
    events: readonly NewEvent[],
    options?: AppendOptions,
  ): Promise<Appended>;

  /**
   * Oldest first from `from` (default 0), at most `limit` (default {@link READ_PAGE_EVENTS}).
   * Backwards: newest first, from the end or from `from`. An unknown stream is an empty one.
   *
   * @throws {@link LogUnavailable} if the log has not answered within `LOG_CALL_TIMEOUT_MS`; so
   *   do all other calls below that read.
   */
  readStream(stream: string, range?: StreamRange): Promise<readonly StoredEvent[]>;

  /**
   * One page of every stream in the order of the log, just after `after`. `null`: from the start.
   * A page has about `LOG_PAGE_BYTES_MAX` bytes at most, so it may be short before the end, and
   * with a filter even empty: continue from `next`.
   *
   * @throws {@link UnknownPosition} for a position of another log, if it is recognisable as such.
   */
  readAll(after: Position | null, range: AllRange): Promise<AllPage>;

  /**
   * Batches in the order of the log from just after `after`: first stored events, then new ones.
   *
   * Reconnects automatically, without a gap or a duplicate. Applies backpressure while the consumer
   * is busy; a batch is bounded as a page is. Ends, without an error, when `signal` aborts or the
   * log is closed; leaving the loop releases all resources. A batch without events only reports how
   * far the log has been searched; if no event follows `after`, such a batch comes first, unless
   * `after` is `null`.
   *
   * @throws {@link LogBroken}, and other errors that show the log to be corrupt.
   */
  subscribe(after: Position | null, options: SubscribeOptions): AsyncIterable<Batch>;

  /** The end of the log now, and when its last event was recorded. */
  head(): Promise<Head>;

  /** Negative, 0 or positive as `a` is before, at or after `b`; `null` is before everything. */
  compare(a: Position | null, b: Position | null): number;

  /** The number of positions after `a` up to `b`; `null` if the log cannot count. */
  distance(a: Position | null, b: Position | null): number | null;

  /**
   * Removes the events of `stream` before revision `before`, but never its last event. Revisions
   * continue. `readAll` may still return removed events, and appending them again is no longer
   * recognised as a repeat. Idempotent. Many events may go in portions, oldest first.
   */
  truncateStream(stream: string, before: number): Promise<void>;

  /**
   * Deletes a closed journal, which must never be written again. An unknown one is ignored. If the
   * journal has the last event of the whole log, that event may remain until another event follows.
   *
   * A large journal may be deleted in portions, oldest first. Until the call has succeeded, it
   * reads as truncated; a repeated call continues.
   */
  deleteStream(stream: string, options?: DeleteOptions): Promise<void>;

  /**
   * Ends subscriptions and connections. Appends in flight are finished first; a later call is
   * answered with {@link LogUnavailable}. Idempotent.
   */
  close(): Promise<void>;
}

export type Backend = 'memory' | 'postgres' | 'eventstoredb';

/**
 * Differences between backends that callers must handle. The contract suite covers each of them.
 */
export interface Capabilities {
  /**
   * Whether `repeated` is set for every repeat. If not, an append that succeeds may have found the
   * same ids stored by another process; a caller that must know reads the events back.
   */
  readonly tellsEveryRepeat: boolean;
  /**
   * Whether appends to different streams, made in one turn of the event loop, are stored in the
   * order in which they were made; by one commit, if they fit one (`LOG_COMMIT_EVENTS_MAX`,
   * `LOG_COMMIT_BYTES_MAX`) and no other append is under way. Only an append to a stream, or with a
   * guard on a stream, to which another one is under way may be stored later. If not, each is a
   * separate call: a caller that needs an order awaits each append, and one with many of them
   * bounds the concurrency.
   */
  readonly commitsInCallOrder: boolean;
  /**
   * Whether a guard is checked and the events are stored in one step. If not, the guard's stream
   * may move in between, so that an event may be stored after the one that would have refused it.
   */
  readonly guardsInOneStep: boolean;
  /**
   * Whether `readAll` and `subscribe` still return truncated or deleted events until the backend
   * cleans up. `readStream` never returns them.
   */
  readonly showsRemovedInAll: boolean;
}

/**
 * A position in the whole log. Opaque: only {@link EventStore.compare} orders two of them. A text,
 * so that headers, rows and checkpoints can contain it.
 */
export type Position = string;

/** The revision of the last event the writer has seen. `any` is for journals alone. */
export type Expected = number | 'no_stream' | 'any';

export interface AppendOptions {
  readonly guard?: Guard;
}

export interface DeleteOptions {
  /** Its abort stops the deletion between two portions, and its reason is thrown. */
  readonly signal?: AbortSignal;
}

/**
 * Calls that share a connection: between two answers over one connection, the log only grows. All
 * are in one order, and what is read is durable; but a deposed leader that has not noticed may
 * return stale data.
 */
export interface Channel {
  /** Changes as soon as another server may answer the next call. */
  readonly connection: number;
  /**
   * Resolves when calls may be sent. {@link Channel.ask} does not wait for it, so that preliminary
   * checks do not use up a call's deadline.
   *
   * @throws {@link LogUnavailable}; the refusal of a log that must not be used.
   */
  ready(): Promise<void>;
  /**
   * Repeats `work` until it succeeds, while the log cannot be reached.
   *
   * @throws {@link LogUnavailable} after `withinMs`; an error of `work` that is final.
   */
  ask<T>(what: string, withinMs: number, work: (calls: ChannelCalls) => Promise<T>): Promise<T>;
}

/** Calls that are not retried. After a failed append it is unknown whether it was stored. */
export interface ChannelCalls {
  /** @throws {@link WrongRevision}: nothing was stored. */
  append(request: {
    readonly stream: string;
    readonly expected: number | 'any';
    readonly events: readonly SerialisedEvent[];
  }): Promise<Pick<Appended, 'revision' | 'position'>>;
  /** Oldest first from `from` on, to the end. */
  read(stream: string, from: number): Promise<readonly StoredEvent[]>;
  /** `null`: the stream does not exist. */
  revisionOf(stream: string): Promise<number | null>;
}

/**
 * Appends to different streams whose order in the log is that of their {@link OrderedAppends.add}.
 * At any time the stored ones are a prefix of them, even after this process was killed: repeating
 * everything after that prefix continues in order.
 */
export interface OrderedAppends {
  /**
   * Resolves once another append may be added, which is before this one is stored. Must not be
   * called again until then.
   *
   * @throws {@link OutOfOrder}; {@link LogUnavailable} if nothing was stored for `retryMs`; else as
   *   {@link EventStore.append}. Nothing more is stored after the first error, and each further
   *   call throws it again.
   */
  add(append: OrderedAppend): Promise<void>;
  /** Resolves once every added append is stored. @throws As {@link add}. */
  stored(): Promise<void>;
  /** Stops. Appends that are not stored yet may still be stored. Idempotent. */
  stop(): void;
}

export interface OrderedAppend {
  readonly stream: string;
  readonly expected: Exclude<Expected, 'any'>;
  readonly events: readonly NewEvent[];
}

export interface OrderedOptions {
  /** How long calls to an unreachable log are retried. */
  readonly retryMs: number;
}

/** The append holds only if `stream` is still at `revision`; `null`: does not exist. */
export interface Guard {
  readonly stream: string;
  readonly revision: number | null;
}

export interface NewEvent {
  /** UUID. Identifies the event for ever; see {@link EventStore.append} on repeats. */
  readonly id: string;
  readonly type: string;
  /** Serialisable by `JSON.stringify`. */
  readonly data: unknown;
  /** Flat, with text values only, which every log protocol supports. */
  readonly meta: EventMeta;
}

export type EventMeta = Readonly<Record<string, string>>;

/** A serialised event that every log can store. */
export interface SerialisedEvent {
  /** In lower case. */
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly meta: string;
}

/** An event as read from the log. */
export interface StoredEvent extends NewEvent {
  /** `<category>-<key>`, for example `ticket-5f0c1a52-…`. */
  readonly stream: string;
  /** Index in its stream, dense from 0. */
  readonly revision: number;
  readonly position: Position;
  /** The time by the log's own clock: for lag and operations, never for a rule. */
  readonly recordedAt: Instant;
}

export interface Appended {
  /** The revision of the last appended event, in its stream. */
  readonly revision: number;
  readonly position: Position;
  /** The events had already been stored. */
  readonly repeated: boolean;
  /** What was stored in place of the events, where they are written in an older version. */
  readonly stored?: readonly NewEvent[];
}

export interface StreamRange {
  readonly from?: number;
  readonly limit?: number;
  readonly backwards?: boolean;
}

/** Only streams of these categories (the text before the first hyphen). Absent: all. */
export interface Filter {
  readonly categories?: readonly string[];
}

export interface AllRange extends Filter {
  readonly limit: number;
}

export interface AllPage {
  readonly events: readonly StoredEvent[];
  /** How far the page has searched, events of other categories included. */
  readonly next: Position | null;
  /** The page reached the end of the log at the time of the read. */
  readonly end: boolean;
  /** It has fewer events than were asked for because of their bytes: more follow. */
  readonly isCut?: boolean;
}

export interface SubscribeOptions extends Filter {
  readonly signal: AbortSignal;
  /** Maximum number of events in a batch. Default {@link READ_PAGE_EVENTS}. */
  readonly batchEventsMax?: number;
  /** Called after the log was unreachable: another server may answer from then on. */
  readonly onInterrupted?: () => void;
}

export interface Batch {
  readonly events: readonly StoredEvent[];
  /** The log was searched up to here: the checkpoint once the batch is handled. */
  readonly upTo: Position;
  /** The end of the log was reached with this batch. */
  readonly caughtUp: boolean;
}

export interface Head {
  readonly position: Position | null;
  readonly recordedAt: Instant | null;
}

/** Default page size of reads. */
export const READ_PAGE_EVENTS = 1_000;

export class WrongRevision extends Error {
  readonly stream: string;
  readonly expected: Expected;
  /** The revision of the stream; `null`: it does not exist. */
  readonly actual: number | null;

  constructor(stream: string, expected: Expected, actual: number | null) {
    super(`${stream} is at revision ${actual ?? 'none'}, not at ${expected}`);
    this.name = 'WrongRevision';
    this.stream = stream;
    this.expected = expected;
    this.actual = actual;
  }
}

/** An event of an append has the id of one in another stream. EventStoreDB does not detect it. */
export class IdTaken extends Error {
  constructor(stream: string) {
    super(`an event of this append to ${stream} is in another stream already`);
    this.name = 'IdTaken';
  }
}

export class GuardMoved extends Error {
  readonly guard: Guard;
  readonly actual: number | null;

  constructor(guard: Guard, actual: number | null) {
    super(`${guard.stream} has moved from revision ${guard.revision ?? 'none'} to ${actual}`);
    this.name = 'GuardMoved';
    this.guard = guard;
    this.actual = actual;
  }
}

/** A position that this log never gave out. */
export class UnknownPosition extends TypeError {
  constructor(what: string, cause?: unknown) {
    super(what, { cause });
    this.name = 'UnknownPosition';
  }
}

/**
 * Checks a position after which no event was found: it is the end of the log, or unknown.
 *
 * @throws {@link UnknownPosition} if it is after the end; {@link LogUnavailable}.
 */
export const assertPositionIn = async (
  log: Pick<EventStore, 'head' | 'compare'>,
  position: Position,
): Promise<void> => {
  const head = await log.head();
  if (log.compare(position, head.position) > 0)
    throw new UnknownPosition(`${position} is after the end of the log`);
};

/** An append is stored before one that it was to follow. */
export class OutOfOrder extends Error {
  constructor(stream: string, revision: number) {
    super(`${stream}, revision ${revision}, was stored before events that it was to follow`);
    this.name = 'OutOfOrder';
  }
}

/** A server returned fewer events of a stream than are known to exist: the call is retried. */
export class StaleRead extends Error {
  constructor(stream: string) {
    super(`${stream} cannot be read to its end yet`);
    this.name = 'StaleRead';
  }
}

/** Events are missing that were not removed through the log. */
export class LogBroken extends Error {
  constructor(what: string) {
    super(what);
    this.name = 'LogBroken';
  }
}

/** The log was not reached in time. An append may or may not be stored. */
export class LogUnavailable extends Unavailable {
  constructor(what: string, cause?: unknown) {
    super(readinessError(`the event log cannot be reached: ${what}`), { cause });
    this.name = 'LogUnavailable';
  }
}
