/**
 * The composition root: builds a platform from its parts. Two platforms in one process share only
 * those parts; a sandbox is another platform.
 */
import type { FastifyInstance } from 'fastify';
import { BUS_INTAKE } from './bus/nats/intake.ts';
import { healthRoutes } from './api/http/health.ts';
import { LARGE_BODIES } from './api/http/limits.ts';
import { createServer, type Answered, type TakeRequest } from './api/http/server.ts';
import { livePage } from './api/live/page.ts';
import type { LiveService } from './api/live/service.ts';
import { portalPages, type PortalOptions } from './api/portal/pages.ts';
import { takeUpgrades, type TakeUpgrade } from './api/http/upgrades.ts';
import { attachments } from './capabilities/attachments.ts';
import { buildings } from './capabilities/buildings.ts';
import { bus } from './capabilities/bus.ts';
import type { Capability } from './composition/capability.ts';
import { coreOf, type Core, type CoreParts } from './composition/core.ts';
import { releaseOf, type Release } from './composition/release.ts';
import { sessions } from './capabilities/sessions.ts';
import { erasures } from './capabilities/erasures.ts';
import { keys } from './capabilities/keys.ts';
import { live } from './capabilities/live.ts';
import { mcp } from './capabilities/mcp.ts';
import { operations, operationsTag } from './capabilities/operations.ts';
import { people } from './capabilities/people.ts';
import { presence } from './capabilities/presence.ts';
import { processShares } from './composition/process-shares.ts';
import { readiness } from './composition/readiness.ts';
import { publicReports } from './capabilities/public-reports.ts';
import { reports } from './capabilities/reports.ts';
import { sandboxes } from './capabilities/sandboxes.ts';
import { serviceDesk } from './capabilities/service-desk.ts';
import { telemetry } from './capabilities/telemetry.ts';
import { tickets } from './capabilities/tickets.ts';
import { views } from './capabilities/views.ts';
import { webhooks } from './capabilities/webhooks.ts';
import { workOrders } from './capabilities/work-orders.ts';
import type { Role } from './config/values.ts';
import { processId, projectionId } from './engine/consumers/consumer.ts';
import { leases as leasesIn, type Leases } from './engine/consumers/leases.ts';
import type { PlatformLog } from './engine/consumers/platform-log.ts';
import type { Releases } from './engine/consumers/releases.ts';
import {
  consumers as consumersOf,
  type ConsumerRunner,
  type Turn,
} from './engine/consumers/runtime.ts';
import { noFiles } from './files/no-files.ts';
import { keyringAnnouncements } from './identity/keys/key-use-log.ts';
import { systemClock, type Clock, type VirtualClock } from './engine/time/clock.ts';
import { STOP_NOTED_MS, STOP_REQUESTS_MS, STOP_TRAVEL_MS, SPACES_PAGE_MAX } from './limits.ts';
import type { Metrics } from './engine/observe/metrics.ts';
import type { ReadinessError } from './engine/observe/readiness-error.ts';
import { untraced } from './engine/observe/tracing.ts';
import { untrustedHttp as openUntrustedHttp } from './outbound/untrusted-http.ts';
import { personKeysIn } from './engine/personal/person-keys.ts';
import { isWrittenSealed } from './engine/personal/written-sealed.ts';
import { withTimeout } from './engine/concurrency/timeout.ts';
import { processControl } from './engine/control/process-control.ts';
import { processRuntime } from './engine/processes/processes.ts';
import { timeTravel } from './engine/control/time-travel.ts';
import { SANDBOX_ADVANCED_MAX_MS } from './processes/sandboxes/limits.ts';
import { streamSkip } from './processes/operations/stream-skip.ts';
import type { OnTheWay } from './engine/control/virtual-time.ts';
import { timers as timersOf, type Timers } from './engine/timers/timers.ts';
import { readModels, type ReadModels } from './engine/projections/read-models.ts';
import { cursorsIn } from './engine/log/cursors.ts';

/** All capabilities; routes are registered, and listed in /docs, in this order. */
export const capabilities: readonly Capability[] = [
  tickets,
  attachments,
  serviceDesk,
  people,
  views,
  presence,
  publicReports,
  workOrders,
  reports,
  erasures,
  sessions,
  keys,
  sandboxes,
  buildings,
  telemetry,
  webhooks,
  bus,
  live,
  mcp,
];

/** The release of this source. */
export const release = releaseOf(capabilities);

/** The defaults of optional parts are in {@link composePlatform}. */
export interface PlatformParts
  extends
    Pick<CoreParts, 'db' | 'identity' | 'keyAuthority' | 'secrets' | 'logger' | 'spacesPageMax'>,
    Partial<
      Pick<
        CoreParts,
        | 'isAlone'
        | 'tracing'
        | 'files'
        | 'erasureFiles'
        | 'personKeysTrustedMs'
        | 'untrustedHttp'
        | 'busPrefix'
        | 'nats'
        | 'telemetryRetentionDays'
        | 'permits'
        | 'importThreads'
        | 'httpBounds'
        | 'waits'
        | 'sandboxBuilder'
        | 'plantedFaults'
        | 'readOwnSandbox'
        | 'sandboxSizes'
        | 'browserSessions'
        | 'servesMcp'
      >
    > {
  /** The capabilities to compose. Default: {@link release}. */
  readonly release?: Release;
  /** A sandbox has fewer capabilities, and its owner can advance its clock. Default false. */
  readonly isSandbox?: boolean;
  readonly log: PlatformLog;
  /** May be virtual only if this platform runs all roles alone. */
  readonly clock: Clock | VirtualClock;
  /** Closed with the platform. Default: leases in the database, shared by all processes. */
  readonly leases?: Leases;
  readonly metrics: Metrics;
  /** Whether `/metrics` is among the routes. Default true; a sandbox never has it. */
  readonly showsMetrics?: boolean;
  readonly urls: Urls;
  /** Default: all. */
  readonly roles?: ReadonlySet<Role>;
  /** The releases that run beside this one. Default: none. */
  readonly releases?: Releases;
  /** Whether a virtual clock may be advanced over HTTP. Default false. */
  readonly timeTravel?: boolean;
  /** Called while the clock is advanced, in addition to due timers. Default: no call. */
  readonly onTheWay?: OnTheWay;
  /** Whether `/docs/live` is served, the page that shows buildings' live data. Default false. */
  readonly livePage?: boolean;
  /** Longest wait for an advance of the clock. Default {@link CLOCK_ANSWER_MAX_MS}. */
  readonly clockAnswerMaxMs?: number;
  /** The pages at `/`, and the issuer that they may call. Default: no pages. */
  readonly portal?: PortalOptions;
  readonly trustedProxies?: readonly string[];
  /** Deadline of requests without their own. Default {@link REQUEST_ANSWER_MAX_MS}. */
  readonly answerMaxMs?: number;
  /** Beyond this delay requests are refused; 0: never. Default {@link EVENT_LOOP_DELAY_MAX_MS}. */
  readonly eventLoopDelayMaxMs?: number;
  /** Whether the event loop is overloaded. Default: measured by this server. */
  readonly isUnderPressure?: () => boolean;
  /** Yields to other work during a long task. Default: until the next turn of the loop. */
  readonly giveWay?: () => Promise<unknown>;
  /** Waits for background work's turn in the event loop. Default: no wait. */
  readonly turn?: Turn;
  /** Generates `/openapi.json` from the routes instead of the committed file. Default false. */
  readonly generatesDocument?: boolean;
  /** Handles requests before this platform's own routes. Default: none. */
  readonly takeRequest?: TakeRequest;
  /** `takeRequest` for upgrades of connections. Default: none. */
  readonly takeUpgrade?: TakeUpgrade;
  /** Called after each answer, except to probes. Must return at once. Default: no call. */
  readonly onAnswered?: (answered: Answered) => void;
  /** Further routes, such as the development issuer's. */
  readonly mount?: (app: FastifyInstance) => Promise<void>;
}

export interface Urls {
  /** Without a trailing slash. */
  readonly publicUrl: string;
  readonly corsOrigins: readonly string[];
  /** Host and port of sandboxes' addresses, after the slug. */
  readonly sandboxHost: string;
}

export interface Platform extends Pick<Core, 'graph' | 'tickets' | 'desks' | 'numbers' | 'outbox'> {
  /** Due time of the next timer, by the platform's clock; `null`: none. */
  nextDueAt: Timers['earliest'];
  /** Whether the clock is being advanced. */
  isAdvancing(): boolean;
  /** Not listening yet. */
  readonly app: FastifyInstance;
  readonly readModels: ReadModels;
  /** A sandbox's live service, for the listener of its process; `null`: it has a listener. */
  readonly live: LiveService | null;
  /**
   * Registers the processes at the log's head, so that they skip earlier events. Idempotent;
   * {@link start} calls it too, once the log is available.
   *
   * @throws `LogUnavailable`.
   */
  register(): Promise<void>;
  /** Starts the roles; resolves at once. */
  start(): void;
  /** Why it cannot serve requests; empty when it can. */
  reasons(): Promise<readonly ReadinessError[]>;
  /** After the start: true once the database is found to be fed from this log; false: stopped. */
  readonly prepared: Promise<boolean>;
  /** Reports not ready, and closes each connection after its answer; still serves requests. */
  drain(): void;
  /**
   * Drains, finishes the requests in progress, then ends the roles. Every acknowledged command is
   * in the log. The parts passed in stay open.
   */
  stop(): Promise<void>;
}

/** The default roles of a process. */
const ALL_ROLES: ReadonlySet<Role> = new Set(['api', 'projections', 'processes', 'sandboxes']);

export const composePlatform = async (parts: PlatformParts): Promise<Platform> => {
  const { db, clock, logger, urls, metrics, roles = ALL_ROLES, isSandbox = false } = parts;
  const { isAlone = false, tracing = untraced, nats = null } = parts;
  const composedOf = parts.release ?? release;
  const { terms } = composedOf;
  const {
    capabilities: included,
    projections,
    processes: processNames,
    timers: dueTables,
  } = isSandbox ? composedOf.inSandboxes : composedOf;
  const { log, appends, watch } = parts.log;
  /** Readiness reports not ready, and answers close their connections. */
  const draining = new AbortController();
  /** New requests are no longer accepted. */
  const stopping = new AbortController();
  /** The roles start no new work. */
  const ending = new AbortController();
  /** The tasks that run until `ending` aborts, by name. */
  const running = new Map<string, Promise<void>>();

  const { untrustedHttp = openUntrustedHttp({ allowPrivate: false }) } = parts;
  const { leases = leasesIn({ db, logger }) } = parts;
  const consumers = consumersOf({
    log,
    db,
    leases,
    clock,
    logger,
    tracing,
    isAlone,
    ...(parts.releases ? { releases: parts.releases } : {}),
    ...(parts.turn ? { turn: parts.turn } : {}),
  });
  const models = readModels({ projections, consumers });
  const personKeys =
    parts.log.personKeys ??
    personKeysIn({ pool: db.pool, secrets: parts.secrets, clock: systemClock });
  const { browserSessions = null } = parts;
  const core = coreOf({
    browserSessions,
    ...processShares(),
    busPrefix: 'atrium',
    telemetryRetentionDays: null,
    plantedFaults: null,
    readOwnSandbox: null,
    servesMcp: false,
    erasureFiles: null,
    trustedProxies: [],
    ...parts,
    log,
    isAlone,
    isSandbox,
    tracing,
    nats,
    keyUses: keyringAnnouncements({ log, clock }),
    publicUrl: urls.publicUrl,
    corsOrigins: urls.corsOrigins,
    untrustedHttp,
    files: parts.files ?? noFiles,
    isWrittenSealed: () => isWrittenSealed(parts.log.versions, composedOf.eventTypes),
    personKeys,
    consumers,
    models,
    cursors: async () => cursorsIn(log, await watch.timelines()),
    processNames,
    stopping: stopping.signal,
    sandboxApiUrlOf: sandboxUrls(urls),
    sandboxHost: urls.sandboxHost,
    sandboxBuilder: (roles.has('sandboxes') && parts.sandboxBuilder) || null,
  });
  const composed = included.map(({ compose }) => compose(core));
  const work = composed.flatMap(({ runners = [] }) => runners);
  const hosting = composed.flatMap((capability) => capability.hosting ?? []);
  const allProcesses = [...composed.flatMap((one) => one.processes ?? []), ...hosting];
  for (const { name, categories } of allProcesses) terms.assertDeclared(categories, name);
  const processes = processRuntime({ processes: allProcesses, consumers });
  const isHosted = ({ consumer }: ConsumerRunner) =>
    hosting.some(({ name }) => processId(name) === consumer);
  const timers = timersOf({
    tables: composed.flatMap((capability) => capability.timers ?? []),
    wakers: composed.flatMap((capability) => capability.wakers ?? []),
    consumers,
  });
  const control = processControl({
    processes: [...processNames, ...(nats ? [BUS_INTAKE] : [])],
    timers: dueTables,
    consumers,
    ...(nats ? { behind: { [BUS_INTAKE]: () => nats.behind() } } : {}),
  });
  const start = readiness({
    ...parts,
    log,
    models,
    control,
    appends,
    watch,
    personKeys,
    degradable: composed.flatMap((one) => one.degradable ?? []),
    processNames,
    nats,
    stopping: draining.signal,
  });
  metrics.own.readiness(start);
  metrics.lagFrom(start.looks.models);
  metrics.processesFrom(start.looks.processes);

  const travel = timeTravel({
    log,
    clock,
    logger,
    models,
    processes,
    control,
    timers,
    ...(parts.onTheWay ? { onTheWay: parts.onTheWay } : {}),
    runsAll: ALL_ROLES.size === roles.size,
    ...(isSandbox ? { windowMaxMs: SANDBOX_ADVANCED_MAX_MS } : {}),
    turn: consumers.turn,
    ...(parts.clockAnswerMaxMs === undefined ? {} : { answerMaxMs: parts.clockAnswerMaxMs }),
    stopping: stopping.signal,
  });

  const app = await createServer(
    {
      ...parts,
      sessions: browserSessions?.at(urls.publicUrl),
      desks: core.desks,
      publicUrl: urls.publicUrl,
      ...(isSandbox ? {} : { sandboxHost: urls.sandboxHost }),
      corsOrigins: urls.corsOrigins,
      trustedProxies: core.trustedProxies,
      largeBodies: core.permits(LARGE_BODIES),
      httpBounds: core.httpBounds,
      draining: draining.signal,
      onCaller: composed.flatMap((one) => one.onCaller ?? []),
      ...(parts.spacesPageMax < SPACES_PAGE_MAX && {
        pageMaxima: { listSpaces: parts.spacesPageMax },
      }),
      tags: [...included.flatMap(({ tag }) => tag ?? []), operationsTag],
    },
    async (server) => {
      // The host of a sandbox is public.
      const exposedMetrics = parts.showsMetrics === false || isSandbox ? null : metrics;
      await server.register(healthRoutes, {
        readiness: start,
        metrics: exposedMetrics,
      });
      if (parts.mount) await server.register(parts.mount);
      if (!roles.has('api')) return;
      if (parts.livePage) await server.register(livePage);
      if (parts.portal) await server.register(portalPages, parts.portal);
      for (const { routes } of composed) if (routes) await routes(server);
      await operations(server, {
        models,
        control,
        feedControl: core.feedControl,
        streamSkip: streamSkip({
          consumers,
          ids: [...projections.map(projectionId), ...processNames.map(processId)],
          feed: core.feedControl,
        }),
        travel: parts.timeTravel ? travel : null,
        isSandbox,
      });
    },
  );

  const upgrades = roles.has('api') ? composed.flatMap((one) => one.takeUpgrade ?? []) : [];
  takeUpgrades(app.server, [...(parts.takeUpgrade ? [parts.takeUpgrade] : []), ...upgrades]);

  const prepared = Promise.withResolvers<boolean>();
  const runRoles = async () => {
    await start.prepare(ending.signal);
    prepared.resolve(!ending.signal.aborted);
    if (ending.signal.aborted) return;
    const runners = [
      ...(roles.has('projections') ? models.runners : []),
      ...(roles.has('processes')
        ? [...processes.runners.filter((runner) => !isHosted(runner)), ...timers.runners, ...work]
        : []),
      ...(roles.has('sandboxes') ? processes.runners.filter(isHosted) : []),
    ];
    await Promise.all([
      consumers.start(runners, AbortSignal.any([ending.signal, watch.changed])),
      watch.run(ending.signal),
    ]);
  };

  return {
    app,
    graph: core.graph,
    tickets: core.tickets,
    desks: core.desks,
    numbers: core.numbers,
    outbox: core.outbox,
    readModels: models,
    live: composed.flatMap((one) => one.live ?? [])[0] ?? null,
    nextDueAt: timers.earliest,
    isAdvancing: () => travel.isAdvancing,
    prepared: prepared.promise,
    register: start.register,
    reasons: start.reasons,

    start() {
      // The trace of a request that starts a sandbox must not continue in its background work.
      tracing.apart(() => {
        if (parts.releases)
          running.set('registration', parts.releases.keepRegistered(ending.signal));
        for (const [index, { background }] of composed.entries())
          if (background) running.set(`background ${index}`, background(ending.signal));
        running.set('roles', runRoles());
      });
    },

    drain: () => draining.abort(),

    async stop() {
      draining.abort();
      stopping.abort();
      const unended = new Set(['requests']);
      const noted = setTimeout(() => {
        logger.warn({ unended: [...unended, ...consumers.held()] }, 'the stop takes long');
      }, STOP_NOTED_MS);
      const closed = app.close().finally(() => unended.delete('requests'));
      // Requests in progress may wait for the read models, which therefore end later. A log or a
      // database that is away delays them by their timeouts, which must not add up.
      await withTimeout(settled(closed), STOP_REQUESTS_MS, () => {});
      await withTimeout(settled(travel.ended()), STOP_TRAVEL_MS, () => {});
      ending.abort();
      for (const name of running.keys()) unended.add(name);
      await Promise.allSettled(
        Array.from(running, ([name, end]) => end.finally(() => unended.delete(name))),
      );
      await leases.close();
      await settled(closed);
      if (parts.untrustedHttp === undefined) await untrustedHttp.close();
      clearTimeout(noted);
      await closed;
      await Promise.all(running.values());
    },
  };
};

/** Resolves when `work` has ended, also with an error. */
const settled = (work: Promise<void>): Promise<void> => work.catch(() => {});

/** `https://my-sandbox-k3x9f2.sandbox.example.com`, with the protocol of the public URL. */
export const sandboxUrls =
  ({ publicUrl, sandboxHost }: Urls) =>
  (slug: string): string =>
    `${new URL(publicUrl).protocol}//${slug}.${sandboxHost}`;
