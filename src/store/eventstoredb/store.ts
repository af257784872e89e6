import { EventStoreDBClient } from '@eventstore/db-client';
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
import { addressOf } from './address.ts';
import { Appender, type AppendRequest } from './appender.ts';
import { isSystem } from './events.ts';
import { Journals } from './journals.ts';
import { comparePositions } from './positions.ts';
import { Reader } from './reader.ts';
import { Retention } from './retention.ts';
import { subscription } from './subscription.ts';
import { trusting, type TlsAddress } from './tls-diagnosis.ts';
import { serialised } from '../serialised.ts';

export interface EventStoreDbLogOptions {
  /** `EVENTSTORE_URL`: a connection string, of one node or of several. */
  readonly url: string;
  /** Told of dropped subscriptions. Never shown the connection string. Default: says nothing. */
  readonly logger?: Report;
}

/**
 * The log in EventStoreDB or KurrentDB, from 23.10 on. Connects when it is first used.
 *
 * Three clients, because a connection that one call has lost is lost to all calls of its client:
 * appends, with the tails of their guards; reads; subscriptions.
 *
 * `repeated` is told by position: an append is one if it lies no further than what was known to be
 * stored when it was sent. That misses one case: a repeat of what another process has appended
 * since this one began, and nothing here has been appended after. It is stored once even so.
 *
 * An event that is repeated in a journal after both this process and the server were started anew
 * may be stored twice; readers of journals drop a repeated id.
 *
 * @throws {TypeError} if `url` is no connection string; its text does not show it.
 */
export const eventstoreDbStore = (options: EventStoreDbLogOptions): EventStore =>
  new EventStoreDbEventStore(options);

class EventStoreDbEventStore implements EventStore {
  readonly backend = 'eventstoredb';
  readonly capabilities = {
    tellsEveryRepeat: false,
    commitsInCallOrder: false,
    guardsInOneStep: false,
    showsRemovedInAll: true,
  };
  readonly compare = comparePositions;
  readonly #clients: readonly EventStoreDBClient[];
  readonly #appender: Appender;
  readonly #journals: Journals;
  readonly #reader: Reader;
  readonly #retention: Retention;
  readonly #subscribe: (
    after: Position | null,
    options: SubscribeOptions,
  ) => AsyncGenerator<Batch, void, undefined>;
  readonly #tls: TlsAddress | null;
  readonly #closed = new AbortController();
  /** By what they ask for: the same append given twice at once is sent once. */
  readonly #underWay = new Map<string, Promise<Appended>>();

  constructor({ url, logger: report = silent }: EventStoreDbLogOptions) {
    const { any, leader, credentials, tls } = addressOf(url);
    this.#tls = tls;
    const appends = clientOf(leader);
    const reads = clientOf(leader);
    const subscriptions = clientOf(any);
    this.#clients = [appends, reads, subscriptions];
    this.#appender = new Appender(appends, credentials);
    this.#journals = new Journals(this.#appender);
    this.#retention = new Retention(appends, credentials);
    const reader = new Reader(reads, credentials);
    this.#reader = reader;
    const parts = { client: subscriptions, credentials, reader, report };
    this.#subscribe = (after, options) => subscription(parts, after, options);
  }

  async append(
    stream: string,
    expected: Expected,
    events: readonly NewEvent[],
    { guard }: { readonly guard?: Guard } = {},
  ): Promise<Appended> {
    this.#checkOpen();
    const texts = serialised(stream, events);
    if (isSystem(stream)) throw new TypeError(`${stream} is a stream of the server's own`);
    const key = JSON.stringify([stream, expected, guard, texts.map(({ id }) => id)]);
    const same = this.#underWay.get(key);
    if (same) return { ...(await same), repeated: true };

    const request: AppendRequest = { stream, expected, events: texts, ...(guard && { guard }) };
    const work = trusting(
      this.#tls,
      expected === 'any' ? this.#journals.append(request) : this.#appender.append(request),
    );
    this.#underWay.set(key, work);
    try {
      return await work;
    } finally {
      this.#underWay.delete(key);
    }
  }

  async readStream(stream: string, range: StreamRange = {}): Promise<readonly StoredEvent[]> {
    this.#checkOpen();
    return trusting(this.#tls, this.#reader.stream(stream, range));
  }

  async readAll(after: Position | null, range: AllRange): Promise<AllPage> {
    this.#checkOpen();
    return trusting(this.#tls, this.#reader.all(after, range));
  }

  async *subscribe(
    after: Position | null,
    options: SubscribeOptions,
  ): AsyncGenerator<Batch, void, undefined> {
    const signal = AbortSignal.any([options.signal, this.#closed.signal]);
    if (!signal.aborted) yield* this.#subscribe(after, { ...options, signal });
  }

  async head(): Promise<Head> {
    this.#checkOpen();
    return trusting(this.#tls, this.#reader.head());
  }

  /** Positions are places in a file, so they tell the order and no number. */
  distance(): null {
    return null;
  }

  async truncateStream(stream: string, before: number): Promise<void> {
    this.#checkOpen();
    await trusting(this.#tls, this.#retention.truncate(stream, before));
  }

  async deleteStream(stream: string): Promise<void> {
    this.#checkOpen();
    await trusting(this.#tls, this.#retention.delete(stream));
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await Promise.allSettled(this.#underWay.values());
    await Promise.all(this.#clients.map((client) => client.dispose()));
  }

  #checkOpen() {
    if (this.#closed.signal.aborted) throw new LogUnavailable('it was closed');
  }
}

const clientOf = (address: string): EventStoreDBClient => {
  try {
    return EventStoreDBClient.connectionString(address);
  } catch (error) {
    throw unusable(error);
  }
};

/** What the client has to say about a connection string shows it, so it is not passed on. */
const unusable = (error: unknown): TypeError =>
  new TypeError(
    error instanceof Error && /certificate|PEM|ASN/i.test(error.message)
      ? 'EVENTSTORE_URL names a certificate file that cannot be read'
      : 'EVENTSTORE_URL is no connection string: esdb://host:port?…',
  );
