import { setTimeout as sleep } from 'node:timers/promises';
import {
  ANY,
  MaxAppendSizeExceededError,
  NO_STREAM,
  StreamDeletedError,
  WrongExpectedVersionError,
  type Credentials,
  type EventData,
} from '@eventstore/db-client';
import {
  LOG_ANSWERS_KEPT_MAX,
  LOG_CALL_TIMEOUT_MS,
  LOG_REPEAT_SEARCH_EVENTS,
  LOG_RETRY_MS,
  LOG_APPEND_VISIBLE_MAX_MS,
} from '../../limits.ts';
import { lruCache } from '../../concurrency/lru-cache.ts';
import {
  GuardMoved,
  LogUnavailable,
  WrongRevision,
  type Appended,
  type Position,
  type StoredEvent,
} from '../event-store.ts';
import { retried, isFinal, NoAnswer, within } from './calls.ts';
import { eventDataOf } from './events.ts';
import type { ClientFailover } from './client-failover.ts';
import { mustBeActive, sessionOver, type ClientSession } from './client-session.ts';
import {
  appendCall,
  leftOf,
  repeatsOf,
  RepeatTurns,
  waitingOf,
  type AppendCall,
  type Outcome,
} from './append-call.ts';
import { comparePositions, laterOf, positionText } from './positions.ts';
import type { AppendRequest } from '../backend.ts';

/**
 * The guards' tails are read over the client that appends. A deposed leader that has not noticed
 * may answer the read, but cannot acknowledge the append that follows over the same connection;
 * over another connection the tails are read again. If the client itself is replaced, answers over
 * the old one are ignored, and an attempt in flight is retried as after every lost connection: what
 * it has stored is looked up first.
 */
export class EventStoreDbAppender {
  readonly #clients: ClientFailover;
  readonly #credentials: Credentials;
  #session: ClientSession;
  /** Number of lost connections: the client reconnects after each. */
  #lost = 0;
  /** The last position known to be stored. An append whose position is not after it is a repeat. */
  #seen: Position | null = null;
  #started = false;
  /** Journal appends with an unknown outcome, by the id of their first event. */
  readonly #unanswered = lruCache<true>(LOG_ANSWERS_KEPT_MAX);
  readonly #turns = new RepeatTurns();

  constructor(clients: ClientFailover, credentials: Credentials) {
    this.#clients = clients;
    this.#credentials = credentials;
    this.#session = sessionOver(clients.current, credentials);
  }

  /** Appends alone. Throws as `EventStore.append` says. */
  async append(request: AppendRequest): Promise<Appended> {
    const [outcome] = await this.together([request], LOG_CALL_TIMEOUT_MS);
    if (outcome instanceof Error) throw outcome;
    return outcome!;
  }

  /**
   * Appends requests of one stream and one expectation in one call. A refused guard refuses its own
   * request; the others continue without it.
   *
   * @returns The outcomes, in their order. Throws only on a bug.
   */
  async together(requests: readonly AppendRequest[], withinMs: number): Promise<Outcome[]> {
    const isSent = (request: AppendRequest) => this.#unanswered.get(firstIdOf(request)) === true;
    const call = appendCall(requests, { sent: requests.filter(isSent), withinMs });
    const { stream } = requests[0]!;
    const { outcomes, givenUpAt } = call;
    try {
      await retried(
        `appending to ${stream}`,
        async () => {
          await this.#turns.begin(stream, call);
          return this.#clients.ask((active) => {
            if (this.#session.active !== active)
              this.#session = sessionOver(active, this.#credentials);
            return within(leftOf(call), this.#attempt(this.#session, call));
          }, isAnswer);
        },
        withinMs,
      );
    } catch (error) {
      if (waitingOf(call).length > 1 && error instanceof WrongExpectedVersionError) {
        this.#turns.end(stream, call);
        // Some of the events are already stored: each request is sent alone.
        for (const request of waitingOf(call)) {
          const [outcome] = await this.together([request], givenUpAt - performance.now());
          outcomes.set(request, outcome!);
        }
      } else {
        for (const request of waitingOf(call)) outcomes.set(request, refusalOf(error, request));
      }
    } finally {
      this.#turns.end(stream, call);
    }
    for (const request of requests)
      if (request.expected === 'any') this.#note(request, call.sent, outcomes.get(request)!);
    return requests.map((request) => outcomes.get(request)!);
  }

  /**
   * Remembers a journal append with an unknown outcome, so that a retry by the caller first looks
   * for its events: a restarted server no longer recognises the event ids.
   */
  #note(request: AppendRequest, sent: ReadonlySet<AppendRequest>, outcome: Outcome) {
    const id = firstIdOf(request);
    if (outcome instanceof LogUnavailable && sent.has(request)) this.#unanswered.set(id, true);
    else this.#unanswered.delete(id);
  }

  async #attempt(session: ClientSession, call: AppendCall): Promise<void> {
    const { sent, outcomes } = call;
    try {
      await this.#start(session);
      // What the previous attempt has stored is found first, so that its guard is not checked
      // again.
      const tail = await this.#lookUpRepeats(session, call);
      await this.#guarded(session, waitingOf(call), sent, outcomes);
      const group = waitingOf(call);
      if (group.length === 0) return;
      const leftMs = leftOf(call);
      // The caller was notified that the outcome is unknown: nothing may be sent after that.
      if (leftMs <= 0) throw new NoAnswer(LOG_CALL_TIMEOUT_MS);
      mustBeActive(session.active);
      const before = this.#seen;
      for (const request of group) sent.add(request);
      const stored = await this.#sendOrFind(session, { group, leftMs, tail }, outcomes);
      if (stored === null) return;
      const { revision, position } = stored;
      const repeated = comparePositions(position, before) <= 0;
      this.#seen = laterOf(this.#seen, position);
      let last = revision;
      for (const request of group.toReversed()) {
        outcomes.set(request, { revision: last, position, repeated });
        last -= request.events.length;
      }
    } catch (error) {
      if (!isAnswer(error)) this.#lost += 1;
      throw error;
    }
  }

  /**
   * Looks for what previous attempts have stored.
   *
   * @returns The tail of a journal, read before the search; `undefined` for a first attempt, and
   *   for one that names its revision. A newly elected leader may have the previous attempt and not
   *   show it yet: with a revision, it cannot be stored twice.
   */
  async #lookUpRepeats(
    session: ClientSession,
    call: AppendCall,
  ): Promise<number | null | undefined> {
    const repeats = repeatsOf(call);
    const [first] = repeats;
    if (first?.expected !== 'any') {
      await this.#lookUp(session, repeats, call.outcomes);
      return undefined;
    }
    const tail = await session.reader.revisionOf(first.stream, LOG_CALL_TIMEOUT_MS);
    const newSince = (tail ?? NONE) - call.searched;
    // What is shown never changes, so only newer events are read, if one read shows them all.
    const isShort = call.searched > NONE && newSince <= LOG_REPEAT_SEARCH_EVENTS;
    await this.#lookUp(session, repeats, call.outcomes, isShort ? call.searched + 1 : undefined);
    call.searched = tail ?? NONE;
    return tail;
  }

  /**
   * The end of the log before the first append, by which repeats of older events are recognised.
   */
  async #start({ reader }: ClientSession): Promise<void> {
    if (this.#started) return;
    const { position } = await reader.head();
    this.#seen = laterOf(this.#seen, position);
    this.#started = true;
  }

  async #guarded(
    session: ClientSession,
    requests: readonly AppendRequest[],
    sent: ReadonlySet<AppendRequest>,
    outcomes: Map<AppendRequest, Outcome>,
  ): Promise<void> {
    const streams = new Set(requests.flatMap(({ guard }) => guard?.stream ?? []));
    if (streams.size === 0) return;
    for (;;) {
      const lost = this.#lost;
      const revisions = new Map<string, number | null>();
      await Promise.all(
        [...streams].map(async (stream) => revisions.set(stream, await session.tails.of(stream))),
      );
      // Another call has lost the connection meanwhile: the append would use a new one.
      if (lost !== this.#lost) continue;
      const conflicting = requests.filter(
        ({ guard }) => guard && revisions.get(guard.stream) !== guard.revision,
      );
      await this.#lookUp(session, conflicting, outcomes);
      for (const request of conflicting) {
        if (outcomes.has(request)) continue;
        const guard = request.guard!;
        const refused = new GuardMoved(guard, revisions.get(guard.stream) ?? null);
        outcomes.set(
          request,
          sent.has(request)
            ? new LogUnavailable(
                `whether an append to ${request.stream} was stored is unknown`,
                refused,
              )
            : refused,
        );
      }
      return;
    }
  }

  /** `null`: refused because it is already stored, which is noted in `outcomes`. */
  async #sendOrFind(
    session: ClientSession,
    sending: Sending,
    outcomes: Map<AppendRequest, Outcome>,
  ): Promise<{ revision: number; position: Position } | null> {
    try {
      return await this.#send(session, sending);
    } catch (error) {
      const [request, ...others] = sending.group;
      const isAlone = request !== undefined && others.length === 0;
      if (!isAlone || !(error instanceof WrongExpectedVersionError)) throw error;
      await this.#untilShown(session, request, error);
      await this.#lookUp(session, [request], outcomes);
      if (!outcomes.has(request)) throw error;
      return null;
    }
  }

  /**
   * A server that was frozen, or has just become the leader, counts an attempt before it is
   * readable, and may refuse the repeat. Waits {@link LOG_APPEND_VISIBLE_MAX_MS} at most.
   */
  async #untilShown(
    { reader }: ClientSession,
    { stream, expected, events }: AppendRequest,
    { actualVersion }: WrongExpectedVersionError,
  ): Promise<void> {
    const before = typeof expected === 'number' ? expected : NONE;
    const counted = typeof actualVersion === 'bigint' ? Number(actualVersion) : NONE;
    if (counted < before + events.length) return;
    const givenUpAt = performance.now() + LOG_APPEND_VISIBLE_MAX_MS;
    for (;;) {
      const revision = (await reader.revisionOf(stream, LOG_CALL_TIMEOUT_MS)) ?? NONE;
      if (revision >= counted || performance.now() >= givenUpAt) return;
      await sleep(LOG_RETRY_MS);
    }
  }

  async #send(
    { active }: ClientSession,
    { group, leftMs, tail }: Sending,
  ): Promise<{ revision: number; position: Position }> {
    const { stream, expected } = group[0]!;
    const events: EventData[] = group.flatMap((request) => request.events.map(eventDataOf));
    const at = tail === undefined ? expected : (tail ?? 'no_stream');
    const appending = active.client.appendToStream(stream, events, {
      expectedRevision: EXPECTED[at] ?? BigInt(at),
      credentials: this.#credentials,
      requiresLeader: true,
      deadline: leftMs,
    });
    const { nextExpectedRevision, position } = await appending.catch((error: unknown) => {
      if (tail === undefined || !(error instanceof WrongExpectedVersionError)) throw error;
      throw new TailMoved(stream, error);
    });
    mustBeActive(active);
    if (!position) throw new Error(`${stream} was appended to without a position`);
    return { revision: Number(nextExpectedRevision), position: positionText(position) };
  }

  /**
   * Notes the outcome of requests whose events are stored. They are searched at the expected
   * revision, or near the end of the stream, with one read for all of them.
   *
   * @param from Where the search of a journal begins. Default: near its end.
   */
  async #lookUp(
    { reader }: ClientSession,
    requests: readonly AppendRequest[],
    outcomes: Map<AppendRequest, Outcome>,
    from?: number,
  ): Promise<void> {
    const [first] = requests;
    if (!first) return;
    const { stream, expected, events } = first;
    const stored = await reader.stream(
      stream,
      expected === 'any'
        ? { limit: LOG_REPEAT_SEARCH_EVENTS, ...(from === undefined ? BACKWARDS : { from }) }
        : { from: expected === 'no_stream' ? 0 : expected + 1, limit: events.length },
    );
    const byId = new Map<string, StoredEvent>(stored.map((event) => [event.id, event]));
    for (const request of requests) {
      if (!request.events.every(({ id }) => byId.has(id))) continue;
      const { revision, position } = byId.get(request.events.at(-1)!.id)!;
      this.#seen = laterOf(this.#seen, position);
      outcomes.set(request, { revision, position, repeated: true });
    }
  }
}

/** Requests of one stream and one expectation, and how long their answer may take. */
interface Sending {
  readonly group: readonly AppendRequest[];
  readonly leftMs: number;
  /** The tail of a stream for a repeated append; see `#lookUpRepeats`. */
  readonly tail: number | null | undefined;
}

const firstIdOf = ({ events }: AppendRequest): string => events[0]!.id;

/** The revision of a stream that does not exist. */
const NONE = -1;

const BACKWARDS = { backwards: true } as const;

/** Whether the server has answered, even with a refusal. */
const isAnswer = (error: unknown): boolean => isFinal(error) || error instanceof TailMoved;

/** Another writer has appended, or the previous attempt has become visible: look it up again. */
class TailMoved extends Error {
  constructor(stream: string, cause: Error) {
    super(`others append to ${stream} at the same time`, { cause });
    this.name = 'TailMoved';
  }
}

const EXPECTED: Readonly<Record<string, typeof ANY | typeof NO_STREAM>> = {
  any: ANY,
  no_stream: NO_STREAM,
};

/** The port's error for the client's. */
const refusalOf = (error: unknown, { stream, expected }: AppendRequest): Error => {
  if (error instanceof WrongExpectedVersionError) {
    // A string where there is no stream, or -1, depending on how the server answers.
    const { actualVersion } = error;
    const none = typeof actualVersion !== 'bigint' || actualVersion < 0n;
    return new WrongRevision(stream, expected, none ? null : Number(actualVersion));
  }
  if (error instanceof MaxAppendSizeExceededError)
    return new TypeError(`an append to ${stream} is larger than ${error.maxAppendSize} bytes`);
  if (error instanceof StreamDeletedError)
    return new Error(`${stream} was deleted for good, outside of this log's contract`);
  if (error instanceof LogUnavailable || error instanceof TypeError) return error;
  return new Error(`appending to ${stream} failed`, { cause: error });
};
