import { silent, type Report } from '../../ops/report.ts';
import {
  LogUnavailable,
  type AllPage,
  type AllRange,
  type Appended,
  type Batch,
  type EventStore,
  type Expected,
  type Guard,
  type Head,
  type NewEvent,
  type Position,
  type StoredEvent,
  type StreamRange,
  type SubscribeOptions,
} from '../event-store.ts';
import { compareDense, distanceDense } from '../positions.ts';
import { Appender } from './appender.ts';
import { Connection, isLost, isUnable, type ConnectionOptions } from './connection.ts';
import { Reader } from './reader.ts';
import { checkSchema, LOG_ROLE, RETENTION_ROLE } from './schema.ts';
import { Wakeups } from './notifications.ts';
import { serialised } from '../serialised.ts';
import { subscription } from '../subscription.ts';
import { Wakes } from '../../ops/wakes.ts';

export { prepareLog } from './schema.ts';

export interface PostgresLogOptions {
  /** A database in which {@link prepareLog} has made the log. */
  readonly url: string;
  /** Default `es`. */
  readonly schema?: string;
  /** Default: says nothing. */
  readonly logger?: Report;
}

/**
 * The log in Postgres, for any number of processes at once. Connects when it is first used, with
 * up to four connections: appends, short reads, pages, and LISTEN while there are subscriptions.
 *
 * Its sessions take the role `atrium_log`, which may read and call `append` and nothing else. In
 * the embedded server the login is the superuser `atrium`, reached over a socket in a directory
 * that only the server's user may enter; the role is what holds the log's sessions back.
 */
export const postgresEventStore = (options: PostgresLogOptions): EventStore =>
  new PostgresEventStore(options);

class PostgresEventStore implements EventStore {
  readonly backend = 'postgres';
  readonly capabilities = {
    tellsEveryRepeat: true,
    commitsInCallOrder: true,
    guardsInOneStep: true,
    showsRemovedInAll: false,
  };
  readonly compare = compareDense;
  readonly distance = distanceDense;
  readonly #wakes = new Wakes();
  readonly #connections: readonly Connection[];
  readonly #reader: Reader;
  readonly #appender: Appender;
  readonly #wakeups: Wakeups;
  readonly #retention: () => Connection;
  readonly #schema: string;
  readonly #report: Report;
  readonly #closed = new AbortController();
  /** A deleted journal is waiting for an event after its last. */
  #closing = false;

  constructor({ url, schema = 'es', logger: report = silent }: PostgresLogOptions) {
    checkSchema(schema);
    const connection = (name: string, more: Partial<ConnectionOptions> = {}) =>
      new Connection({ url, name: `atrium log ${name}`, role: LOG_ROLE, report, ...more });
    const appends = connection('append');
    const tails = connection('read', { pipeline: true });
    const pages = connection('pages', { pipeline: true });
    const listening = connection('listen');
    this.#connections = [appends, tails, pages, listening];
    this.#schema = schema;
    this.#report = report;
    this.#reader = new Reader(tails, pages, schema);
    this.#appender = new Appender(appends, schema, () => this.#stored());
    this.#wakeups = new Wakeups(pages, listening, `atrium_${schema}`, this.#wakes);
    this.#retention = () => connection('retention', { role: RETENTION_ROLE });
  }

  async append(
    stream: string,
    expected: Expected,
    events: readonly NewEvent[],
    { guard }: { readonly guard?: Guard } = {},
  ): Promise<Appended> {
    this.#checkOpen();
    const texts = serialised(stream, events);
    return this.#appender.append({ stream, expected, events: texts, ...(guard && { guard }) });
  }

  async readStream(stream: string, range: StreamRange = {}): Promise<readonly StoredEvent[]> {
    this.#checkOpen();
    return this.#reader.stream(stream, range);
  }

  async readAll(after: Position | null, range: AllRange): Promise<AllPage> {
    this.#checkOpen();
    return this.#reader.all(after, range);
  }

  async *subscribe(
    after: Position | null,
    options: SubscribeOptions,
  ): AsyncGenerator<Batch, void, undefined> {
    const signal = AbortSignal.any([options.signal, this.#closed.signal]);
    if (signal.aborted) return;
    const source = {
      wakes: this.#wakes,
      readAll: (at: Position | null, range: AllRange) => this.#reader.all(at, range),
    };
    const hangUp = this.#wakeups.listen();
    try {
      yield* subscription(source, after, { ...options, signal });
    } finally {
      hangUp();
    }
  }

  async head(): Promise<Head> {
    this.#checkOpen();
    return this.#reader.head();
  }

  async truncateStream(stream: string, before: number): Promise<void> {
    this.#checkOpen();
    await this.#retain('truncate_stream($1, $2)', [stream, before]);
  }

  async deleteStream(stream: string): Promise<void> {
    this.#checkOpen();
    await this.#deleted(stream);
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#appender.idle();
    await Promise.all(this.#connections.map((connection) => connection.end()));
  }

  #stored() {
    this.#wakes.wake();
    this.#wakeups.tell();
    if (!this.#closing) return;
    this.#closing = false;
    this.#deleted(null).catch((error: unknown) => {
      this.#report.warn({ err: error }, 'the end of a deleted journal goes with the next deletion');
    });
  }

  async #deleted(stream: string | null): Promise<void> {
    const [row] = await this.#retain('delete_stream($1)', [stream]);
    if (row?.[0] === 't') this.#closing = true;
  }

  /** Retention is rare: a connection for the one call, under the role that may. */
  async #retain(call: string, values: unknown[]): Promise<unknown[][]> {
    const connection = this.#retention();
    try {
      return await connection.rows({ text: `select ${this.#schema}.${call}`, values });
    } catch (error) {
      if (error instanceof LogUnavailable) throw error;
      if (isLost(error) || isUnable(error)) throw new LogUnavailable('retention', error);
      throw error;
    } finally {
      await connection.end();
    }
  }

  #checkOpen() {
    if (this.#closed.signal.aborted) throw new LogUnavailable('it was closed');
  }
}
