import type { Instant } from '../aggregates/decider.ts';
import { readinessError } from '../observe/readiness-error.ts';

/**
 * The event log, and every promise it makes. All three {@link Backend}s pass one contract suite,
 * `test/contract/event-store.contract.ts`; what is not tested there is not to be relied on.
 */
export interface EventStore {
  /** Shown to people and written into exports. Code asks for {@link capabilities} instead. */
  readonly backend: Backend;
  readonly capabilities: Capabilities;
  /** Calls over one connection, where the log orders them so; else `null`. */
  readonly channel: Channel | null;
  /**
   * Begins appends that are stored in the order in which they are added, many of them under way.
   * `null` where one commit does that ({@link Capabilities.commitsInCallOrder}), and where calls of
   * the log are replaced, which these would bypass.
   */
  readonly orderedAppends: ((options: OrderedOptions) => OrderedAppends) | null;

  /**
   * Appends all of `events` to `stream`, or none of them. Durable when the promise resolves. They
   * stand together in the order of the log, with nothing between them.
   *
   * The same events (by id) appended again with the same expectation are stored once, whatever
   * has been appended since: the answer is the first one's with `repeated: true`. That is looked
   * at before the guard, and the guard before the revision, so that a writer that lost the reply
   * can always ask again. Some of the events there already, and some not, is no repeat.
   *
   * `data` is kept as `JSON.stringify` writes it, so `undefined` members go and `null` stays.
   *
   * @throws {@link WrongRevision} if `stream` is not where `expected` says, or holds a part of
   *   `events` already. Nothing was stored.
   * @throws {@link GuardMoved} if the guard's stream has moved. Nothing was stored.
   * @throws {@link LogUnavailable} if the outcome cannot be learnt within
   *   `LOG_CALL_TIMEOUT_MS`; ask again with the same ids.
   * @throws {TypeError} for what no log could keep: no events, an id that is no UUID or stands
   *   there twice, `data` that JSON cannot say, an empty or ill-formed stream or type.
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
   * With a filter a page may be short, or empty, before the end: go on from `next`.
   *
   * @throws {@link UnknownPosition} for one of another log, where it can be told from this one's.
   */
  readAll(after: Position | null, range: AllRange): Promise<AllPage>;

  /**
   * Batches in the order of the log from just after `after`, first what is there, then what comes.
   *
   * Resumes by itself after a lost connection, without a hole or a repeat. Holds back while the
   * consumer is busy. Ends, without an error, when `signal` aborts or the log is closed; leaving
   * the loop gives back whatever it held. A batch without events only tells how far the log has
   * been searched; one comes first of all where nothing lies after `after`, unless `after` is
   * `null`.
   *
   * @throws {@link LogBroken}, and whatever else shows the log itself to be broken.
   */
  subscribe(after: Position | null, options: SubscribeOptions): AsyncIterable<Batch>;

  /** The end of the log now, and when its last event was recorded. */
  head(): Promise<Head>;

  /** Below, 0 or above 0 as `a` lies before, at or after `b`; `null` is before everything. */
  compare(a: Position | null, b: Position | null): number;

  /** How many positions lie after `a` up to `b`; `null` where the log cannot tell. */
  distance(a: Position | null, b: Position | null): number | null;

  /**
   * Forgets the events of `stream` before revision `before`, but never its last event. Revisions
   * go on. `readAll` may still show what was removed, and what was removed is no longer known when
   * it is appended again. Doing it twice is doing it once.
   */
  truncateStream(stream: string, before: number): Promise<void>;

  /**
   * Forgets a closed journal whole. It must never be written again. Unknown: nothing happens.
   * Where the journal holds the last event of the whole log, that event may stay until another
   * event follows.
   */
  deleteStream(stream: string): Promise<void>;

  /**
   * Ends subscriptions and connections. Appends under way are finished first; a call after it is
   * answered with {@link LogUnavailable}. Doing it twice is doing it once.
   */
  close(): Promise<void>;
}

export type Backend = 'memory' | 'postgres' | 'eventstoredb';

/** What backends do differently and callers have to know. The contract suite shows each of them. */
export interface Capabilities {
  /**
   * Whether `repeated` is told of every repeat. Where it is not, an append that succeeds may have
   * found the same ids stored by another process: who must know reads them back.
   */
  readonly tellsEveryRepeat: boolean;
  /**
   * Whether appends to different streams, made in one turn of the event loop and together no
   * larger than a commit (`LOG_COMMIT_EVENTS_MAX`, `LOG_COMMIT_BYTES_MAX`), are stored in the order
   * in which they were made, by one commit. Where they are not, each is a call of its own: who
   * needs an order waits for each, and who makes many bounds how many are under way.
   */
  readonly commitsInCallOrder: boolean;
  /**
   * Whether a guard is checked and the events are stored in one step. Where they are not, the
   * guard's stream may move in between, so that an event may lie after the one that would have
   * refused it.
   */
  readonly guardsInOneStep: boolean;
  /**
   * Whether `readAll` and `subscribe` go on showing what was truncated or deleted, until the
   * backend tidies up by itself. `readStream` never shows it.
   */
  readonly showsRemovedInAll: boolean;
}

/**
 * A place in the whole log. Opaque: only {@link EventStore.compare} orders two of them. Text, so
 * that it can stand in a header, a row or a checkpoint.
 */
export type Position = string;

/** The revision of the last event the writer has seen. `any` is for journals alone. */
export type Expected = number | 'no_stream' | 'any';

export interface AppendOptions {
  readonly guard?: Guard;
}

/**
 * Calls that share a connection: between two answers over the same connection, the log that answers
 * has only grown. Everything is in one order, and what is read is stored for good; but a server
 * that was deposed and does not know it may show less than there is.
 */
export interface Channel {
  /** Another number as soon as the next call may be answered by another server. */
  readonly connection: number;
  /**
   * Resolves when calls may be sent. {@link Channel.ask} does not wait for it, so that what is
   * checked first takes nothing of a call's deadline.
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

/** Each is made once. After a failed append it is not known whether it was stored. */
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
 * At any time what is stored of them is a beginning of them, also after this process was killed: a
 * repeat of everything after that beginning goes on in order.
 */
export interface OrderedAppends {
  /**
   * Resolves once another append may be added, which is before this one is stored. Must not be
   * called again before that.
   *
   * @throws {@link OutOfOrder}; {@link LogUnavailable} if nothing was stored for `retryMs`; else as
   *   {@link EventStore.append}. Nothing more is stored after the first error, and each further
   *   call throws it again.
   */
  add(append: OrderedAppend): Promise<void>;
  /** Resolves once everything that was added is stored. @throws As {@link add}. */
  stored(): Promise<void>;
  /** Ends it. What is not stored yet may be stored even so. Doing it twice is doing it once. */
  stop(): void;
}

export interface OrderedAppend {
  readonly stream: string;
  readonly expected: Exclude<Expected, 'any'>;
  readonly events: readonly NewEvent[];
}

export interface OrderedOptions {
  /** How long an unreachable log is asked again. */
  readonly retryMs: number;
}

/** The append holds only if `stream` is still at `revision`; `null`: does not exist. */
export interface Guard {
  readonly stream: string;
  readonly revision: number | null;
}

export interface NewEvent {
  /** UUID. Names the event for ever; see {@link EventStore.append} on repeats. */
  readonly id: string;
  readonly type: string;
  /** What `JSON.stringify` takes. */
  readonly data: unknown;
  /** Flat and of text alone, which every log protocol can carry. */
  readonly meta: EventMeta;
}

export type EventMeta = Readonly<Record<string, string>>;

/** An event as text, checked for what no log could keep. */
export interface SerialisedEvent {
  /** In lower case. */
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly meta: string;
}

/** An event as the log gives it back. */
export interface StoredEvent extends NewEvent {
  /** `<category>-<key>`, for example `ticket-5f0c1a52-…`. */
  readonly stream: string;
  /** Place in its stream, dense from 0. */
  readonly revision: number;
  readonly position: Position;
  /** By the log's own clock: for lag and operations, never for a rule. */
  readonly recordedAt: Instant;
}

export interface Appended {
  /** Of the last event appended, in the stream that it was stored in. */
  readonly revision: number;
  readonly position: Position;
  /** The events were there already. */
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
  /** The page reached the end of the log as it was. */
  readonly end: boolean;
}

export interface SubscribeOptions extends Filter {
  readonly signal: AbortSignal;
  /** Most events in a batch. Default {@link READ_PAGE_EVENTS}. */
  readonly batchEventsMax?: number;
  /** Called when the log was away: what answers from then on may be another server. */
  readonly onInterrupted?: () => void;
}

export interface Batch {
  readonly events: readonly StoredEvent[];
  /** Everything up to here has been seen: what a checkpoint may say once the batch is done. */
  readonly upTo: Position;
  /** The end of the log was reached with this batch. */
  readonly caughtUp: boolean;
}

export interface Head {
  readonly position: Position | null;
  readonly recordedAt: Instant | null;
}

/** Events read at once unless the caller says otherwise. */
export const READ_PAGE_EVENTS = 1_000;

export class WrongRevision extends Error {
  readonly stream: string;
  readonly expected: Expected;
  /** Where the stream is; `null`: it does not exist. */
  readonly actual: number | null;

  constructor(stream: string, expected: Expected, actual: number | null) {
    super(`${stream} is at revision ${actual ?? 'none'}, not at ${expected}`);
    this.name = 'WrongRevision';
    this.stream = stream;
    this.expected = expected;
    this.actual = actual;
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
 * Checks a position after which nothing was found: it is the end of the log, or none of its own.
 *
 * @throws {@link UnknownPosition} if it lies after the end; {@link LogUnavailable}.
 */
export const mustLieIn = async (
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

/** A server shows less of a stream than is known to be there: the call is made again. */
export class StaleRead extends Error {
  constructor(stream: string) {
    super(`${stream} cannot be read to its end yet`);
    this.name = 'StaleRead';
  }
}

/** Events are missing that nobody has removed through the log. */
export class LogBroken extends Error {
  constructor(what: string) {
    super(what);
    this.name = 'LogBroken';
  }
}

/** The log was not reached in time. What was being appended may or may not be stored. */
export class LogUnavailable extends Error {
  constructor(what: string, cause?: unknown) {
    super(readinessError(`the event log cannot be reached: ${what}`), { cause });
    this.name = 'LogUnavailable';
  }
}
