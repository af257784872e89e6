/**
 * The server: reads the environment, opens the adapters, composes the platform and listens.
 * Everything that `npm start` needs and was not given (a Postgres, an identity provider, a secrets
 * key) is made here, for development alone.
 */
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isatty } from 'node:tty';
import closeWithGrace from 'close-with-grace';
import { listenForMetrics } from './api/http/metrics-listener.ts';
import { releases as releasesIn } from './engine/consumers/releases.ts';
import { composePlatform, sandboxUrls, type Platform, release } from './compose.ts';
import { processPermits } from './capabilities/process-permits.ts';
import { configOf, type Config } from './config/config.ts';
import { seedDemo } from './demo/seed.ts';
import { clamdAt } from './files/scanner/clamd.ts';
import { screenedStores } from './files/screening.ts';
import { ERASURE_FILES, MAIN_FILES, openFileStores } from './files/stores.ts';
import { refusingSandboxes } from './hosting/dispatcher.ts';
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
import { STOP_GRACE_MS } from './limits.ts';
import { openAdapters, openNats } from './operator/adapters.ts';
import { buildInfo } from './operator/build-info.ts';
import { scheduleBackups } from './operator/backup/schedule.ts';
import { conditionMetrics } from './operator/conditions/metrics.ts';
import { probeMetrics, runProbes } from './operator/conditions/probes.ts';
import { conditionProbes } from './operator/conditions/watch.ts';
import { messageForOperator } from './operator/operator-error.ts';
import { unreadEventsLine } from './operator/newer-release.ts';
import { startFacts } from './operator/start-facts.ts';
import { whenReachable } from './operator/when-reachable.ts';
import { banner } from './config/banner.ts';
import { systemClock } from './engine/time/clock.ts';
import { watchDescriptors } from './engine/observe/descriptors.ts';
import { logDestination } from './engine/observe/log-destination.ts';
import { loggerOf, type Logger } from './engine/observe/logging.ts';
import { metricsOf } from './engine/observe/metrics.ts';
import { keepPidIn } from './engine/observe/pid-file.ts';
import { untraced, type Tracing } from './engine/observe/tracing.ts';
import { requestLogMetrics } from './processes/sandboxes/metrics.ts';
import { proveUntrustedHttp } from './outbound/self-test.ts';
import { untrustedHttp as openUntrustedHttp } from './outbound/untrusted-http.ts';
import { LogRefused } from './engine/log/log-refused.ts';
import manifest from '../package.json' with { type: 'json' };

export interface Running {
  readonly url: string;
  /** Not ready any more, and each answer ends its connection; everything is still served. */
  drain(): void;
  /** Readiness first, then the requests under way, the roles, the log and last the database. */
  stop(): Promise<void>;
}

/** Starts a server from its configuration. @throws with one line where a part cannot be had. */
export const startServer = async (
  config: Config,
  logger: Logger,
  tracing: Tracing = untraced,
): Promise<Running> => {
  await using closing = new AsyncDisposableStack();
  const descriptors = watchDescriptors({ logger });
  closing.defer(() => descriptors.stop());
  const adapters = await whenReachable(() => openAdapters(config, logger, tracing), logger);
  const { opened, stored, db, secrets, databaseUrl, close } = adapters;
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
  // Before it writes anything: an older release leaves to it what it cannot read.
  await beside.register();
  // A new log has had no older release. Its head tells nothing: EventStoreDB's own events have one.
  const raiseInNewLog = async () => {
    const { events: written, end } = await log.readAll(null, { limit: 1 });
    if (written.length === 0 && end) await versions.raise(NEW_LOG, clock.now());
  };
  await raiseInNewLog().catch(unlessRefused);
  const warnOfUnreadEvents = async () => {
    const line = await unreadEventsLine(versions, db.pool);
    if (line !== null) logger.warn({ reason: line }, 'the log has events of a newer release');
  };
  await warnOfUnreadEvents().catch(unlessRefused);
  const issuer = config.oidcIssuer === null ? await ownIssuer(config, logger) : null;
  const metrics = metricsOf();
  metrics.own.disk(config.dataDirectory);
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
    permits: processPermits(),
    trustedProxies: config.trustedProxies,
  };
  // One measure of the event loop for all platforms in it.
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
  const takers = sessionPassage({
    dispatcher: hosting ?? refusingSandboxes({ ...shared, sandboxHost, corsOrigins, apiUrlOf }),
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
      // Once the last requests are answered, and while the read models are still fed.
      app.addHook('onClose', () => keys.stop());
      // Who waits for something in a sandbox is answered before the listener closes.
      app.addHook('preClose', async () => hosting?.stop());
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
  // The first command of all may come with the first connection, and is every process's business.
  await whenReachable(() => platform.register(), logger).catch(unlessRefused);
  platform.start();
  const conditions = {
    config,
    pool: db.pool,
    // What it looks at is there in a log that is refused, too.
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
  // What no sandbox has any more is dropped by what the log says: by the right one alone.
  void platform.prepared.then((isPrepared) => isPrepared && hosting?.start());
  if (issuer && config.roles.has('api')) {
    await whenReachable(() => seedDemo(platform, clock), logger).catch(unlessRefused);
  }

  const parts = closing.move();
  return {
    url: config.publicUrl,
    drain: () => platform.drain(),
    stop: () => parts.disposeAsync(),
  };
};

const NEW_LOG = { kind: 'system', id: 'new-log' } as const;

/** An operator has to act: the server stays up to say so. */
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

/** Who traces nothing does not load what it takes. */
const tracingOf = async ({ tracing }: Config) => {
  if (tracing === null) return null;
  const { openTelemetry } = await import('./engine/observe/open-telemetry.ts');
  const instance = `${hostname()}:${process.pid}`;
  return openTelemetry({ ...tracing, version: manifest.version, instance });
};

/** `npm start` and `atrium start`. */
export const main = async (env: Readonly<Record<string, string | undefined>>): Promise<void> => {
  const began = performance.now();
  const config = configOf(env);
  const tracing = await tracingOf(config);
  const to = await logDestination('stdout', config.logFormat);
  const logger = loggerOf(config.logLevel, to, tracing?.logged);
  tracing?.tellTo(logger);
  const running = await startServer(config, logger, tracing ?? untraced);
  const isDevelopment = config.environment === 'development';
  const forgetPid = isDevelopment ? keepPidIn(join(config.dataDirectory, 'server.pid')) : null;
  const facts = startFacts(config);
  logger.info({ start: facts }, 'Atrium is ready');
  if (isDevelopment || isatty(process.stderr.fd)) {
    process.stderr.write(banner(facts, (performance.now() - began) / 1000));
  }
  const { shutdownDelayMs } = config;
  closeWithGrace({ delay: shutdownDelayMs + STOP_GRACE_MS, logger }, async ({ err, signal }) => {
    if (err) logger.fatal({ err }, 'stopping after a bug');
    else {
      logger.info({ signal }, 'stopping');
      running.drain();
      // Load balancers look now and then, and send requests until they have looked.
      await setTimeout(shutdownDelayMs);
    }
    await running.stop();
    await tracing?.close();
    forgetPid?.();
  });
};

/** The same as a whole process: what keeps it from starting is said, and is its exit code. */
export const run = async (): Promise<void> => {
  try {
    await main(process.env);
  } catch (error) {
    // A bug keeps its stack.
    process.stderr.write(`atrium: ${messageForOperator(error) ?? (error as Error).stack}\n`);
    process.exitCode = 1;
  }
};
