import { EventStoreDBClient } from '@eventstore/db-client';
import { silent, type Report } from '../../observe/report.ts';
import type { Appended, EventStore } from '../event-store.ts';
import { eventStoreOn } from '../backend.ts';
import { channelWith } from '../log-with.ts';
import { addressOf, withoutHost } from './address.ts';
import { channelOver } from './channel.ts';
import { EventStoreDbAppender } from './appender.ts';
import { isSystem } from './events.ts';
import { gossipOf } from './gossip.ts';
import { Journals } from './journals.ts';
import { OrderedAppender } from './ordered-appender.ts';
import { leaderWatch, noLeaderWatch } from './leader-watch.ts';
import { ClientFailover, type OpenClient } from './client-failover.ts';
import { comparePositions } from './positions.ts';
import { EventStoreDbReader } from './reader.ts';
import { Retention } from './retention.ts';
import { subscription } from './subscription.ts';
import { withTlsDiagnosis } from './tls-diagnosis.ts';

export interface EventStoreDbLogOptions {
  /** `EVENTSTORE_URL`: a connection string, of one node or of several. */
  readonly url: string;
  /** Logs dropped subscriptions, and never the connection string. Default: logs nothing. */
  readonly logger?: Report;
}

/**
 * The log in EventStoreDB or KurrentDB, from 23.10 on. Connects when it is first used.
 *
 * It has four clients, because a connection that one call has lost is lost to all calls of its
 * client: one for appends and the tails of their guards, one for the channel, one for reads, one
 * for subscriptions. In a cluster all are replaced when the leader hangs and another one is
 * elected.
 *
 * `repeated` is derived from the position: an append is a repeat if it is not after the last
 * position known to be stored when it was sent. That misses one case: a repeat of an append by
 * another process since this one began, if this one has appended nothing since. It is still stored
 * once.
 *
 * An event that is repeated in a journal after both this process and the server were restarted may
 * be stored twice; readers of journals drop a repeated id.
 *
 * @throws {TypeError} if `url` is no connection string; its text does not show it.
 */
export const eventstoreDbStore = ({
  url,
  logger: report = silent,
}: EventStoreDbLogOptions): EventStore => {
  const address = addressOf(url);
  const { any, leader, credentials, tls } = address;
  const gossip = gossipOf(address);
  const watch = gossip && leaderWatch(gossip, report);
  const clientsTo = (to: string): ClientFailover => {
    const open: OpenClient = (hangs) => clientOf(withoutHost(to, hangs));
    const clients = new ClientFailover(open, watch ?? noLeaderWatch);
    watch?.watched.add(clients);
    return clients;
  };
  const [appends, channelled] = [clientsTo(leader), clientsTo(leader)];
  const [reads, subscriptions] = [clientsTo(leader), clientsTo(any)];
  const reader = new EventStoreDbReader(reads, credentials);
  const appender = new EventStoreDbAppender(appends, credentials);
  const journals = new Journals(appender);
  const channel = channelOver(channelled, credentials);
  const retention = new Retention(appends, credentials);
  const diagnosed = <T>(work: Promise<T>) => withTlsDiagnosis(tls, work);
  /** Appends in flight by content: an append that is requested twice at once is sent once. */
  const underWay = new Map<string, Promise<Appended>>();
  const channelCalls = new Set<Promise<unknown>>();
  const orderings = new Set<OrderedAppender>();

  return eventStoreOn({
    backend: 'eventstoredb',
    capabilities: {
      tellsEveryRepeat: false,
      commitsInCallOrder: false,
      guardsInOneStep: false,
      showsRemovedInAll: true,
    },
    channel: channelWith(channel, async (...call) => {
      const work = diagnosed(channel.ask(...call));
      channelCalls.add(work);
      try {
        return await work;
      } finally {
        channelCalls.delete(work);
      }
    }),
    orderedAppends: ({ retryMs }) => {
      const ordered = new OrderedAppender({ clients: appends, credentials, appender, retryMs });
      orderings.add(ordered);
      return ordered;
    },
    compare: comparePositions,
    // Positions are offsets in a file, so they have an order but no count.
    distance: () => null,
    async append(request) {
      const { stream, expected, events, guard } = request;
      if (isSystem(stream)) throw new TypeError(`${stream} is a stream of the server's own`);
      const key = JSON.stringify([stream, expected, guard, events.map(({ id }) => id)]);
      const same = underWay.get(key);
      if (same) return { ...(await same), repeated: true };
      const work = diagnosed((expected === 'any' ? journals : appender).append(request));
      underWay.set(key, work);
      try {
        return await work;
      } finally {
        underWay.delete(key);
      }
    },
    readStream: (stream, range) => diagnosed(reader.stream(stream, range)),
    readAll: (after, range) => diagnosed(reader.all(after, range)),
    subscribe: (after, options) =>
      subscription({ clients: subscriptions, credentials, reader, report }, after, options),
    head: () => diagnosed(reader.head()),
    truncateStream: (stream, before) => diagnosed(retention.truncate(stream, before)),
    deleteStream: (stream) => diagnosed(retention.delete(stream)),
    async close() {
      for (const ordered of orderings) ordered.stop();
      await Promise.allSettled([...underWay.values(), ...channelCalls]);
      watch?.stop();
      const all = [appends, channelled, reads, subscriptions];
      await Promise.all(all.map((clients) => clients.dispose()));
    },
  });
};

const clientOf = (address: string): EventStoreDBClient => {
  try {
    return EventStoreDBClient.connectionString(address);
  } catch (error) {
    throw unusable(error);
  }
};

/** The client's own message contains the connection string, so it is not passed on. */
const unusable = (error: unknown): TypeError =>
  new TypeError(
    error instanceof Error && /certificate|PEM|ASN/i.test(error.message)
      ? 'EVENTSTORE_URL names a certificate file that cannot be read'
      : 'EVENTSTORE_URL is no connection string: esdb://host:port?…',
  );
