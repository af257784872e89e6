/**
 * The one composition root: everything a platform is made of, from the parts it is handed. Two
 * platforms in one process share nothing but those parts; a sandbox is one more of them.
 */
import type { FastifyInstance } from 'fastify';
import { buildingRoutes } from './api/buildings/routes.ts';
import { busRoutes } from './api/bus/routes.ts';
import { changeRoutes } from './api/tickets/changes.ts';
import { clockRoutes } from './api/clock/routes.ts';
import { deskRoutes } from './api/service-desk/routes.ts';
import { occasionsOf } from './api/auth/authenticate.ts';
import { healthRoutes } from './api/http/health.ts';
import { keyAuditRoutes } from './api/keys/audit.ts';
import { keyRoutes } from './api/keys/routes.ts';
import { operationsRoutes } from './api/operations/routes.ts';
import { sandboxRoutes } from './api/sandboxes/routes.ts';
import { createServer } from './api/http/server.ts';
import { ticketLookupRoutes } from './api/tickets/lookup.ts';
import { ticketRoutes } from './api/tickets/routes.ts';
import { logBus } from './bus/log/bus.ts';
import { busPage } from './bus/log/page.ts';
import type { Role } from './config.ts';
import type { Graph } from './graph/graph.ts';
import { postgresGraph } from './graph/postgres-graph.ts';
import { ownership } from './consumers/leases.ts';
import type { Database } from './db/pool.ts';
import { retentionAfter, retentionDecider } from './domain/retention/retention.ts';
import type { TicketCommand } from './domain/ticket/commands.ts';
import { ticketDecider } from './domain/ticket/ticket.ts';
import { viewAfter, type TicketView } from './domain/ticket/view.ts';
import { workOrderAfter, workOrderDecider } from './domain/work-order/work-order.ts';
import type { Identity } from './identity/caller.ts';
import type { KeyAuthority } from './identity/keys/key-authority.ts';
import { COMMAND_VISIBLE_WAIT_MS, READINESS_ANSWER_MAX_MS } from './limits.ts';
import type { Clock, VirtualClock } from './ops/clock.ts';
import { inTime } from './ops/timeout.ts';
import type { Logger } from './ops/logging.ts';
import type { Metrics } from './ops/metrics.ts';
import type { Secrets } from './ops/secrets.ts';
import { journalExpiry, journalRetention, retentionCodec } from './processes/journal-retention.ts';
import type { Give } from './processes/process.ts';
import { processRuntime, together } from './processes/processes.ts';
import { registration } from './processes/registration.ts';
import { releasedProjections } from './released-projections.ts';
import { ticketPublishing } from './processes/ticket-publishing.ts';
import { ticketRelocation } from './processes/ticket-relocation.ts';
import { ticketSla } from './processes/ticket-sla.ts';
import { timeTravel } from './processes/time-travel.ts';
import { timers } from './processes/timers.ts';
import { takeWorkOrderEvent, workOrderIntake } from './processes/work-order-intake.ts';
import { workOrderLinking } from './processes/work-order-linking.ts';
import { auditQueries } from './projections/keys/audit-queries.ts';
import { changeFeed } from './feed/feed.ts';
import { parkedQueries } from './projections/bus/parked-queries.ts';
import { readModels, type ReadModels } from './projections/read-models.ts';
import { ticketChanges } from './feed/ticket-changes.ts';
import { ticketQueries } from './projections/tickets/queries.ts';
import { ticketSearch } from './projections/tickets/search.ts';
import { aggregate, type Aggregate } from './store/aggregate.ts';
import { adoption } from './consumers/log-change.ts';
import { sweepAnnouncements } from './graph/outbox-relay.ts';
import { numberingCodec, ticketCodec, workOrderCodec } from './store/codecs.ts';
import { desks, type Desks } from './store/repositories/service-desks.ts';
import type { EventStore } from './store/event-store.ts';
import { keyrings as keyringsIn } from './store/repositories/keyrings.ts';
import { numbers, type Numbers } from './store/repositories/ticket-numbers.ts';
import { watchedAppends } from './store/watched-appends.ts';

export interface PlatformParts {
  readonly log: EventStore;
  /** Migrated: see `migrate` in src/db/migrate.ts. */
  readonly db: Database;
  /** Of the same database, for the connections that must be a platform's own. */
  readonly databaseUrl: string;
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
  /** Before every subject of the bus. Default `atrium`. */
  readonly busPrefix?: string;
  /** Whether the clock may be moved over HTTP, where it is a virtual one. Default false. */
  readonly timeTravel?: boolean;
  readonly trustedProxies?: readonly string[];
  /** Further routes, such as the development issuer's. */
  readonly mount?: (app: FastifyInstance) => Promise<void>;
}

export interface Urls {
  /** Without a trailing slash. */
  readonly publicUrl: string;
  readonly corsOrigins: readonly string[];
}

export interface Platform {
  /** Not listening yet. */
  readonly app: FastifyInstance;
  readonly graph: Graph;
  readonly tickets: Aggregate<TicketCommand, TicketView>;
  readonly desks: Desks;
  readonly numbers: Numbers;
  readonly readModels: ReadModels;
  /** Starts the roles; resolves at once. */
  start(): void;
  /**
   * Readiness goes first, then requests are finished, then the roles end. What was answered is in
   * the log. The parts that were handed in stay open.
   */
  stop(): Promise<void>;
}

/** The aggregates that processes and timers may address, by category. */
const giver =
  (aggregates: Readonly<Record<string, Pick<Aggregate<never, unknown>, 'give'>>>): Give =>
  (to, id, { command, ...given }, occasion) => {
    const addressed = aggregates[to];
    if (!addressed) throw new Error(`no aggregate is called ${to}`);
    // Processes name the aggregate by its category: that its command is one of it, their tests say.
    return addressed.give(id, { ...given, command: command as never }, occasion);
  };

/** Every role there is: what a process does unless it is told otherwise. */
const ALL_ROLES: ReadonlySet<Role> = new Set(['api', 'projections', 'processes']);

export const composePlatform = async (parts: PlatformParts): Promise<Platform> => {
  const { db, clock, logger, metrics, urls, roles = ALL_ROLES } = parts;
  const appends = watchedAppends(parts.log);
  const { log } = appends;
  /** No new requests. */
  const stopping = new AbortController();
  /** No new work for the roles. */
  const ending = new AbortController();
  const running: Promise<void>[] = [];

  const owners = ownership({ url: parts.databaseUrl, logger });
  const queries = ticketQueries(db);
  const audit = auditQueries(db, clock);
  const models = readModels({
    projections: releasedProjections,
    log,
    db,
    ownership: owners,
    clock,
    logger,
  });
  metrics.lagFrom(async () =>
    (await models.status()).map(({ name, version, lagEvents, lagSeconds, parked }) => ({
      name,
      version,
      events: lagEvents,
      seconds: lagSeconds,
      parked,
    })),
  );

  let announced = () => {};
  const graph = postgresGraph(db.pool, () => announced());
  const tickets = aggregate({
    log,
    category: 'ticket',
    codec: ticketCodec,
    decider: ticketDecider,
    viewAfter,
  });
  const keyrings = keyringsIn(log);
  const serviceDesks = desks(log);
  const ticketNumbers = numbers({ log, codec: numberingCodec });
  const retentions = aggregate({
    log,
    category: 'retention',
    codec: retentionCodec,
    decider: retentionDecider,
    viewAfter: retentionAfter,
  });
  const workOrders = aggregate({
    log,
    category: 'workOrder',
    codec: workOrderCodec,
    decider: workOrderDecider,
    viewAfter: workOrderAfter,
  });
  const linking = workOrderLinking({ tickets, desks: serviceDesks });
  const bus = logBus({
    log,
    db,
    ownership: owners,
    clock,
    logger,
    expected: [workOrderIntake.name, linking.name],
  });
  const takeWorkOrders = (signal: AbortSignal) =>
    bus.consume({ ...workOrderIntake, signal }, takeWorkOrderEvent({ tickets, workOrders, clock }));
  const give = giver({ ticket: tickets, retention: retentions });
  const changes = ticketChanges(log);
  const processes = [
    ticketRelocation({ graph, queries, models }),
    journalRetention,
    linking,
    ticketPublishing(changes),
  ];
  const registering = registration({
    names: [workOrderIntake.name, ...processes.map(({ name }) => name)],
    log,
    clock,
    logger,
  });
  const reacting = processRuntime({
    processes,
    publish: bus.publish,
    log,
    db,
    ownership: owners,
    give,
    clock,
    logger,
  });
  const due = timers({
    tables: [journalExpiry, ...ticketSla],
    log,
    db,
    ownership: owners,
    models,
    give,
    clock,
    logger,
  });

  const adopting = adoption({ log, db, logger });
  const startRoles = async () => {
    await adopting.adopt(ending.signal);
    await registering.register(ending.signal);
    await Promise.all([
      ...(roles.has('projections') ? [models.start(ending.signal)] : []),
      ...(roles.has('processes')
        ? [reacting, due]
            .map((role) => role.start(ending.signal))
            .concat(takeWorkOrders(ending.signal))
        : []),
    ]);
  };

  const reasons = async (): Promise<readonly string[]> => {
    if (stopping.signal.aborted) return ['stopping'];
    const adopted = adopting.ready();
    // Until then, whatever the checkpoints say may be about another log.
    if (adopted !== true) return [adopted];
    const [shown, signedIn, logged] = await Promise.all([
      answered(models.ready(), 'the read models'),
      answered(parts.identity.ready(), 'the identity provider'),
      answered(
        log.head().then(
          () => true as const,
          (error: unknown) => (error as Error).message,
        ),
        'the event log',
      ),
    ]);
    return [shown, signedIn, logged, appends.ready(), registering.ready()].filter(
      (reason) => reason !== true,
    );
  };

  /** What is stored is answered, even if nobody can say what the lists show of it. */
  const nearby = async (names: readonly string[]): Promise<boolean> => {
    try {
      return await inTime(models.near(names), COMMAND_VISIBLE_WAIT_MS, () => false);
    } catch (error) {
      logger.warn({ err: error }, 'the read models cannot be looked at');
      return false;
    }
  };
  const visibility = {
    waitFor: models.waitFor.bind(models),
    near: nearby,
    isPosition: (text: string) => isPosition(log, text),
  };
  const occasionOf = occasionsOf(clock);

  const app = await createServer(
    {
      ...parts,
      publicUrl: urls.publicUrl,
      corsOrigins: urls.corsOrigins,
      trustedProxies: parts.trustedProxies ?? [],
    },
    async (server) => {
      await server.register(healthRoutes, { reasons, metrics });
      if (parts.mount) await server.register(parts.mount);
      if (!roles.has('api')) return;
      await server.register(ticketRoutes, {
        tickets,
        log,
        queries,
        graph,
        numbers: ticketNumbers,
        desks: serviceDesks,
        occasionOf,
        visibility,
        searchReady: searchReadiness(models),
      });
      await server.register(changeRoutes, {
        feed: changeFeed({ log, changes, logger }),
        visibility,
        stopping: stopping.signal,
      });
      await server.register(deskRoutes, { desks: serviceDesks, graph, occasionOf, visibility });
      await server.register(ticketLookupRoutes, { queries, visibility });
      await server.register(keyRoutes, {
        keyrings,
        clock,
        occasionOf,
        visibility,
        lastUses: audit.lastUses,
      });
      await server.register(keyAuditRoutes, { audit, log, clock, visibility });
      await server.register(sandboxRoutes);
      await server.register(buildingRoutes, {
        graph,
        spacesPageMax: parts.spacesPageMax,
        occasionOf,
      });
      const subjectPrefix = parts.busPrefix ?? 'atrium';
      await server.register(busRoutes, {
        bus,
        subjectPrefix,
        page: busPage({ log, clock, prefix: subjectPrefix }),
        parked: parkedQueries(db),
        occasionOf,
        visibility,
      });
      await server.register(operationsRoutes, { readModels: models });
      if (parts.timeTravel) {
        await server.register(clockRoutes, {
          clock,
          advance: timeTravel({
            log,
            clock,
            models,
            processes: together(reacting, bus),
            timers: due,
            runsAll: ALL_ROLES.size === roles.size,
          }),
        });
      }
    },
  );

  return {
    app,
    graph,
    tickets,
    desks: serviceDesks,
    numbers: ticketNumbers,
    readModels: models,

    start() {
      const sweeper = sweepAnnouncements({
        db: db.pool,
        log,
        signal: ending.signal,
        failed: (error) => logger.warn({ err: error }, 'announcements could not be moved'),
      });
      announced = sweeper.wake;
      running.push(sweeper.ended);
      running.push(startRoles());
    },

    async stop() {
      stopping.abort();
      try {
        // What is under way still waits for the read models: they end after it.
        await app.close();
      } finally {
        ending.abort();
        await Promise.allSettled(running);
        await owners.close();
      }
      await Promise.all(running);
    },
  };
};

/** Whoever asks whether this process is ready has little time. */
const answered = (ready: Promise<true | string>, whose: string): Promise<true | string> =>
  inTime(
    ready,
    READINESS_ANSWER_MAX_MS,
    () => `no answer from ${whose} within ${READINESS_ANSWER_MAX_MS / 1000} s`,
  );

/** Asked again while it is being built; once it has been, its table says so when it goes. */
const searchReadiness = (models: ReadModels): (() => Promise<true | string>) => {
  let built = false;
  return async () => {
    const isSearch = ({ name }: { name: string }) => name === ticketSearch.name;
    built ||= (await models.status()).find(isSearch)?.state !== 'building';
    return built || 'The search is still being built.';
  };
};

const isPosition = (log: EventStore, text: string): boolean => {
  try {
    log.compare(text, null);
    return true;
  } catch {
    return false;
  }
};
