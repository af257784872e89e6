import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import {
  LOG_CALL_TIMEOUT_MS,
  LOG_COMMIT_BYTES_MAX,
  LOG_COMMIT_EVENTS_MAX,
  LOG_RETRY_MS,
} from '../../limits.ts';
import { deadlines } from '../../concurrency/deadlines.ts';
import { int4Array, int8Array, jsonArray, textArray, uuidArray } from './binary-arrays.ts';
import {
  GuardMoved,
  IdTaken,
  LogUnavailable,
  WrongRevision,
  type Appended,
  type Expected,
} from '../event-store.ts';
import { isLost, isUnable, type Connection } from './connection.ts';
import { ANY_REVISION, GUARD_MOVED, ID_TAKEN, NO_STREAM, REPEATED, STORED } from './schema.ts';
import type { AppendRequest } from '../backend.ts';

interface Pending extends AppendRequest {
  readonly bytes: number;
  /** Sent once already over a connection that was lost. */
  resent: boolean;
  settled: boolean;
  settle(answer: Appended | Error): void;
}

type Outcome = [outcome: number, revision: number, position: number];

/**
 * Group commit: appends wait while a commit is under way and share the next one. There is no
 * timer: an append that is alone is sent at once. One connection is enough, because the log's lock
 * admits one commit at a time in any case.
 */
export class PostgresAppender {
  readonly #connection: Connection;
  readonly #schema: string;
  readonly #stored: () => void;
  readonly #watched = deadlines();
  #queue: Pending[] = [];
  #pump: Promise<void> | null = null;

  /** @param stored Called after each commit that stored something. */
  constructor(connection: Connection, schema: string, stored: () => void) {
    this.#connection = connection;
    this.#schema = schema;
    this.#stored = stored;
  }

  append(request: AppendRequest): Promise<Appended> {
    return new Promise((resolve, reject) => {
      const callOff = this.#watched.within(LOG_CALL_TIMEOUT_MS, () => {
        pending.settle(new LogUnavailable(`no answer within ${LOG_CALL_TIMEOUT_MS} ms`));
      });
      const pending: Pending = {
        ...request,
        bytes: request.events.reduce((sum, { data, meta }) => sum + data.length + meta.length, 0),
        resent: false,
        settled: false,
        settle(answer) {
          if (pending.settled) return;
          pending.settled = true;
          callOff();
          if (answer instanceof Error) reject(answer);
          else resolve(answer);
        },
      };
      this.#queue.push(pending);
      this.#pump ??= this.#run();
    });
  }

  /** Resolves once nothing is waiting. Every append has a deadline, so that is soon. */
  async idle(): Promise<void> {
    while (this.#pump) await this.#pump;
  }

  async #run(): Promise<void> {
    // Everything that is appended in this turn of the event loop goes into the first commit.
    await new Promise((go) => setImmediate(go));
    while (this.#queue.length > 0) {
      const [batch, rest] = nextBatch(this.#queue);
      this.#queue = rest;
      const again = await this.#commit(batch);
      this.#queue = [...again, ...this.#queue];
    }
    this.#pump = null;
  }

  /** @returns Those to send again, before all appends after them. */
  async #commit(batch: readonly Pending[]): Promise<readonly Pending[]> {
    if (batch.length === 0) return [];
    try {
      await this.#connection.client();
    } catch (error) {
      if (isUnable(error) || !isLost(error) || error instanceof LogUnavailable) {
        fail(batch, new LogUnavailable('it refuses the connection', error));
        return [];
      }
      // Nothing was sent yet; each waits until its own deadline.
      await sleep(LOG_RETRY_MS);
      return batch;
    }
    try {
      const isOfOnes = batch.length > 1 && batch.every(({ events }) => events.length === 1);
      const left = isOfOnes ? await this.#storeEach(batch) : batch;
      if (left.length > 0) await this.#store(left);
      return [];
    } catch (error) {
      return this.#recover(
        batch.filter(({ settled }) => !settled),
        error,
      );
    }
  }

  async #store(batch: readonly Pending[]): Promise<void> {
    const outcomes = await this.#send(batch);
    batch.forEach((pending, index) => pending.settle(answerOf(pending, outcomes[index]!)));
    if (outcomes.some(([outcome]) => outcome === STORED)) this.#stored();
  }

  /**
   * Stores the appends whose conditions hold, by the cheapest call.
   *
   * @returns The others, which are refused or already stored: the caller has to find out.
   */
  async #storeEach(batch: readonly Pending[]): Promise<readonly Pending[]> {
    let rows: readonly [id: string, revision: number, position: number][];
    try {
      rows = await this.#sendEach(batch);
    } catch (error) {
      if (error instanceof DatabaseError && error.code === UNIQUE_VIOLATION) return batch;
      throw error;
    }
    const stored = new Map(rows.map(([id, ...where]) => [id, where]));
    for (const pending of batch) {
      const where = stored.get(pending.events[0]!.id);
      if (where) pending.settle(answerOf(pending, [STORED, ...where]));
    }
    if (rows.length > 0) this.#stored();
    return rows.length === batch.length
      ? []
      : batch.filter(({ events }) => !stored.has(events[0]!.id));
  }

  /** Returns as `#commit`. */
  async #recover(batch: readonly Pending[], error: unknown): Promise<readonly Pending[]> {
    if (isLost(error)) {
      // Sent again with the same ids, they are either stored or found to be stored.
      fail(
        batch.filter(({ resent }) => resent),
        new LogUnavailable('the connection was lost twice', error),
      );
      const again = batch.filter(({ settled }) => !settled);
      for (const pending of again) pending.resent = true;
      return again;
    }
    if (isUnable(error)) {
      const full = error instanceof DatabaseError && error.code === '53100';
      fail(batch, new LogUnavailable(full ? 'its disk is full' : 'it cannot store', error));
    } else if (batch.length > 1) {
      // One of them makes the commit fail. The batch is halved until that one fails alone.
      const middle = batch.length >> 1;
      const again = await this.#commit(batch.slice(0, middle));
      const later = batch.slice(middle);
      return again.length > 0 ? [...again, ...later] : this.#commit(later);
    } else {
      batch[0]?.settle(await this.#failureOf(batch[0], error));
    }
    return [];
  }

  /** Why Postgres refuses an append that has passed every check here. */
  async #failureOf({ stream, expected, events }: Pending, error: unknown): Promise<Error> {
    const cause = error instanceof Error ? error : new Error(String(error));
    if (!(error instanceof DatabaseError) || error.constraint !== 'event_id') return cause;
    try {
      const [row] = await this.#connection.rows<[own: boolean | string, head: number | null]>({
        text: `select exists (select from ${this.#schema}.event
                                where id = any ($2) and stream = $1),
                 (select max(revision) from ${this.#schema}.event where stream = $1)`,
        values: [stream, uuidArray(events.map(({ id }) => id))],
      });
      if (row?.[0] === 't') return new WrongRevision(stream, expected, row[1]);
      return new IdTaken(stream);
    } catch (lookup) {
      return new LogUnavailable('a repeated event could not be looked up', lookup);
    }
  }

  #sendEach(
    batch: readonly Pending[],
  ): Promise<[id: string, revision: number, position: number][]> {
    const events = batch.map(({ events: [event] }) => event!);
    return this.#connection.rows({
      name: 'append each',
      text: `select * from ${this.#schema}.append_each($1,$2,$3,$4,$5,$6,$7,$8)`,
      values: [
        textArray(batch.map(({ stream }) => stream)),
        int8Array(batch.map(({ expected }) => numberOfExpected(expected))),
        textArray(batch.map(({ guard }) => guard?.stream ?? null)),
        int8Array(batch.map(({ guard }) => (guard ? (guard.revision ?? NO_STREAM) : null))),
        uuidArray(events.map(({ id }) => id)),
        textArray(events.map(({ type }) => type)),
        jsonArray(events.map(({ data }) => data)),
        jsonArray(events.map(({ meta }) => meta)),
      ],
    });
  }

  #send(batch: readonly Pending[]): Promise<Outcome[]> {
    const events = batch.flatMap(({ events }) => events);
    const of = batch.flatMap(({ events }, index) => events.map(() => index + 1));
    const nth = batch.flatMap(({ events }) => events.map((_, index) => index + 1));
    return this.#connection.rows<Outcome>({
      name: 'append',
      text: `select * from ${this.#schema}.append($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12)`,
      values: [
        textArray(batch.map(({ stream }) => stream)),
        int8Array(batch.map(({ expected }) => numberOfExpected(expected))),
        int4Array(batch.map(({ events }) => events.length)),
        textArray(batch.map(({ guard }) => guard?.stream ?? null)),
        int8Array(batch.map(({ guard }) => (guard ? (guard.revision ?? NO_STREAM) : null))),
        uuidArray(batch.map(({ events }) => events[0]!.id)),
        int4Array(of),
        int4Array(nth),
        uuidArray(events.map(({ id }) => id)),
        textArray(events.map(({ type }) => type)),
        jsonArray(events.map(({ data }) => data)),
        jsonArray(events.map(({ meta }) => meta)),
      ],
    });
  }
}

/**
 * Takes from the queue, in its order, what one commit may hold. Once an append does not fit, those
 * after it wait as well, because they must not be stored before it.
 *
 * All appends of a commit are checked against the streams as they were before it, so an append that
 * depends on another waits for the next commit: a second append to a stream (unless both take any
 * revision), and one whose guard is on a stream written here. Later appends to the same stream wait
 * with it. (Two appends of the same event id fail the commit, and are separated when it is halved.)
 */
const nextBatch = (queue: readonly Pending[]): [Pending[], Pending[]] => {
  const batch: Pending[] = [];
  const rest: Pending[] = [];
  const written = new Map<string, Expected>();
  const waiting = new Set<string>();
  let events = 0;
  let bytes = 0;
  let isFull = false;

  for (const pending of queue) {
    if (pending.settled) continue;
    const { stream, expected, guard } = pending;
    const before = written.get(stream);
    isFull ||=
      batch.length > 0 &&
      (events + pending.events.length > LOG_COMMIT_EVENTS_MAX ||
        bytes + pending.bytes > LOG_COMMIT_BYTES_MAX);
    if (
      isFull ||
      waiting.has(stream) ||
      (before !== undefined && (before !== 'any' || expected !== 'any')) ||
      (guard && written.has(guard.stream))
    ) {
      waiting.add(stream);
      rest.push(pending);
      continue;
    }
    batch.push(pending);
    written.set(stream, expected);
    events += pending.events.length;
    bytes += pending.bytes;
  }
  return [batch, rest];
};

/** An event of the batch is in the log already. */
const UNIQUE_VIOLATION = '23505';

const numberOfExpected = (expected: Expected): number =>
  expected === 'any' ? ANY_REVISION : expected === 'no_stream' ? NO_STREAM : expected;

const answerOf = (
  { stream, expected, guard }: Pending,
  [outcome, revision, position]: Outcome,
): Appended | Error => {
  const actual = revision === NO_STREAM ? null : revision;
  if (outcome === STORED || outcome === REPEATED)
    return { revision, position: String(position), repeated: outcome === REPEATED };
  if (outcome === GUARD_MOVED) return new GuardMoved(guard!, actual);
  if (outcome === ID_TAKEN) return new IdTaken(stream);
  return new WrongRevision(stream, expected, actual);
};

const fail = (batch: readonly Pending[], error: LogUnavailable): void => {
  for (const pending of batch) pending.settle(error);
};
