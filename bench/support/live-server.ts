/**
 * The server of the live service's benchmark, in a separate process: the service on a log in memory
 * (`atrium`), or a loop over the connections of `ws` that sends the same text (`ws`).
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { WebSocketServer, type WebSocket } from 'ws';
import { LIVE_CONNECTIONS_MAX } from '../../src/api/live/limits.ts';
import { openLiveService } from '../../test/support/api/open-live-service.ts';
import { tell } from '../../test/support/webhooks/telemetry.ts';

export interface Told {
  readonly buildings: readonly string[];
  /** Messages per building. */
  readonly points: number;
}

export interface Usage {
  readonly cpuUs: number;
  readonly rssBytes: number;
  /** Longest blocking of the event loop since the last report. */
  readonly heldMs: number;
}

const pointIds = Array.from({ length: 5_000 }, () => randomUUID());
const space = randomUUID();
let value = 0;

const pointsOf = (count: number, observedAt: string) => {
  value += 1;
  return pointIds.slice(0, count).map((pointId) => ({
    pointId,
    elementId: space,
    spaceId: space,
    value,
    unit: '°C',
    observedAt,
  }));
};

const atrium = async () => {
  const bounds = {
    connectionsOfCallerMax: LIVE_CONNECTIONS_MAX,
    connectionsOfOrganisationMax: LIVE_CONNECTIONS_MAX,
  };
  const { log, address } = await openLiveService({ bounds });
  return {
    port: Number(new URL(address).port),
    async told({ buildings, points }: Told) {
      const at = new Date().toISOString();
      for (const buildingId of buildings)
        await tell(
          log,
          () => ({ type: 'PointsUpdated', buildingId, points: pointsOf(points, at) }),
          { buildingId, at },
        );
    },
  };
};

const plain = async () => {
  const rooms = new Map<string, WebSocket[]>();
  const server = createServer();
  const sockets = new WebSocketServer({ server, perMessageDeflate: false });
  sockets.on('connection', (socket, { url = '' }) => {
    const room = url.slice(1);
    rooms.set(room, [...(rooms.get(room) ?? []), socket]);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  let position = 0;
  return {
    port: (server.address() as AddressInfo).port,
    async told({ buildings, points }: Told) {
      const timestamp = new Date().toISOString();
      for (const buildingId of buildings)
        for (const point of pointsOf(points, timestamp)) {
          position += 1;
          const event = 'building.point.updated';
          const body = { event, data: { buildingId, ...point }, timestamp };
          const text = `42/buildings,${JSON.stringify([event, body, String(position)])}`;
          for (const socket of rooms.get(buildingId) ?? []) socket.send(text);
        }
    },
  };
};

const served = await (process.argv[2] === 'ws' ? plain() : atrium());
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();

/** Forces a garbage collection, whose cost must not count in any round. */
const aliveBytes = (): number => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

process.on('message', (message: Told | 'usage' | 'alive') => {
  if (message === 'alive') return void process.send?.(aliveBytes());
  if (message !== 'usage') return void served.told(message);
  const heldMs = delay.max / 1e6;
  const { user, system } = process.cpuUsage();
  const { rss } = process.memoryUsage();
  process.send?.({ cpuUs: user + system, rssBytes: rss, heldMs } satisfies Usage);
  delay.reset();
});
process.send?.({ port: served.port });
