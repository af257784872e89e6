/** The live service without a platform: over a log in memory, behind its own listener. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { liveServer, type LiveServerParts } from '../../../src/api/live/server.ts';
import { logReader } from '../../../src/engine/consumers/log-reader.ts';
import { Unauthenticated } from '../../../src/identity/caller.ts';
import { keyUseLog } from '../../../src/identity/keys/key-use-log.ts';
import { keyAuthority, type KeyAuthorityParts } from '../../../src/identity/keys/authority.ts';
import type { SessionsAt } from '../../../src/identity/sessions/sessions.ts';
import { permissionsOf } from '../../../src/identity/permissions.ts';
import { systemClock, type Clock } from '../../../src/engine/time/clock.ts';
import { liveMetrics } from '../../../src/api/live/metrics.ts';
import { metricsOf } from '../../../src/engine/observe/metrics.ts';
import type { EventStore } from '../../../src/engine/log/event-store.ts';
import { currentVersions } from '../log/keys.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';

export interface LiveService {
  readonly address: string;
  readonly log: EventStore;
  /** The value of the metric with this name and labels, as printed; 0 if absent. */
  measured(name: string): Promise<number>;
  /** Open TCP connections. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

export interface LiveServiceOptions {
  readonly bounds?: NonNullable<LiveServerParts['bounds']>;
  /** Id of each building → its organisation. Default: every building is acme's. */
  readonly buildings?: ReadonlyMap<string, string>;
  readonly scopes?: KeyAuthorityParts['scopes'];
  /** Called before each page that a replay reads. Default: nothing. */
  readonly beforeRead?: () => Promise<void>;
  /** Called before each key check. */
  readonly beforeKeyCheck?: () => Promise<void>;
  /** By which keys expire. Default: the system's. */
  readonly clock?: Clock;
  /** The name of the log's timeline, as if it had been restored. Default: it has none. */
  readonly timeline?: string;
  /** Default: none. */
  readonly trustedProxies?: readonly string[];
  /** The access token of every cookie's session. Default: cookies are no credential. */
  readonly tokenOfCookie?: () => string;
}

/** A fake access token: its organisation and its subject. */
export const sessionOf = (organisation: string, who: string): string => `${organisation} ${who}`;

const NAMELESS = { externalId: null, sourceSystem: null, models: [] };

export const openLiveService = async (options: LiveServiceOptions = {}): Promise<LiveService> => {
  const {
    bounds = {},
    buildings,
    scopes,
    clock = systemClock,
    beforeKeyCheck,
    tokenOfCookie,
  } = options;
  const stored = memoryEventStore();
  const log: EventStore = {
    ...stored,
    async readAll(after, range) {
      await options.beforeRead?.();
      return stored.readAll(after, range);
    },
  };
  const logger = pino({ level: 'silent' });
  const metrics = metricsOf({ process: false });
  const uses = keyUseLog({ log, clock, versions: currentVersions });
  const keys = keyAuthority({ log, uses, clock, logger, ...(scopes ? { scopes } : {}) });
  const live = liveServer({
    log,
    reader: logReader({ log }),
    graph: {
      building: async (organisation, id) =>
        (buildings ? buildings.get(id) : 'acme') === organisation
          ? { ...NAMELESS, id, code: 'B', name: 'B', site: SITE }
          : null,
    },
    identity: {
      issuer: 'http://issuer.test',
      callerOf: async (token) => callerIn(token),
      ready: async () => true,
      reachable: () => true,
    },
    keyAuthority: {
      async check(token, use) {
        await beforeKeyCheck?.();
        return keys.check(token, use);
      },
    },
    origins: [PORTAL],
    trustedProxies: options.trustedProxies ?? [],
    ...(tokenOfCookie ? { sessions: sessionsBy(tokenOfCookie) } : {}),
    metrics: liveMetrics(metrics),
    logger,
    bounds,
    timeline: async () => options.timeline ?? null,
  });
  const server = createServer((request, response) => live.request(request, response));
  server.on('upgrade', (request, socket, head) => live.upgrade(request, socket, head));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    async close() {
      await live.close();
      server.close();
      await log.close();
    },
    connections: () => promisify(server.getConnections.bind(server))(),
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    log,
    async measured(name) {
      const line = (await metrics.print()).split('\n').find((one) => one.startsWith(`${name} `));
      return Number(line?.slice(name.length + 1) ?? 0);
    },
  };
};

const PORTAL = 'http://portal.test';

const HOUR_MS = 3_600_000;

const unused = () => Promise.reject(new Error('not used by the live service'));

const sessionsBy = (tokenOfCookie: () => string): SessionsAt => ({
  origin: PORTAL,
  cookieIn: ({ cookie }) => cookie ?? null,
  open: async () => ({
    sessionId: 'session',
    subject: 'subject',
    accessToken: tokenOfCookie(),
    expiresAt: new Date(Date.now() + HOUR_MS).toISOString(),
  }),
  beginSignIn: unused,
  finishSignIn: unused,
  signOut: unused,
  list: unused,
  end: unused,
});

const SITE = { id: 'c3f6f0ee-54a5-4a53-8f5a-0d6f5b9d3c22', code: 'S', name: 'S' };

const callerIn = (token: string) => {
  const [organisation, who] = token.split(' ');
  if (!organisation || !who) throw new Unauthenticated('This is no token.');
  const roles = ['viewer'];
  return {
    actor: { kind: 'user' as const, id: who },
    organisation,
    roles,
    permissions: permissionsOf(roles),
    person: true,
  };
};
