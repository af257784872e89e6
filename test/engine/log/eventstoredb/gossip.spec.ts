/** Finding the cluster's leader by gossip, with HTTP servers as fake nodes. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { addressOf } from '../../../../src/engine/log/eventstoredb/address.ts';
import { gossipOf } from '../../../../src/engine/log/eventstoredb/gossip.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** The gossip of a node; `hangs`: it accepts the connection and never answers. */
type Says = readonly (readonly [place: number, state: string])[] | 'hangs' | 'nonsense';

/** A fake node for each of `views`, in that order. */
const cluster = async (views: readonly Says[]) => {
  const asked = views.map(() => 0);
  const ports: number[] = [];
  for (const at of views.keys()) {
    const server = createServer((request, response) => {
      asked[at]! += 1;
      expect(request.url).toBe('/gossip?format=json');
      const view = views[at]!;
      if (view === 'hangs') return;
      if (view === 'nonsense') {
        response.end('<html>');
        return;
      }
      const members = view.map(([place, state]) => ({
        state: state.replace('dead ', ''),
        isAlive: !state.startsWith('dead'),
        httpEndPointIp: '127.0.0.1',
        httpEndPointPort: ports[place],
      }));
      response.end(JSON.stringify({ members }));
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ports.push((server.address() as AddressInfo).port);
  }
  const urlOf = (places: readonly number[]) =>
    `esdb://${places.map((place) => `127.0.0.1:${ports[place]}`).join(',')}?tls=false`;
  const gossip = (places = [...views.keys()]) => gossipOf(addressOf(urlOf(places)));
  return { asked, gossip, placeOf: (place: number) => `127.0.0.1:${ports[place]}` };
};

const led = (by: number): Says =>
  [0, 1, 2].map((place) => [place, place === by ? 'Leader' : 'Follower'] as const);

describe('the leader of a cluster', () => {
  it('is the one that its nodes name', async () => {
    const { gossip, placeOf } = await cluster([led(1), led(1), led(1)]);
    expect(await gossip()!.leader()).toBe(placeOf(1));
  });

  it('is named by the other nodes where one hangs, or they have elected another', async () => {
    const others: Says = [
      [0, 'dead Leader'],
      [1, 'Leader'],
      [2, 'Follower'],
    ];
    const { gossip, placeOf } = await cluster(['hangs', others, others]);
    expect(await gossip()!.leader()).toBe(placeOf(1));
  });

  it.each([
    ['fewer than half of the nodes answer', [led(0), 'hangs', 'nonsense']],
    ['the nodes disagree', [led(0), led(1), 'hangs']],
    ['an election is under way', [led(3), led(3), led(3)]],
    [
      'a node names two leaders',
      [
        led(0),
        [
          [0, 'Leader'],
          [1, 'Leader'],
          [2, 'Follower'],
        ],
        'hangs',
      ],
    ],
    ['no node answers', ['hangs', 'hangs', 'hangs']],
  ] satisfies [string, Says[]][])('is unknown while %s', async (_, views) => {
    const { gossip } = await cluster(views);
    expect(await gossip()!.leader()).toBeNull();
  });

  it('is also voted for by nodes that the connection string does not name', async () => {
    const { gossip, placeOf, asked } = await cluster([led(2), led(2), led(2)]);
    const some = gossip([0, 1])!;
    expect(await some.leader()).toBe(placeOf(2));
    expect(asked).toEqual([1, 1, 0]);
    expect(await some.leader()).toBe(placeOf(2));
    expect(asked).toEqual([2, 2, 1]);
  });

  it('is not looked up where the connection string names a single server', async () => {
    const { gossip } = await cluster([led(0)]);
    expect(gossip()).toBeNull();
  });
});
