import { isDeepStrictEqual } from 'node:util';
import { v5 as uuidFrom } from 'uuid';
import {
  isRefusal,
  refuse,
  type Decider,
  type Instant,
  type Occasion,
  type Refusal,
} from './decider.ts';
import {
  AGGREGATE_COMMAND_BYTES,
  AGGREGATES_CACHED_BYTES_MAX,
  AGGREGATES_CACHED_MAX,
  DECIDE_ATTEMPTS_MAX,
} from '../limits.ts';
import { estimatedSize } from '../concurrency/estimated-size.ts';
import { datedCache } from '../concurrency/dated-cache.ts';
import type { Codec, Recorded } from '../log/codec.ts';
import {
  LogUnavailable,
  READ_PAGE_EVENTS,
  WrongRevision,
  type EventStore,
  type NewEvent,
  type Position,
} from '../log/event-store.ts';
import { pagesOf } from '../log/history.ts';
import { streamOf } from '../log/streams.ts';
import { keyedMutex } from '../concurrency/keyed-mutex.ts';

/** A refusal as an exception, so that callers handle success alone. */
export class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.detail);
    this.name = 'Refused';
    this.refusal = refusal;
  }
}

/** A command and its id. Idempotent: a second command with the same id is not recorded. */
export interface GivenCommand<Command> {
  /** Derived from the `Idempotency-Key` or the causing event, or generated once per request. */
  readonly commandId: string;
  /**
   * The command, or a function that creates it. The function is called only if the command is not
   * recorded yet, so that a repeat reserves no number and queries no graph. After a lost race it is
   * called again, because what it has read may be outdated.
   */
  readonly command: Command | (() => Promise<Command>);
  /** Hash of the request body: another body under the same `Idempotency-Key` is refused. */
  readonly bodyHash?: string;
  /** From `If-Match`: the aggregate must be at one of them; -1: it does not exist. Default: any. */
  readonly expectedRevisions?: readonly number[];
  /** The organisation that the recorded facts belong to. */
  readonly organisation?: string;
  /** The id was just generated, so the stream need not be read first. */
  readonly fresh?: boolean;
}

export interface Answer<View> {
  /** The state after the command. */
  readonly view: View;
  readonly revision: number;
  /**
   * The log position of the command's last event; for a command without effect, of the aggregate's.
   */
  readonly position: Position;
  /** The command had been recorded before, and was not decided again. */
  readonly replayed: boolean;
  /** The facts that this call recorded; empty for a repeat and for a command without effect. */
  readonly recorded: readonly Recorded[];
}

export interface Aggregate<Command, View> {
  /**
   * Loads the aggregate, looks up the command, decides and appends. If another writer appended
   * first, all of it is retried, serialised with this process's other commands on the stream.
   *
   * @throws {@link Refused} with the decider's code, `PRECONDITION_FAILED` or
   *   `IDEMPOTENCY_KEY_REUSED`. Nothing was recorded.
   * @throws {@link LogUnavailable} if the log cannot be reached, or after
   *   {@link DECIDE_ATTEMPTS_MAX} lost races.
   */
  give(id: string, request: GivenCommand<Command>, occasion: Occasion): Promise<Answer<View>>;
  /** The current aggregate, read from the log; `null` if it has no events. */
  look(id: string): Promise<{ view: View; revision: number; position: Position } | null>;
}

/** The fold of the view for callers. Pure and total. */
export type ViewAfter<Event, View> = (recorded: Recorded<Event>, view: View | null) => View;

interface Loaded<State, View> {
  /** When its first event was read, by the process's monotonic clock. */
  readonly readAt: number;
  readonly state: State;
  readonly view: View | null;
  /** -1 before the first event. */
  readonly revision: number;
  readonly position: Position | null;
  readonly at: Instant | null;
  /** The revision of the last expiry; -1: none. */
  readonly expiredAt: number;
  /**
   * By command id. Kept outside the domain's state. May contain commands beyond `revision`, added
   * by another fold of the stream.
   */
  readonly commands: Map<string, RecordedCommand>;
}

interface RecordedCommand {
  /** Of its last event. */
  readonly revision: number;
  readonly bodyHash: string | undefined;
  /** Personal data of it was erased, with which events lose the hash of their command's body. */
  readonly isErased: boolean;
}

/** Facts that later ones of their stream forbid to show as they were recorded. Pure. */
export interface Expiry<Event> {
  /** Whether all earlier facts of the stream have expired. */
  isExpiry(event: Event): boolean;
  asExpired(fact: Recorded<Event>): Recorded<Event>;
}

export interface AggregateParts<Command, State, View, Event extends { readonly type: string }> {
  readonly log: EventStore;
  readonly category: string;
  readonly codec: Codec<Event>;
  readonly decider: Decider<Command, State, Event>;
  readonly viewAfter: ViewAfter<Event, View>;
  /** Default: every fact is shown as it was recorded. */
  readonly expiry?: Expiry<Event>;
  /** Aggregates kept folded. Default {@link AGGREGATES_CACHED_MAX}; 0 keeps none. */
  readonly cachedMax?: number;
  /**
   * How long a fold is cached after its first event was read. Default: for ever, which shows erased
   * persons where their erasure is no fact of the stream.
   */
  readonly cachedMs?: number;
  /** Estimated bytes of all cached aggregates. Default {@link AGGREGATES_CACHED_BYTES_MAX}. */
  readonly cachedBytesMax?: number;
  /** Estimated bytes of a state that the view does not share. Default: 0. */
  readonly stateBytes?: (state: State) => number;
}

export const aggregate = <Command, State, View, Event extends { readonly type: string }>({
  log,
  category,
  codec,
  decider,
  viewAfter,
  expiry,
  cachedMax = AGGREGATES_CACHED_MAX,
  cachedMs = Infinity,
  cachedBytesMax = AGGREGATES_CACHED_BYTES_MAX,
  stateBytes = () => 0,
}: AggregateParts<Command, State, View, Event>): Aggregate<Command, View> => {
  type Fold = Loaded<State, View>;
  /** Cached folds; later events are always read. */
  const cache = datedCache<Fold>(cachedMax, cachedMs, {
    weightMax: cachedBytesMax,
    // The state grows with its commands too.
    weightOf: ({ state, view, commands }) =>
      estimatedSize(view) + stateBytes(state) + commands.size * AGGREGATE_COMMAND_BYTES,
  });
  const empty: Fold = {
    readAt: 0,
    state: decider.initial,
    view: null,
    revision: -1,
    position: null,
    at: null,
    expiredAt: -1,
    commands: new Map(),
  };

  const keep = (stream: string, current: Fold): Fold => {
    if (current.revision >= 0) cache.set(stream, current, current.readAt);
    return current;
  };

  const after = (current: Fold, facts: readonly Recorded<Event>[]): Fold => {
    if (facts.length === 0) return current;
    // Shared by all folds of the stream, whose past never changes: copying it for each command
    // would be quadratic.
    const commands: Fold['commands'] = current === empty ? new Map() : current.commands;
    const readAt = current === empty ? performance.now() : current.readAt;
    let { state, view, expiredAt } = current;
    for (const fact of facts) {
      state = decider.evolve(fact.event, state, fact.at);
      view = viewAfter(fact, view);
      if (expiry?.isExpiry(fact.event)) expiredAt = fact.revision;
      commands.set(fact.commandId, commandAfter(fact, commands.get(fact.commandId)));
    }
    const { revision, position, at } = facts.at(-1)!;
    return { readAt, state, view, revision, position, at, expiredAt, commands };
  };

  const load = async (stream: string): Promise<Fold> => {
    let current = cache.get(stream)?.value ?? empty;
    for await (const page of pagesOf(log, stream, current.revision + 1)) {
      current = after(
        current,
        page.map((stored) => codec.decode(stored)),
      );
    }
    return keep(stream, current);
  };

  /**
   * The view after an earlier command, without what has expired since. Rare, so it is folded from
   * the stream again.
   */
  const viewAt = async (stream: string, revision: number, { expiredAt }: Fold) => {
    const shown = (fact: Recorded<Event>) =>
      expiry && expiredAt > revision ? expiry.asExpired(fact) : fact;
    let current = empty;
    while (current.revision < revision) {
      const limit = Math.min(revision - current.revision, READ_PAGE_EVENTS);
      const page = await log.readStream(stream, { from: current.revision + 1, limit });
      if (page.length === 0) throw new Error(`${stream} ends before revision ${revision}`);
      current = after(
        current,
        page.map((stored) => shown(codec.decode(stored))),
      );
    }
    return current;
  };

  const answerOf = (current: Fold, replayed: boolean, recorded: readonly Recorded[] = []) => ({
    view: current.view!,
    revision: current.revision,
    position: current.position!,
    replayed,
    recorded,
  });

  /**
   * Serialises commands that lost a race on a stream: they do not race each other again, and later
   * commands do not overtake them.
   */
  const mutex = keyedMutex();

  /**
   * Whether exactly these events were stored: another process with the same command may have
   * decided differently under the same ids.
   */
  const isStored = async (stream: string, from: number, events: readonly NewEvent[]) => {
    const stored = await log.readStream(stream, { from, limit: events.length });
    return events.every(({ id, data, meta }, index) => {
      const found = stored[index];
      if (found?.id !== id) return false;
      // The same decision may have been made within another trace.
      return isDeepStrictEqual(
        [found.data, { ...found.meta, traceparent: '' }],
        [data, { ...meta, traceparent: '' }],
      );
    });
  };

  /** Decides once, on the log's current state. Returns the lost race, if there was one. */
  const attempt = async (
    stream: string,
    request: GivenCommand<Command>,
    occasion: Occasion,
    fresh: boolean,
  ): Promise<Answer<View> | WrongRevision> => {
    const current = fresh ? empty : await load(stream);
    const before = current.commands.get(request.commandId);
    if (before) {
      if (isOtherBody(request, before)) throw new Refused(reused);
      const then =
        before.revision === current.revision ? current : viewAt(stream, before.revision, current);
      return answerOf(await then, true);
    }
    if (request.expectedRevisions?.includes(current.revision) === false) {
      throw new Refused(revisionMismatch(current.revision));
    }

    const command = await commandOf(request);
    const at = laterOf(occasion.at, current.at);
    const decision = decider.decide(command, current.state, { ...occasion, at });
    if (isRefusal(decision)) throw new Refused(decision);
    if (decision.length === 0) {
      // There is no view to return: the decider violates its contract.
      if (current.view === null) throw new Error(`${stream}: nothing decided on nothing`);
      return answerOf(current, false);
    }

    const meta = {
      commandId: request.commandId,
      at,
      by: occasion.by,
      origin: occasion.origin,
      ...(request.organisation === undefined ? {} : { organisation: request.organisation }),
      ...(request.bodyHash === undefined ? {} : { bodyHash: request.bodyHash }),
    };
    const events: NewEvent[] = decision.map((event, index) =>
      codec.encode(eventId(stream, request.commandId, index), event, meta),
    );
    const expected = current.revision < 0 ? 'no_stream' : current.revision;
    try {
      const appended = await log.append(stream, expected, events);
      // The answer omits what the stored older version cannot express.
      const { stored: written = events } = appended;
      const first = appended.revision - events.length + 1;
      const named = request.bodyHash !== undefined || occasion.origin !== 'api';
      // A repeat of a named command is answered as one. Otherwise the append may have repeated
      // itself after a lost answer, or the same command was given concurrently.
      const isCertain = !appended.repeated && (!named || log.capabilities.tellsEveryRepeat);
      const isRepeat = appended.repeated && named;
      if (isRepeat || !(isCertain || (await isStored(stream, first, written)))) {
        return new WrongRevision(stream, expected, appended.revision);
      }
      const facts = written.map((stored, index) =>
        codec.decode({
          ...stored,
          stream,
          revision: first + index,
          position: appended.position,
          recordedAt: at,
        }),
      );
      return answerOf(keep(stream, after(current, facts)), false, facts);
    } catch (error) {
      if (error instanceof WrongRevision) return error;
      throw error;
    }
  };

  return {
    async look(id) {
      const { view, revision, position } = await load(streamOf(category, id));
      return view === null || position === null ? null : { view, revision, position };
    },

    async give(id, request, occasion) {
      const stream = streamOf(category, id);
      if (!mutex.isHeld(stream)) {
        const first = await attempt(stream, request, occasion, request.fresh === true);
        if (!(first instanceof WrongRevision)) return first;
      }
      const later = await mutex.run(stream, async () => {
        for (let tried = 1; ; tried += 1) {
          const answer = await attempt(stream, request, occasion, false);
          if (!(answer instanceof WrongRevision) || tried === DECIDE_ATTEMPTS_MAX) return answer;
        }
      });
      if (!(later instanceof WrongRevision)) return later;
      throw new LogUnavailable(`${DECIDE_ATTEMPTS_MAX} races lost on ${stream}`, later);
    },
  };
};

const commandOf = async <Command>({ command }: GivenCommand<Command>): Promise<Command> =>
  typeof command === 'function' ? (command as () => Promise<Command>)() : command;

const commandAfter = (fact: Recorded, before: RecordedCommand | undefined): RecordedCommand => ({
  revision: Math.max(fact.revision, before?.revision ?? 0),
  bodyHash: fact.bodyHash ?? before?.bodyHash,
  isErased: fact.erased !== undefined || before?.isErased === true,
});

/** A repeat of a command whose hash was erased cannot be compared, and is answered. */
const isOtherBody = (
  { bodyHash }: Pick<GivenCommand<never>, 'bodyHash'>,
  before: RecordedCommand,
): boolean =>
  before.bodyHash === undefined && before.isErased ? false : bodyHash !== before.bodyHash;

/** Later than the stream's last event, so that a poller by time can distinguish two changes. */
const laterOf = (now: Instant, last: Instant | null): Instant => {
  if (last === null || now > last) return now;
  return new Date(Date.parse(last) + 1).toISOString();
};

const reused = refuse(
  'IDEMPOTENCY_KEY_REUSED',
  'This Idempotency-Key came with another body before.',
);

const revisionMismatch = (revision: number) =>
  refuse(
    'PRECONDITION_FAILED',
    revision < 0 ? 'It does not exist.' : `It is at revision ${revision} by now.`,
  );

/** Deterministic per command, so that a repeated append is idempotent. */
const eventId = (stream: string, commandId: string, index: number): string =>
  uuidFrom(`${stream}/${index}`, commandId);
