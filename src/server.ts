/**
 * The server: opens the adapters, composes the platform and listens. For development only, it also
 * creates an unconfigured identity provider and secrets key.
 */
import { listenForMetrics } from './api/http/metrics-listener.ts';
import { releases as releasesIn } from './engine/consumers/releases.ts';
import { composePlatform, sandboxUrls, type Platform, release } from './compose.ts';
import { processShares } from './composition/process-shares.ts';
import type { Config } from './config/config.ts';
import { seedDemo } from './demo/seed.ts';
import { clamdAt } from './files/scanner/clamd.ts';
import { screenedStores } from './files/screening.ts';
import { ERASURE_FILES, MAIN_FILES, openFileStores } from './files/stores.ts';
import { refusingSandboxes, type ClosableDispatcher } from './hosting/dispatcher.ts';
import { sessionPassage } from './hosting/session-passage.ts';
import { hostSandboxes } from './hosting/host.ts';
import { plantedFaultsReader } from './hosting/planted-faults.ts';
import { developmentIssuer } from './identity/development/issuer.ts';
import { developmentIssuerRoutes } from './identity/development/routes.ts';
import { keyAuthority } from './identity/keys/authority.ts';
import { keyUseLog } from './identity/keys/key-use-log.ts';
import { keyCheckMetrics } from './identity/keys/metrics.ts';
import { rememberedSessions } from './identity/oidc/remembered-sessions.ts';
import { browserSessions } from './identity/sessions/sessions.ts';
import { oidcIdentity } from './identity/oidc/token-check.ts';
import { openAdapters, openNats } from './operator/adapters.ts';
import { writtenDirectories } from './operator/open-log.ts';
import { buildInfo } from './operator/build-info.ts';
import { scheduleBackups } from './operator/backup/schedule.ts';
import { conditionMetrics } from './operator/conditions/metrics.ts';
import { probeMetrics, runProbes } from './operator/conditions/probes.ts';
import { conditionProbes } from './operator/conditions/watch.ts';
import { unreadEventsLine } from './operator/newer-release.ts';
import { whenReachable } from './operator/when-reachable.ts';
import { whenReady } from './operator/when-ready.ts';
import { withTimeout } from './engine/concurrency/timeout.ts';
import { systemClock } from './engine/time/clock.ts';
import { watchDescriptors } from './engine/observe/descriptors.ts';
import type { Logger } from './engine/observe/logging.ts';
import { metricsOf } from './engine/observe/metrics.ts';
import { untraced, type Tracing } from './engine/observe/tracing.ts';
import { requestLogMetrics } from './processes/sandboxes/metrics.ts';
import { proveUntrustedHttp } from './outbound/self-test.ts';
import { untrustedHttp as openUntrustedHttp } from './outbound/untrusted-http.ts';
import { LogRefused } from './engine/log/log-refused.ts';
import { STOP_SANDBOXES_MS } from './limits.ts';
import manifest from '../package.json' with { type: 'json' };

export interface Running {
  readonly url: string;
  /** As {@link whenReady}; `false` if it is stopped first. */
  readonly ready: Promise<boolean>;
  /** Reports not ready, and closes each connection after its answer; still serves requests. */
  drain(): void;
  /** Ends, in this order: readiness, requests in progress, roles, log, database. */
  stop(): Promise<void>;
}

/**
 * Starts a server from its configuration.
 *
 * @param databaseUrl The configured Postgres, or the embedded one.
 * @throws With one line if a part cannot be opened.
 */
export const startServer = async (
  config: Config,
  databaseUrl: string,
  logger: Logger,
  tracing: Tracing = untraced,
): Promise<Running> => {
  await using closing = new AsyncDisposableStack();
  const descriptors = watchDescriptors({ logger });
  closing.defer(() => descriptors.stop());
  const issuing = config.oidcIssuer === null ? ownIssuer(config, logger) : null;
  // Generates its key while the database is opened, and is awaited later.
  issuing?.catch(() => {});
  const open = () => openAdapters(config, databaseUrl, logger, tracing);
  const adapters = await whenReachable(open, logger);
  const { opened, stored, db, secrets, close } = adapters;
  const { log, versions } = opened;
  closing.defer(close);
  const clock = await whenReachable(() => adapters.clock(), logger);
  const beside = releasesIn({
    db,
    clock: systemClock,
    logger,
    name: manifest.version,
    roles: [...config.roles],
    runs: release.consumersOf(config.roles),
    reads: release.versionsRead,
  });
  // Registered before any write, so that older releases leave it the events they cannot read.
  await beside.register();
  // A new log has no events for older releases. Its head is no evidence: EventStoreDB's own events
  // have positions.
  const raiseInNewLog = async () => {
    const { events: written, end } = await log.readAll(null, { limit: 1 });
    if (written.length === 0 && end) await versions.raise(NEW_LOG, clock.now());
  };
  await whenReachable(raiseInNewLog, logger).catch(unlessRefused);
  const warnOfUnreadEvents = async () => {
    const line = await unreadEventsLine(versions, db.pool);
    if (line !== null) logger.warn({ reason: line }, 'the log has events of a newer release');
  };
  await whenReachable(warnOfUnreadEvents, logger).catch(unlessRefused);
  const issuer = await issuing;
  const metrics = metricsOf();
  metrics.own.disks(writtenDirectories(config));
  buildInfo(metrics, config);
  const uses = keyUseLog({ ...opened, clock });
  closing.defer(() => uses.close());
  const keys = keyAuthority({ log, uses, clock, logger, measured: keyCheckMetrics(metrics) });
  await proveUntrustedHttp();
  const nats = await openNats(config, logger);
  closing.defer(() => nats?.close());
  const untrustedHttp = openUntrustedHttp({ allowPrivate: config.webhookAllowPrivate });
  closing.defer(() => untrustedHttp.close());
  const stores = openFileStores(config.files, config.dataDirectory);
  closing.defer(() => stores.close());
  const fileStores = screenedStores(stores, {
    keepsMetadata: config.filesKeepMetadata,
    scanner: config.filesScanner && clamdAt(config.filesScanner),
    logger,
  });
  const { publicUrl, corsOrigins, sandboxHost } = config;
  const urls = { publicUrl, corsOrigins, sandboxHost };
  const identity = rememberedSessions(
    oidcIdentity({
      issuer: config.oidcIssuer ?? issuer!.issuer,
      audience: config.oidcAudience,
      environment: config.environment,
      logger,
    }),
  );
  const shared = {
    untrustedHttp,
    log,
    db,
    clock,
    identity,
    keyAuthority: keys,
    browserSessions: browserSessions({ db, identity, secrets, logger }),
    secrets,
    logger,
    tracing,
    spacesPageMax: config.spacesPageMax,
    telemetryRetentionDays: config.telemetryRetentionDays,
    servesMcp: config.servesMcp,
    ...processShares(),
    trustedProxies: config.trustedProxies,
  };
  // Sandboxes use the platform's measurement of the event loop, which they share.
  let running: Platform | null = null;
  const hosting = config.roles.has('sandboxes')
    ? hostSandboxes({
        ...shared,
        fileStores,
        urls,
        databaseUrl: config.sandboxDatabaseUrl ?? databaseUrl,
        processUrl: config.processUrl,
        versions,
        requestsDropped: requestLogMetrics(metrics),
        isUnderPressure: () => running?.app.isUnderPressure() ?? false,
      })
    : null;
  closing.defer(() => hosting?.stop());
  const apiUrlOf = sandboxUrls(urls);
  const dispatcher: ClosableDispatcher = hosting
    ? { ...hosting, close: () => hosting.stop() }
    : refusingSandboxes({ ...shared, sandboxHost, corsOrigins, apiUrlOf });
  const takers = sessionPassage({
    dispatcher,
    sessions: shared.browserSessions.at(publicUrl),
    apiUrlOf,
    logger,
  });
  const platform = await composePlatform({
    ...shared,
    sandboxSizes: {
      bytesMax: config.sandboxBytesMax,
      hostBytesMax: config.sandboxHostBytesMax,
    },
    log: opened,
    files: fileStores.of(MAIN_FILES),
    erasureFiles: stores.of(ERASURE_FILES),
    ...(hosting ? { sandboxBuilder: hosting.builder } : {}),
    plantedFaults: plantedFaultsReader({
      log,
      databaseUrl: config.sandboxDatabaseUrl ?? databaseUrl,
    }),
    takeRequest: takers.takeRequest,
    takeUpgrade: takers.takeUpgrade,
    metrics,
    showsMetrics: config.metricsPort === null && config.environment === 'development',
    urls,
    roles: config.roles,
    releases: beside,
    busPrefix: config.busPrefix,
    nats,
    timeTravel: config.environment === 'development',
    livePage: config.environment === 'development',
    portal: { issuer: identity.issuer },
    mount: async (app) => {
      // After the last response, while the read models are still fed.
      app.addHook('onClose', () => keys.stop());
      // Requests that wait for a sandbox are answered before the listener closes. A sandbox that
      // takes longer must not keep the platform from ending in order.
      app.addHook('preClose', () =>
        withTimeout(dispatcher.close(), STOP_SANDBOXES_MS, () => {
          logger.warn('sandboxes are still being stopped');
        }),
      );
      if (issuer) await developmentIssuerRoutes(app, { issuer });
    },
  });
  running = platform;
  closing.defer(() => platform.stop());
  if (config.metricsPort !== null) {
    const { close } = await listenForMetrics(metrics, {
      host: config.host,
      port: config.metricsPort,
    });
    closing.defer(close);
  }
  if (config.roles.has('api')) keys.start();
  // Registered before listening, so that every process handles the first command's events.
  await whenReachable(() => platform.register(), logger).catch(unlessRefused);
  // Before the read models are built, so that each applies the whole demo in one batch.
  if (issuer && config.roles.has('api')) {
    await whenReachable(() => seedDemo(platform, clock), logger).catch(unlessRefused);
  }
  platform.start();
  const conditions = {
    config,
    pool: db.pool,
    // The unguarded log: probes also work on a refused log.
    log: stored,
    secrets,
    logger,
    metrics: conditionMetrics(metrics),
  };
  closing.defer(
    runProbes({ probes: conditionProbes(conditions), measured: probeMetrics(metrics), logger }),
  );
  const { everyMs } = config.backup;
  if (everyMs !== null && config.roles.has('processes'))
    closing.defer(scheduleBackups({ config, db, logger, metrics }, everyMs));
  await platform.app.listen({ host: config.host, port: config.port });
  const stopping = new AbortController();
  closing.defer(() => stopping.abort());
  const ready = whenReady(platform, logger, stopping.signal);
  // Databases without a sandbox in the log are dropped, so this waits until the log is verified.
  void platform.prepared.then((isPrepared) => isPrepared && hosting?.start(ready));

  const parts = closing.move();
  return {
    url: config.publicUrl,
    ready,
    drain: () => platform.drain(),
    stop: () => parts.disposeAsync(),
  };
};

const NEW_LOG = { kind: 'system', id: 'new-log' } as const;

/** The server keeps running with a refused log, to report that an operator must act. */
const unlessRefused = (error: unknown): void => {
  if (!(error instanceof LogRefused)) throw error;
};

const ownIssuer = (config: Config, logger: Logger) =>
  developmentIssuer({
    url: `${config.publicUrl}/dev/oidc`,
    dataDirectory: config.dataDirectory,
    audience: config.oidcAudience,
    logger,
  });
