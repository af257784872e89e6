import {
  LOG_ANSWERS_KEPT_MAX,
  LOG_APPEND_LEFT_MIN_MS,
  LOG_CALL_TIMEOUT_MS,
  LOG_COMMIT_EVENTS_MAX,
  LOG_GROUP_BYTES_MAX,
  LOG_GROUPS_AT_ONCE_MAX,
  LOG_GROUPS_IN_ALL_MAX,
} from '../../limits.ts';
import { LogUnavailable, type Appended } from '../event-store.ts';
import type { AppendRequest } from '../backend.ts';
import type { Outcome } from './append-call.ts';
import type { EventStoreDbAppender } from './appender.ts';

interface Waiting {
  readonly request: AppendRequest;
  readonly bytes: number;
  readonly givenUpAt: number;
  settle(outcome: Outcome): void;
}

interface Answer {
  readonly stream: string;
  readonly ids: readonly string[];
  readonly appended: Appended;
}

interface Journal {
  readonly stream: string;
  readonly waiting: Waiting[];
  groups: number;
  /** Whether it is in the queue of journals whose next group is to be sent. */
  queued: boolean;
}

/**
 * Appends to journals. Appends that wait for the same journal share the next call, without a timer:
 * a group has the appends that arrived while the previous groups were in flight.
 *
 * A call serves one journal only, so journals take turns for {@link LOG_GROUPS_IN_ALL_MAX} calls:
 * more at once would not be answered sooner, and would carry fewer appends each.
 *
 * The server recognises a repeat at any revision only by the first event of a call, and only while
 * it remembers that event. So the last {@link LOG_ANSWERS_KEPT_MAX} answers are kept here, and a
 * repeat of one is never sent, and an attempt that was not answered is made again at the revision
 * at which it was not found. That includes a retry by the caller after `LogUnavailable`. A retry by
 * another process may still be stored twice, so the readers of a journal drop a repeated id.
 */
export class Journals {
  readonly #appender: Pick<EventStoreDbAppender, 'together'>;
  readonly #journals = new Map<string, Journal>();
  readonly #queue: Journal[] = [];
  #groups = 0;
  #pumping = false;
  /** Answers by the id of the first event that was appended. */
  readonly #answers = new Map<string, Answer>();

  constructor(appender: Pick<EventStoreDbAppender, 'together'>) {
    this.#appender = appender;
  }

  append(request: AppendRequest): Promise<Appended> {
    const answer = this.#answers.get(request.events[0]!.id);
    if (answer && isTo(answer, request))
      return Promise.resolve({ ...answer.appended, repeated: true });
    return new Promise((resolve, reject) => {
      const journal = this.#journalOf(request.stream);
      journal.waiting.push({
        request,
        bytes: request.events.reduce((sum, { data, meta }) => sum + data.length + meta.length, 0),
        givenUpAt: performance.now() + LOG_CALL_TIMEOUT_MS,
        settle: (outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome)),
      });
      this.#enqueue(journal);
      if (this.#pumping) return;
      this.#pumping = true;
      // Other appends of this turn of the event loop join the group.
      setImmediate(() => {
        this.#pumping = false;
        this.#pump();
      });
    });
  }

  #journalOf(stream: string): Journal {
    const existing = this.#journals.get(stream);
    if (existing) return existing;
    const journal: Journal = { stream, waiting: [], groups: 0, queued: false };
    this.#journals.set(stream, journal);
    return journal;
  }

  #enqueue(journal: Journal) {
    if (journal.queued || journal.waiting.length === 0) return;
    if (journal.groups >= LOG_GROUPS_AT_ONCE_MAX) return;
    journal.queued = true;
    this.#queue.push(journal);
  }

  #pump() {
    while (this.#groups < LOG_GROUPS_IN_ALL_MAX) {
      const journal = this.#queue.shift();
      if (!journal) return;
      journal.queued = false;
      const group = nextOf(journal);
      journal.groups += 1;
      this.#groups += 1;
      // The rest of the journal goes to the end of the queue.
      this.#enqueue(journal);
      void this.#send(group).finally(() => {
        journal.groups -= 1;
        this.#groups -= 1;
        this.#enqueue(journal);
        if (journal.groups === 0 && !journal.queued) this.#journals.delete(journal.stream);
        this.#pump();
      });
    }
  }

  /** Settles everything in the group; never rejects. */
  async #send(group: readonly Waiting[]): Promise<void> {
    const now = performance.now();
    const isLate = ({ givenUpAt }: Waiting) => givenUpAt - now < LOG_APPEND_LEFT_MIN_MS;
    const left = group.filter((one) => !isLate(one));
    for (const one of group.filter(isLate))
      one.settle(new LogUnavailable(`others wait for ${one.request.stream}`));
    const [oldest] = left;
    if (!oldest) return;
    try {
      const outcomes = await this.#appender.together(
        left.map(({ request }) => request),
        oldest.givenUpAt - now,
      );
      for (const [index, { request, settle }] of left.entries()) {
        const outcome = outcomes[index]!;
        if (!(outcome instanceof Error)) this.#keep(request, outcome);
        settle(outcome);
      }
    } catch (error) {
      const failure = error instanceof Error ? error : new Error('an append', { cause: error });
      for (const { settle } of left) settle(failure);
    }
  }

  #keep(request: AppendRequest, appended: Appended) {
    const ids = request.events.map(({ id }) => id);
    this.#answers.set(ids[0]!, { stream: request.stream, ids, appended });
    const oldest = this.#answers.keys().next();
    if (this.#answers.size > LOG_ANSWERS_KEPT_MAX && !oldest.done)
      this.#answers.delete(oldest.value);
  }
}

/** The next group: in the order they came, no larger than one call may be. */
const nextOf = (journal: Journal): Waiting[] => {
  let events = 0;
  let bytes = 0;
  let count = 0;
  const ids = new Set<string>();
  for (const waiting of journal.waiting) {
    const named = waiting.request.events;
    events += named.length;
    bytes += waiting.bytes;
    if (count > 0 && (events > LOG_COMMIT_EVENTS_MAX || bytes > LOG_GROUP_BYTES_MAX)) break;
    // The server does not look for repeats within a call.
    if (named.some(({ id }) => ids.has(id))) break;
    for (const { id } of named) ids.add(id);
    count += 1;
  }
  return journal.waiting.splice(0, count);
};

const isTo = ({ stream, ids }: Answer, request: AppendRequest): boolean =>
  stream === request.stream &&
  ids.length === request.events.length &&
  request.events.every(({ id }, index) => id === ids[index]);
