/** Finds the leader of a cluster by the gossip that its servers publish over HTTP. */
import { lookup } from 'node:dns/promises';
import { LOG_GOSSIP_MAX_MS } from '../../limits.ts';
import { withTimeout } from '../../concurrency/timeout.ts';
import type { Address, Host } from './address.ts';
import { membersKnownTo, type Member, type Server } from './gossip-request.ts';

export interface Gossip {
  /**
   * The leader, `host:port`, by a majority of the servers; `null` while there is none, or too few
   * answer. Each has {@link LOG_GOSSIP_MAX_MS}. Never rejects.
   */
  leader(): Promise<string | null>;
}

/** One server's view of the cluster. */
type View = readonly Member[];

/** `null` for a single server: there is no other to ask about it. */
export const gossipOf = (address: Address): Gossip | null => {
  const { hosts, discover } = address;
  if (hosts.length === 1 && !discover) return null;
  /** Servers as listed in gossip; empty before the first answer. */
  let listed: readonly Server[] = [];

  const configured = async (): Promise<readonly Server[]> => {
    const resolved = async () => (await Promise.all(hosts.map(addressesOf))).flat();
    const servers = discover
      ? await withTimeout<readonly Server[]>(resolved(), LOG_GOSSIP_MAX_MS, () => [])
      : hosts;
    return [...new Map(servers.map((server) => [placeOf(server), server])).values()];
  };

  /** The view of a server; `null` if it does not answer. */
  const viewOf = async (server: Server): Promise<View | null> => {
    try {
      return await membersKnownTo(server, address);
    } catch {
      // It is down, hangs, or is no EventStoreDB: the others know the leader.
      return null;
    }
  };

  /** The views that arrive before a majority agrees: a server that hangs is not awaited. */
  const viewsOf = async (servers: readonly Server[]): Promise<readonly View[]> => {
    const views: View[] = [];
    const { promise: agreed, resolve: agree } = Promise.withResolvers<void>();
    const look = async (server: Server) => {
      const view = await viewOf(server);
      if (view) views.push(view);
      if (leaderBy(views) !== null) agree();
    };
    await Promise.race([agreed, Promise.all(servers.map(look))]);
    return views;
  };

  /** Never both lists: a server that is reached under two names would have two votes. */
  const currentViews = async () => {
    const views = await viewsOf(listed);
    return views.length > 0 ? views : viewsOf(await configured());
  };

  const elected = async (): Promise<string | null> => {
    const views = await currentViews();
    const members = largestOf(views);
    if (members.length > 0) listed = members.map(serverOf);
    return leaderBy(views);
  };

  return {
    async leader() {
      try {
        return await elected();
      } catch {
        // The name of the cluster cannot be resolved, so the leader is unknown.
        return null;
      }
    },
  };
};

/** The leader that more than half of all servers name. */
const leaderBy = (views: readonly View[]): string | null => {
  const votes = views.flatMap((view) => {
    const leaders = view.filter(({ state, isAlive }) => isAlive && state === 'Leader');
    // A server that sees two leaders has not noticed yet which one was deposed.
    return leaders.length === 1 ? [placeOf(serverOf(leaders[0]!))] : [];
  });
  const majorityOf = largestOf(views).length / 2;
  const isElected = (place: string) => votes.filter((vote) => vote === place).length > majorityOf;
  return votes.find(isElected) ?? null;
};

const largestOf = (views: readonly View[]): View =>
  views.reduce((a, b) => (b.length > a.length ? b : a), []);

/** Resolves the one name of all servers of the cluster. */
const addressesOf = async ({ host, port }: Host): Promise<readonly Server[]> =>
  (await lookup(host, { all: true })).map(({ address }) => ({ host, port, address }));

const serverOf = ({ httpEndPointIp: host, httpEndPointPort: port }: Member): Server => ({
  host,
  port,
});

const placeOf = ({ address, host, port }: Server): string => `${address ?? host}:${port}`;
