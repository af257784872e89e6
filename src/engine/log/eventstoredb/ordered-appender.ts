import { randomUUID } from 'node:crypto';
import type { Credentials } from '@eventstore/db-client';
import {
  LOG_CALL_TIMEOUT_MS,
  LOG_ORDERED_APPENDS_MAX,
  LOG_ORDERED_BYTES_MAX,
} from '../../limits.ts';
import { backoff } from '../../concurrency/backoff.ts';
import {
  LogUnavailable,
  OutOfOrder,
  type Appended,
  type OrderedOptions,
  type Position,
} from '../event-store.ts';
import type { OrderedRequest, OrderedRequests } from '../backend.ts';
import type { EventStoreDbAppender } from './appender.ts';
import { openBatchCall, type BatchAnswer, type BatchCall } from './batch-call.ts';
import type { ClientFailover } from './client-failover.ts';
import { comparePositions } from './positions.ts';

interface Dependencies extends OrderedOptions {
  readonly clients: Pick<ClientFailover, 'current'>;
  readonly credentials: Credentials;
  readonly appender: Pick<EventStoreDbAppender, 'append'>;
}

interface Waiting {
  /** Correlates the answer of the call. */
  readonly id: string;
  readonly request: OrderedRequest;
  readonly bytes: number;
  answer: Pick<Appended, 'revision' | 'position'> | null;
}

/**
 * Appends to many streams over one call, whose requests the server processes one after the other:
 * it stores them in their order, and what is stored when the call or the server ends is a prefix of
 * them. The positions in its answers verify that.
 *
 * Only a refusal in the middle, such as by a server that is too busy, can leave a gap. So after the
 * first refusal, or after {@link LOG_CALL_TIMEOUT_MS} without an answer, the call is ended. The
 * oldest unanswered append is then repeated alone, by the unary call that retries, finds what is
 * stored and reports why it is refused; once it is stored, the others follow over a new call. What
 * the previous call has stored is a repeat, and is answered with its first position, so that a gap
 * shows as {@link OutOfOrder}.
 */
export class OrderedAppender implements OrderedRequests {
  readonly #with: Dependencies;
  readonly #stop = new AbortController();
  /** Appends in the order they were added; the first one has no answer. */
  readonly #waiting: Waiting[] = [];
  #bytes = 0;
  #call: BatchCall | null = null;
  #endCall: () => void = () => {};
  /** When the last answer came. */
  #heardAt = 0;
  #last: Position | null = null;
  #failure: { readonly error: unknown } | null = null;
  #isRunning = false;
  #changed = Promise.withResolvers<void>();

  constructor(dependencies: Dependencies) {
    this.#with = dependencies;
  }

  async add(request: OrderedRequest): Promise<void> {
    this.#mustGoOn();
    const bytes = request.events.reduce(
      (sum, { data, meta }) => sum + data.length + meta.length,
      0,
    );
    const waiting: Waiting = { id: randomUUID(), request, bytes, answer: null };
    this.#waiting.push(waiting);
    this.#bytes += bytes;
    this.#call?.send(waiting.id, request);
    if (!this.#isRunning) void this.#run();
    while (
      this.#waiting.length >= LOG_ORDERED_APPENDS_MAX ||
      (this.#bytes >= LOG_ORDERED_BYTES_MAX && this.#waiting.length > 1)
    )
      await this.#change();
  }

  async stored(): Promise<void> {
    this.#mustGoOn();
    while (this.#waiting.length > 0) await this.#change();
  }

  stop(): void {
    this.#stop.abort();
    this.#fail(new LogUnavailable('it was closed'));
  }

  #mustGoOn() {
    if (this.#failure) throw this.#failure.error;
  }

  async #change(): Promise<void> {
    await this.#changed.promise;
    this.#mustGoOn();
  }

  #fail(error: unknown) {
    this.#failure ??= { error };
    this.#endCall();
    this.#wake();
  }

  #wake() {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  /** Sends until everything is stored, or an append is refused. Never rejects. */
  async #run(): Promise<void> {
    this.#isRunning = true;
    try {
      while (this.#waiting.length > 0 && !this.#failure) {
        await this.#oldestAlone();
        await this.#othersTogether();
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#isRunning = false;
    }
  }

  async #oldestAlone(): Promise<void> {
    const oldest = this.#waiting[0]!;
    const delays = backoff();
    const givenUpAt = performance.now() + this.#with.retryMs;
    for (;;) {
      try {
        this.#settle(oldest, await this.#with.appender.append(oldest.request));
        return;
      } catch (error) {
        if (!(error instanceof LogUnavailable) || performance.now() > givenUpAt) throw error;
        await delays.pause(this.#stop.signal);
        this.#mustGoOn();
      }
    }
  }

  /** Resolves when the call has ended; also when it could not be opened. */
  async #othersTogether(): Promise<void> {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const answered = (id: string, answer: BatchAnswer) => {
      const waiting = this.#waiting.find((sent) => sent.id === id);
      if (waiting && answer !== null) this.#settle(waiting, answer);
      else end();
    };
    const { clients, credentials } = this.#with;
    const listener = { answered, ended: end };
    const call = await openBatchCall(clients.current, credentials, listener).catch(() => null);
    // The next unary call finds the server again, or reports why not.
    if (call === null) return;
    const silence = setInterval(() => {
      if (this.#isSilent()) end();
    }, SILENCE_LOOK_MS);
    try {
      this.#mustGoOn();
      this.#heardAt = performance.now();
      this.#endCall = end;
      for (const { id, request, answer } of this.#waiting)
        if (answer === null) call.send(id, request);
      this.#call = call;
      await ended;
    } finally {
      clearInterval(silence);
      this.#call = null;
      this.#endCall = () => {};
      call.cancel();
    }
  }

  #isSilent(): boolean {
    if (this.#waiting.length === 0) this.#heardAt = performance.now();
    return performance.now() - this.#heardAt > LOG_CALL_TIMEOUT_MS;
  }

  #settle(waiting: Waiting, answer: NonNullable<BatchAnswer>) {
    waiting.answer = answer;
    this.#heardAt = performance.now();
    for (let [first] = this.#waiting; first?.answer; [first] = this.#waiting) {
      const { stream, expected, events } = first.request;
      const { revision, position } = first.answer;
      const before = expected === 'no_stream' ? -1 : expected;
      if (revision !== before + events.length)
        return this.#fail(new Error(`${stream} was deleted before, and goes on at ${revision}`));
      if (comparePositions(position, this.#last) <= 0)
        return this.#fail(new OutOfOrder(stream, revision));
      this.#last = position;
      this.#bytes -= first.bytes;
      this.#waiting.shift();
    }
    this.#wake();
  }
}

/** Interval of the check for overdue answers. */
const SILENCE_LOOK_MS = 1_000;
