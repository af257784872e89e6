import { ALONE_LOOK_MS, LOG_NOTIFIED_POLL_MS, LOG_POLL_MS } from '../../limits.ts';
import { silent, type Report } from '../../observe/report.ts';
import { LogUnavailable, type EventStore } from '../event-store.ts';
import { eventStoreOn } from '../backend.ts';
import { denseLog } from '../positions.ts';
import { PostgresAppender } from './appender.ts';
import { Connection, isLost, isUnable, type ConnectionOptions } from './connection.ts';
import { PostgresReader } from './reader.ts';
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

  /** Retention is rare: one connection per call, under the role for it. */
  const retain = async (call: string, values: unknown[]): Promise<unknown[][]> => {
    const retention = connection('retention', { role: RETENTION_ROLE });
    try {
      return await retention.rows({ text: `select ${schema}.${call}`, values });
    } catch (error) {
      if (error instanceof LogUnavailable) throw error;
      if (isLost(error) || isUnable(error)) throw new LogUnavailable('retention', error);
      throw error;
    } finally {
      await retention.end();
    }
  };

  /** @param stream `null`: the remaining event of the journal that was deleted last. */
  const deleteStream = async (stream: string | null): Promise<void> => {
    const [row] = await retain('delete_stream($1)', [stream]);
    if (row?.[0] === 't') journalToEnd = true;
  };

  const stored = () => {
    wakes.wake();
    if (!alone) notifications.notify();
    if (!journalToEnd) return;
    journalToEnd = false;
    deleteStream(null).catch((error: unknown) => {
      report.warn({ err: error }, 'the end of a deleted journal goes with the next deletion');
    });
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
    async truncateStream(stream, before) {
      await retain('truncate_stream($1, $2)', [stream, before]);
    },
    deleteStream,
    async close() {
      await appender.idle();
      await Promise.all([appends, tails, pages, fullPages].map((one) => one.end()));
    },
  });
};
