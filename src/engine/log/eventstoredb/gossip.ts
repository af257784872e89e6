/** Who leads a cluster, as its servers tell each other, and over HTTP whoever asks. */
import { lookup } from 'node:dns/promises';
import { z } from 'zod';
import { LOG_GOSSIP_MAX_MS } from '../../limits.ts';
import { withTimeout } from '../../concurrency/timeout.ts';
import type { Address, Host } from './address.ts';
import { gossipAnswer, type Server } from './gossip-request.ts';

export interface Gossip {
  /**
   * The leader, `host:port`, in which most of the servers agree; `null` while there is none, or too
   * few answer. Each is given {@link LOG_GOSSIP_MAX_MS}. Never rejects.
   */
  leader(): Promise<string | null>;
}

const GossipBody = z.object({
  members: z.array(
    z.object({
      state: z.string(),
      isAlive: z.boolean(),
      httpEndPointIp: z.string(),
      httpEndPointPort: z.int(),
    }),
  ),
});

type Member = z.infer<typeof GossipBody>['members'][number];
/** What one server knows of all of them. */
type View = readonly Member[];

/** `null` for a server that is named alone: there is nobody to ask about it. */
export const gossipOf = (address: Address): Gossip | null => {
  const { hosts, discover } = address;
  if (hosts.length === 1 && !discover) return null;
  /** As the servers name each other; empty before the first answer. */
  let named: readonly Server[] = [];

  const given = async (): Promise<readonly Server[]> => {
    const found = async () => (await Promise.all(hosts.map(addressesOf))).flat();
    const all = discover
      ? await withTimeout<readonly Server[]>(found(), LOG_GOSSIP_MAX_MS, () => [])
      : hosts;
    return [...new Map(all.map((server) => [placeOf(server), server])).values()];
  };

  /** What a server knows of the others; `null` if it does not say. */
  const viewOf = async (server: Server): Promise<View | null> => {
    try {
      return GossipBody.parse(await gossipAnswer(server, address)).members;
    } catch {
      // It is gone, hangs, or is no such server: the others say who leads.
      return null;
    }
  };

  /** Of those that answer before enough of them agree: one that hangs is not awaited. */
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

  /** Never both: one that is reached under two names would have two votes. */
  const asked = async () => {
    const views = await viewsOf(named);
    return views.length > 0 ? views : viewsOf(await given());
  };

  const elected = async (): Promise<string | null> => {
    const views = await asked();
    const members = largestOf(views);
    if (members.length > 0) named = members.map(serverOf);
    return leaderBy(views);
  };

  return {
    async leader() {
      try {
        return await elected();
      } catch {
        // The name of the cluster cannot be looked up: nobody knows.
        return null;
      }
    },
  };
};

/** In whom more than half of all servers agree. */
const leaderBy = (views: readonly View[]): string | null => {
  const votes = views.flatMap((view) => {
    const leaders = view.filter(({ state, isAlive }) => isAlive && state === 'Leader');
    // Who sees two has not heard yet which of them was deposed.
    return leaders.length === 1 ? [placeOf(serverOf(leaders[0]!))] : [];
  });
  const majorityOf = largestOf(views).length / 2;
  const isElected = (place: string) => votes.filter((vote) => vote === place).length > majorityOf;
  return votes.find(isElected) ?? null;
};

const largestOf = (views: readonly View[]): View =>
  views.reduce((a, b) => (b.length > a.length ? b : a), []);

/** One name stands for all servers of the cluster. */
const addressesOf = async ({ host, port }: Host): Promise<readonly Server[]> =>
  (await lookup(host, { all: true })).map(({ address }) => ({ host, port, address }));

const serverOf = ({ httpEndPointIp: host, httpEndPointPort: port }: Member): Server => ({
  host,
  port,
});

const placeOf = ({ address, host, port }: Server): string => `${address ?? host}:${port}`;
