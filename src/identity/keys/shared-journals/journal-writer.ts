import { periodAfter, type JournalFamily } from '../../../domain/keys/shared-journals.ts';
import { LOG_ANSWERS_KEPT_MAX, LOG_APPEND_LEFT_MIN_MS } from '../../../engine/limits.ts';
import { SHARED_JOURNAL_CLOSE_MS } from '../limits.ts';
import type { Clock } from '../../../engine/time/clock.ts';
import { lruCache } from '../../../engine/concurrency/lru-cache.ts';
import { withTimeout } from '../../../engine/concurrency/timeout.ts';
import type { AppendRequest } from '../../../engine/log/backend.ts';
import {
  GuardMoved,
  LogUnavailable,
  StaleRead,
  WrongRevision,
  type Appended,
  type Channel,
  type ChannelCalls,
  type Guard,
} from '../../../engine/log/event-store.ts';
import type { OpenJournals } from './open-journals.ts';
import { Opening, type Found, type OwnJournal } from './own-journal.ts';

/** An append that may share a journal with others of its family. */
export interface SharedRequest extends AppendRequest {
  readonly guard: Guard;
  readonly family: JournalFamily;
}

export const lastIdOf = ({ events }: AppendRequest): string => events.at(-1)!.id;

export interface Waiting {
  readonly request: SharedRequest;
  readonly bytes: number;
  readonly givenUpAt: number;
  settle(outcome: Appended | Error): void;
}

/** Outcomes by the last event's id, so that a repeat is not sent. */
export class Answers {
  readonly #kept = lruCache<Appended>(LOG_ANSWERS_KEPT_MAX);

  of(id: string): Appended | undefined {
    return this.#kept.get(id);
  }

  keep(id: string, appended: Appended): void {
    this.#kept.set(id, appended);
  }
}

export interface JournalWriterParts {
  readonly channel: Channel;
  readonly clock: Clock;
  readonly journals: OpenJournals;
  readonly answers: Answers;
}

/** Appends groups, one after the other, to a journal of which it is the only writer of records. */
export class JournalWriter {
  readonly #channel: Channel;
  readonly #clock: Clock;
  readonly #journals: OpenJournals;
  readonly #answers: Answers;
  #own: OwnJournal | null = null;
  /** The journal before a long outage of the log, to be closed when the log is available. */
  #abandoned: string | null = null;
  #opening: Opening | null = null;

  constructor({ channel, clock, journals, answers }: JournalWriterParts) {
    this.#channel = channel;
    this.#clock = clock;
    this.#journals = journals;
    this.#answers = answers;
  }

  /** Closes the journal, within a timeout. */
  async close(): Promise<void> {
    const own = this.#own?.closed === false ? this.#own.name : null;
    const names = [own, this.#abandoned].filter((name) => name !== null);
    if (names.length === 0) return;
    const closing = this.#channel.ask(
      'closing journals',
      SHARED_JOURNAL_CLOSE_MS,
      async (calls) => {
        const open = await this.#journals.look(calls);
        for (const name of names) if (open.includes(name)) await this.#journals.close(calls, name);
      },
    );
    // An open journal costs an append per change of a keyring until another process closes it.
    await withTimeout(closing, SHARED_JOURNAL_CLOSE_MS, () => {}).catch(() => {});
  }

  /** Settles all requests of the group; never rejects. */
  async send(group: readonly Waiting[]): Promise<void> {
    const left = new Set(group);
    const settle = (one: Waiting, outcome: Appended | Error) => {
      left.delete(one);
      if (!(outcome instanceof Error)) this.#answers.keep(lastIdOf(one.request), outcome);
      one.settle(outcome);
    };
    const now = performance.now();
    for (const one of left)
      if (one.givenUpAt - now < LOG_APPEND_LEFT_MIN_MS)
        settle(one, new LogUnavailable(`others wait for ${one.request.family.category}`));
    const [first] = left;
    if (!first) return;
    const { givenUpAt, request } = first;
    try {
      await this.#channel.ask(`appending to ${request.stream}`, givenUpAt - now, (calls) =>
        this.#attempt(calls, left, givenUpAt, settle),
      );
    } catch (error) {
      const failure = error instanceof Error ? error : new Error('an append', { cause: error });
      for (const one of left) settle(one, failure);
      // The journal may have been deleted: the next append opens another one, and closes this one.
      if (error instanceof LogUnavailable && this.#own !== null) {
        this.#abandoned = this.#own.name;
        this.#own = null;
      }
    }
  }

  /** Retries until every use is settled: a use that the journal refuses is checked again. */
  async #attempt(
    calls: ChannelCalls,
    left: ReadonlySet<Waiting>,
    givenUpAt: number,
    settle: (one: Waiting, outcome: Appended | Error) => void,
  ): Promise<void> {
    const [first] = left;
    if (!first) return;
    const { family } = first.request;
    for (let own = await this.#ownFor(calls, family); left.size > 0;) {
      // The previous attempt may have been stored: uses found in the journal are not sent again.
      if (own.mustFollow) this.#settleFound(await own.follow(calls), left, settle);
      if (own.closed) {
        own = await this.#ownFor(calls, family);
        continue;
      }
      const at = await own.guards(
        calls,
        [...left].map(({ request }) => request.guard),
      );
      for (const one of left) {
        const { guard } = one.request;
        const actual = at.get(guard.stream) ?? null;
        if (actual !== guard.revision) settle(one, new GuardMoved(guard, actual));
      }
      if (left.size === 0) return;
      // The callers have received an unknown outcome by then, so nothing may be sent afterwards.
      if (performance.now() >= givenUpAt) throw new LogUnavailable(`${own.name} takes too long`);
      try {
        await this.#append(calls, own, left, settle);
      } catch (error) {
        if (!(error instanceof WrongRevision)) throw error;
        const { revision } = own;
        this.#settleFound(await own.follow(calls), left, settle);
        // An event at the next revision is not readable yet, and may be the previous attempt.
        if (own.revision === revision) throw new StaleRead(own.name);
      }
    }
  }

  /** Also records the outcome of uses that were given up, because they may be repeated. */
  #settleFound(
    found: ReadonlyMap<string, Found>,
    left: ReadonlySet<Waiting>,
    settle: (one: Waiting, outcome: Appended | Error) => void,
  ): void {
    for (const [id, place] of found) this.#answers.keep(id, { ...place, repeated: true });
    for (const one of left) {
      const last = found.get(lastIdOf(one.request));
      if (last) settle(one, { ...last, repeated: true });
    }
  }

  async #append(
    calls: ChannelCalls,
    own: OwnJournal,
    left: ReadonlySet<Waiting>,
    settle: (one: Waiting, outcome: Appended | Error) => void,
  ): Promise<void> {
    const group = [...left];
    const events = group.flatMap(({ request }) => request.events);
    const stored = await calls.append({ stream: own.name, expected: own.revision, events });
    own.stored(stored.revision);
    let { revision } = stored;
    for (const one of group.toReversed()) {
      settle(one, { revision, position: stored.position, repeated: false });
      revision -= one.request.events.length;
    }
  }

  async #ownFor(calls: ChannelCalls, family: JournalFamily): Promise<OwnJournal> {
    const own = this.#own;
    if (own && !own.closed && isOf(own, family)) return own;
    // The same name after a lost connection, so that no unused journal is left behind.
    const begun = this.#opening;
    const opening = begun && isOf(begun, family) ? begun : new Opening(family, this.#clock);
    this.#opening = opening;
    this.#own = await opening.open(calls, this.#channel, this.#journals, this.#abandoned);
    this.#opening = null;
    this.#abandoned = null;
    return this.#own;
  }
}

/** Also the next period: a record of a month's last moment may follow one of the next month. */
const isOf = (
  { family }: { readonly family: JournalFamily },
  { category, period }: JournalFamily,
): boolean =>
  family.category === category &&
  (family.period === period || family.period === periodAfter(period));
