/**
 * The one composition root: everything a platform is made of, from the parts it is handed. Two
 * platforms in one process share nothing but those parts; a sandbox is one more of them.
 */
import type { FastifyInstance } from 'fastify';
import { healthRoutes } from './api/http/health.ts';
import { createServer } from './api/http/server.ts';
import { buildings } from './capabilities/buildings.ts';
import { bus } from './capabilities/bus.ts';
import type { Capability } from './capabilities/capability.ts';
import { coreOf, type Core } from './capabilities/core.ts';
import { keys } from './capabilities/keys.ts';
import { operations } from './capabilities/operations.ts';
import { retention } from './capabilities/retention.ts';
import { sandboxes } from './capabilities/sandboxes.ts';
import { serviceDesk } from './capabilities/service-desk.ts';
import { telemetry } from './capabilities/telemetry.ts';
import { tickets } from './capabilities/tickets.ts';
import { webhooks } from './capabilities/webhooks.ts';
import { workOrders } from './capabilities/work-orders.ts';
import type { Role } from './config.ts';
import { leases as leasesIn } from './consumers/leases.ts';
import { consumers as consumersOf } from './consumers/runtime.ts';
import type { Database } from './db/pool.ts';
import type { Identity } from './identity/caller.ts';
import type { KeyAuthority } from './identity/keys/key-authority.ts';
import type { Clock, VirtualClock } from './ops/clock.ts';
import type { Logger } from './ops/logging.ts';
import type { Metrics } from './ops/metrics.ts';
import type { Secrets } from './ops/secrets.ts';
import { strangers as strangersOf, type Strangers } from './outbound/strangers.ts';
import { processControl } from './processes/process-control.ts';
import { processRuntime } from './processes/processes.ts';
import { timeTravel } from './processes/time-travel.ts';
import type { DueTable } from './processes/timer-table.ts';
import { timers as timersOf } from './processes/timers.ts';
import type { AnyProjection } from './projections/projection.ts';
import { readModels, type ReadModels } from './projections/read-models.ts';
import { readiness } from './capabilities/readiness.ts';
import type { EventStore } from './store/event-store.ts';
import { watchedAppends } from './store/watched-appends.ts';

/** Everything that Atrium can do; routes are registered in this order. */
const capabilities: readonly Capability[] = [
  tickets,
  serviceDesk,
  workOrders,
  keys,
  sandboxes,
  buildings,
  telemetry,
  webhooks,
  bus,
  retention,
];

/**
 * The read models of this release, each in the version that it feeds and reads. An older release
 * beside it goes on with its own.
 */
export const releasedProjections: readonly AnyProjection[] = capabilities.flatMap(
  ({ projections = [] }) => projections,
);

/** The processes and timers of this release. */
export const releasedProcesses: readonly string[] = capabilities.flatMap(
  ({ processes = [] }) => processes,
);
export const releasedTimers: readonly DueTable[] = capabilities.flatMap(
  ({ timers = [] }) => timers,
);

export interface PlatformParts {
  readonly log: EventStore;
  /** Migrated: see `migrate` in src/db/migrate.ts. */
  readonly db: Database;
  /** A virtual one only where this platform runs all roles alone. */
  readonly clock: Clock | VirtualClock;
  readonly identity: Identity;
  readonly keyAuthority: KeyAuthority;
  readonly secrets: Secrets;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly urls: Urls;
  /** Default: all. */
  readonly roles?: ReadonlySet<Role>;
  readonly spacesPageMax: number;
  /** For hosts that others have named. Default: one that reaches the public Internet alone. */
  readonly strangers?: Strangers;
  /** Before every subject of the bus. Default `atrium`. */
  readonly busPrefix?: string;
  /** Telemetry that is older is forgotten. Default: none is. */
  readonly telemetryRetentionDays?: number | null;
  /** Whether the clock may be moved over HTTP, where it is a virtual one. Default false. */
  readonly timeTravel?: boolean;
  readonly trustedProxies?: readonly string[];
  /** Of requests that have no deadline of their own. Default {@link REQUEST_ANSWER_MAX_MS}. */
  readonly answerMaxMs?: number;
  /** Further routes, such as the development issuer's. */
  readonly mount?: (app: FastifyInstance) => Promise<void>;
}

export interface Urls {
  /** Without a trailing slash. */
  readonly publicUrl: string;
  readonly corsOrigins: readonly string[];
}

export interface Platform extends Pick<Core, 'graph' | 'tickets' | 'desks' | 'numbers'> {
  /** Not listening yet. */
  readonly app: FastifyInstance;
  readonly readModels: ReadModels;
  /** Starts the roles; resolves at once. */
  start(): void;
  /**
   * Readiness goes first, then requests are finished, then the roles end. What was answered is in
   * the log. The parts that were handed in stay open.
   */
  stop(): Promise<void>;
}

/** Every role there is: what a process does unless it is told otherwise. */
const ALL_ROLES: ReadonlySet<Role> = new Set(['api', 'projections', 'processes']);

export const composePlatform = async (parts: PlatformParts): Promise<Platform> => {
  const { db, clock, logger, urls, metrics, roles = ALL_ROLES } = parts;
  const appends = watchedAppends(parts.log);
  const { log } = appends;
  /** No new requests. */
  const stopping = new AbortController();
  /** No new work for the roles. */
  const ending = new AbortController();
  const running: Promise<void>[] = [];

  const { strangers = strangersOf({ allowPrivate: false }) } = parts;
  const leases = leasesIn({ db, logger });
  const consumers = consumersOf({ log, db, leases, clock, logger });
  const models = readModels({ projections: releasedProjections, consumers });
  const core = coreOf({
    log,
    db,
    clock,
    logger,
    secrets: parts.secrets,
    strangers,
    consumers,
    models,
    processNames: releasedProcesses,
    stopping: stopping.signal,
    spacesPageMax: parts.spacesPageMax,
    busPrefix: parts.busPrefix ?? 'atrium',
    telemetryRetentionDays: parts.telemetryRetentionDays ?? null,
  });
  const composed = capabilities.map(({ compose }) => compose(core));
  const work = composed.flatMap(({ runners = [] }) => runners);
  const processes = processRuntime({
    processes: composed.flatMap((capability) => capability.processes ?? []),
    consumers,
  });
  const timers = timersOf({
    tables: composed.flatMap((capability) => capability.timers ?? []),
    consumers,
  });
  const control = processControl({
    processes: releasedProcesses,
    timers: releasedTimers,
    consumers,
  });
  const start = readiness({
    ...parts,
    log,
    models,
    appends,
    processNames: releasedProcesses,
    stopping: stopping.signal,
  });
  metrics.lagFrom(() => models.status());
  metrics.processesFrom(() => control.status());

  const advance = timeTravel({
    log,
    clock,
    models,
    processes,
    control,
    timers,
    runsAll: ALL_ROLES.size === roles.size,
  });

  const app = await createServer(
    {
      ...parts,
      publicUrl: urls.publicUrl,
      corsOrigins: urls.corsOrigins,
      trustedProxies: parts.trustedProxies ?? [],
    },
    async (server) => {
      await server.register(healthRoutes, { reasons: start.reasons, metrics });
      if (parts.mount) await server.register(parts.mount);
      if (!roles.has('api')) return;
      for (const { routes } of composed) if (routes) await routes(server);
      await operations(server, {
        models,
        control,
        clock,
        advance: parts.timeTravel ? advance : null,
      });
    },
  );

  const runRoles = async () => {
    await start.prepare(ending.signal);
    if (ending.signal.aborted) return;
    const runners = [
      ...(roles.has('projections') ? models.runners : []),
      ...(roles.has('processes') ? [...processes.runners, ...timers.runners, ...work] : []),
    ];
    await consumers.start(runners, ending.signal);
  };

  return {
    app,
    graph: core.graph,
    tickets: core.tickets,
    desks: core.desks,
    numbers: core.numbers,
    readModels: models,

    start() {
      for (const { background } of composed)
        if (background) running.push(background(ending.signal));
      running.push(runRoles());
    },

    async stop() {
      stopping.abort();
      try {
        // What is under way still waits for the read models: they end after it.
        await app.close();
      } finally {
        ending.abort();
        await Promise.allSettled(running);
        await leases.close();
        if (parts.strangers === undefined) await strangers.close();
      }
      await Promise.all(running);
    },
  };
};
