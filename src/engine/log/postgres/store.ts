import { ALONE_LOOK_MS, LOG_NOTIFIED_POLL_MS, LOG_POLL_MS } from '../../limits.ts';
import { silent, type Report } from '../../observe/report.ts';
import { LogUnavailable, type EventStore } from '../event-store.ts';
import { eventStoreOn } from '../backend.ts';
import { denseLog } from '../positions.ts';
import { PostgresAppender } from './appender.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import { PostgresReader } from './reader.ts';
import { Retention } from './retention.ts';
import { checkSchema, LOG_ROLE, RETENTION_ROLE } from './schema.ts';
import { Notifications } from './notifications.ts';
import { subscription } from '../subscription.ts';
import { Signal } from '../../concurrency/signal.ts';

export { LogNotSeparated, logVersion, prepareLog } from './schema.ts';

export interface PostgresLogOptions {
  /** A database in which {@link prepareLog} has made the log. */
  readonly url: string;
  /** Default `es`. */
  readonly schema?: string;
  /** Default: logs nothing. */
  readonly logger?: Report;
  /**
   * No other process appends: none is notified, and foreign appends are found late. Default false.
   */
  readonly alone?: boolean;
  /** Events of a stream removed by one statement. Default `LOG_REMOVED_AT_ONCE_MAX`. */
  readonly removedAtOnceMax?: number;
  /** Called when data has arrived over a connection, before it is processed. */
  readonly arrived?: () => void;
}

/**
 * The log in Postgres, for any number of processes at once. Connects when it is first used, with up
 * to four connections: appends, short reads, pages, on which it listens as well, and full pages,
 * while a subscription is far behind. An idle one is ended; a subscription alone keeps the third.
 *
 * Its sessions assume the role `atrium_log`, which can only read and append. In the embedded server
 * the login is the superuser `atrium`, reached over a socket in a directory that only the server's
 * user may enter; the role is what holds the log's sessions back.
 */
export const postgresEventStore = ({
  url,
  schema = 'es',
  logger: report = silent,
  alone = false,
  removedAtOnceMax,
  arrived,
}: PostgresLogOptions): EventStore => {
  checkSchema(schema);
  const connection = (name: string, more: Partial<ConnectionOptions> = {}) =>
    new Connection({
      url,
      name: `atrium log ${name}`,
      role: LOG_ROLE,
      report,
      ...(arrived ? { arrived } : {}),
      ...more,
    });
  const appends = connection('append');
  const tails = connection('read', { pipeline: true });
  const pages = connection('pages', { pipeline: true });
  const wakes = new Signal();
  const notifications = new Notifications(pages, `atrium_${schema}`, wakes);
  const pollMs = () => {
    if (alone) return ALONE_LOOK_MS;
    return notifications.arrive ? LOG_NOTIFIED_POLL_MS : LOG_POLL_MS;
  };
  const fullPages = connection('full pages');
  const reader = new PostgresReader({ tails, pages, fullPages }, schema);
  const appender = new PostgresAppender(appends, schema, () => stored());
  /** A deleted journal is waiting for an event after its last. */
  let journalToEnd = false;

  const connect = () => connection('retention', { role: RETENTION_ROLE });
  const retention = new Retention({ connect, reader, schema, removedAtOnceMax });
  const closing = new AbortController();

  const deleteRest = async () => {
    try {
      if (await retention.deleteRest(closing.signal)) journalToEnd = true;
    } catch (error) {
      // After any stop the next deletion completes it, so a stop is no fault.
      if (closing.signal.aborted) return;
      report.warn({ err: error }, 'the end of a deleted journal goes with the next deletion');
    }
  };

  const stored = () => {
    wakes.wake();
    if (!alone) notifications.notify();
    if (!journalToEnd) return;
    journalToEnd = false;
    void deleteRest();
  };

  return eventStoreOn({
    backend: 'postgres',
    ...denseLog,
    append: (request) => appender.append(request),
    readStream: (stream, range) => reader.stream(stream, range),
    readAll: (after, range) => reader.all(after, range),
    async *subscribe(after, options) {
      const stopListening = alone ? () => {} : notifications.listen();
      try {
        const source = {
          wakes,
          pollMs,
          readAll: reader.all.bind(reader),
          readFull: reader.fullPage.bind(reader),
        };
        yield* subscription(source, after, options);
      } finally {
        stopListening();
      }
    },
    head: () => reader.head(),
    truncateStream: (stream, before) => retention.truncate(stream, before, closing.signal),
    async deleteStream(stream, { signal } = {}) {
      const stop = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
      if (await retention.delete(stream, stop)) journalToEnd = true;
    },
    async close() {
      await appender.idle();
      closing.abort(new LogUnavailable('it was closed'));
      await Promise.all([appends, tails, pages, fullPages].map((one) => one.end()));
    },
  });
};
