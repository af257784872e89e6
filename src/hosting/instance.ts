import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { platformLog } from '../engine/consumers/platform-log.ts';
import { exclusiveLeases } from '../engine/consumers/exclusive-leases.ts';
import type { ProcessShares } from '../composition/process-shares.ts';
import type { Answered } from '../api/http/server.ts';
import type { ReadOwnSandbox } from '../api/sessions/own-sandbox.ts';
import { composePlatform, release, type Platform } from '../compose.ts';
import { isMigrated, migrate } from '../engine/postgres/migrate.ts';
import { migrations } from '../migrations/migrations.ts';
import { openDatabase } from '../engine/postgres/pool.ts';
import type { Instant } from '../engine/aggregates/decider.ts';
import type { SandboxView } from '../domain/sandboxes/view.ts';
import type { FileStore, FileStores } from '../files/file-store.ts';
import type { Identity } from '../identity/caller.ts';
import type { BrowserSessions } from '../identity/sessions/sessions.ts';
import type { KeyAuthority } from '../identity/keys/key-authority.ts';
import { SANDBOX_CONNECTIONS_MAX, SANDBOX_START_MAX_MS } from './limits.ts';
import { systemClock, virtualClock, type Clock } from '../engine/time/clock.ts';
import type { Logger } from '../engine/observe/logging.ts';
import { metricsOf } from '../engine/observe/metrics.ts';
import type { Secrets } from '../engine/secrets/secrets.ts';
import { untraced, type Tracing } from '../engine/observe/tracing.ts';
import type { UntrustedHttp } from '../outbound/untrusted-http.ts';
import { clockOffsetMs } from '../engine/control/time-travel.ts';
import { postgresEventStore, prepareLog } from '../engine/log/postgres/store.ts';
import { StartTimeout } from '../processes/sandboxes/start-timeout.ts';
import type { WrittenVersions } from '../engine/log/written-versions.ts';
import { postgresTelemetry } from '../building/telemetry/postgres-telemetry.ts';
import { identityOn, keysOn } from './credentials.ts';
import { feedPoints } from './feed-points.ts';
import { runLiveFeed } from './live-feed.ts';
import type { LoopShare } from './loop-share.ts';
import { timeFeed } from './time-feed.ts';

/** The parts of the main platform that all sandboxes of a process share. */
export interface HostParts extends ProcessShares {
  readonly identity: Identity;
  readonly keyAuthority: KeyAuthority;
  /** Default `null`: cookies are no credential. */
  readonly browserSessions?: BrowserSessions | null;
  readonly secrets: Secrets;
  readonly logger: Logger;
  /** Default: no tracing. */
  readonly tracing?: Tracing;
  readonly untrustedHttp: UntrustedHttp;
  /** Default: sandboxes keep no files. */
  readonly fileStores?: FileStores;
  readonly corsOrigins: readonly string[];
  readonly trustedProxies: readonly string[];
  readonly spacesPageMax: number;
  readonly telemetryRetentionDays: number | null;
  /** Default false. */
  readonly servesMcp?: boolean;
  /** The main platform's versions of written events. Default: this release's. */
  readonly versions?: WrittenVersions;
  /** Default {@link SANDBOX_START_MAX_MS}. */
  readonly startMaxMs?: number;
  /** Longest wait of a request for an advance of the clock. Default `CLOCK_ANSWER_MAX_MS`. */
  readonly clockAnswerMaxMs?: number;
  /** Whether the event loop is overloaded. Default: never. */
  readonly isUnderPressure?: () => boolean;
}

/** An active sandbox: a complete platform on its own database. */
export interface SandboxInstance {
  readonly platform: Platform;
  /** Its own clock, which its owner may advance. */
  readonly clock: Clock;
  /** The due time of its next timer in real time; `null`: none. */
  wakesAt(): Promise<Instant | null>;
  /** Stops the platform and closes its connections. */
  close(): Promise<void>;
}

/** What an instance has for itself. */
export interface InstanceParts {
  readonly databaseUrl: string;
  readonly apiUrl: string;
  /** Named after its database; `undefined`: it keeps no files. */
  readonly files: FileStore | undefined;
  /** Aborts when another process may own the sandbox. */
  readonly lease: AbortSignal;
  /** Accounts for its use of the event loop. */
  readonly share: Pick<LoopShare, 'enter' | 'turn'>;
  /** Called after each answer. */
  readonly onAnswered: (answered: Answered) => void;
  readonly readOwnSandbox: ReadOwnSandbox;
}

type Composed = Pick<
  SandboxView,
  'sandboxId' | 'organisation' | 'developer' | 'parameters' | 'branch' | 'buildingId'
>;

/**
 * Composes and starts the sandbox's platform on its database. Resolves when it is ready or, if that
 * takes too long, while its read models are still being built.
 *
 * @throws {@link StartTimeout} if it is not ready in time for another reason.
 */
export const openInstance = async (
  sandbox: Composed,
  own: InstanceParts,
  parts: HostParts,
): Promise<SandboxInstance> => {
  await using closing = new AsyncDisposableStack();
  const { sandboxId } = sandbox;
  const { databaseUrl: url, apiUrl, files, lease, share, onAnswered, readOwnSandbox } = own;
  const logger = parts.logger.child({ sandboxId });
  const giveWay = async () => {
    await nextTurn();
    share.enter();
  };
  await prepareLog(url);
  const stored = postgresEventStore({ url, logger, alone: true, arrived: share.enter });
  closing.defer(() => stored.close());
  const db = openDatabase({
    url,
    logger,
    connectionsMax: SANDBOX_CONNECTIONS_MAX,
    arrived: share.enter,
  });
  closing.defer(() => db.close());
  // It may not have been opened since a newer release started.
  if (!(await isMigrated(db.pool, migrations))) await migrate(db.pool, migrations);
  const { pool } = db;
  const { tracing, versions } = parts;
  const { isJournal } = release.terms;
  const opened = platformLog({
    log: stored,
    pool,
    logger,
    isJournal,
    isAlone: true,
    tracing,
    versions,
    personal: { secrets: parts.secrets, types: release.eventTypes },
  });
  const { log } = opened;
  const clock = virtualClock(systemClock, await clockOffsetMs(log));
  const isLive = sandbox.parameters.liveTelemetry;
  const telemetry = postgresTelemetry({
    db: db.pool,
    clock,
    announced: () => outbox?.wake(),
    retentionDays: parts.telemetryRetentionDays,
  });
  const points = feedPoints({
    sandbox,
    db: db.pool,
    telemetry,
    logger,
    async giveWay() {
      await nextTurn();
      await share.turn();
    },
  });
  const relayed = async () => outbox?.relay();
  let outbox: Platform['outbox'] | null = null;
  const platform = await composePlatform({
    log: opened,
    db,
    clock,
    logger,
    leases: exclusiveLeases({ db, logger, until: lease }),
    isAlone: true,
    isUnderPressure: parts.isUnderPressure ?? (() => false),
    giveWay,
    turn: share.turn,
    isSandbox: true,
    readOwnSandbox,
    timeTravel: true,
    ...(parts.clockAnswerMaxMs === undefined ? {} : { clockAnswerMaxMs: parts.clockAnswerMaxMs }),
    ...(isLive ? { onTheWay: timeFeed(points, relayed) } : {}),
    browserSessions: parts.browserSessions ?? null,
    secrets: parts.secrets,
    untrustedHttp: parts.untrustedHttp,
    ...(files ? { files } : {}),
    permits: parts.permits,
    importThreads: parts.importThreads,
    httpBounds: parts.httpBounds,
    trustedProxies: parts.trustedProxies,
    spacesPageMax: parts.spacesPageMax,
    telemetryRetentionDays: parts.telemetryRetentionDays,
    servesMcp: parts.servesMcp ?? false,
    identity: identityOn(sandbox, parts.identity, share),
    onAnswered,
    keyAuthority: keysOn(sandbox, apiUrl, parts.keyAuthority, share),
    metrics: metricsOf({ process: false }),
    ...(parts.tracing ? { tracing: parts.tracing } : {}),
    urls: {
      publicUrl: apiUrl,
      corsOrigins: [...parts.corsOrigins, apiUrl],
      sandboxHost: new URL(apiUrl).host,
    },
  });
  ({ outbox } = platform);
  closing.defer(() => platform.stop());
  await platform.app.ready();
  platform.start();
  await readyToServe(platform, parts.startMaxMs).catch(async (error: unknown) => {
    // A stop would begin the build anew; open, it answers 503 where it lacks a read model.
    if (!(await isBuilding(platform))) throw error;
  });
  if (isLive) {
    const ending = new AbortController();
    // The trace of a request that caused the start must not continue here.
    const { tracing = untraced } = parts;
    const fed = tracing.apart(() => runLiveFeed({ points, clock, logger }, ending.signal));
    closing.defer(() => fed);
    closing.defer(() => ending.abort());
  }

  const parting = closing.move();
  let closed: Promise<void> | undefined;
  return {
    platform,
    clock,
    async wakesAt() {
      // An advance outlives its request, and a build the request that waited for it.
      if (platform.isAdvancing() || (await isBuilding(platform))) return systemClock.now();
      const due = await platform.nextDueAt();
      return due && new Date(Date.parse(due) - clock.offsetMs).toISOString();
    },
    close: () => (closed ??= parting.disposeAsync()),
  };
};

/**
 * @param signal Ends the wait: rejects with its reason. Default: none.
 * @throws {@link StartTimeout} with the platform's reasons.
 */
export const readyToServe = async (
  { app }: Pick<Platform, 'app'>,
  startMaxMs = SANDBOX_START_MAX_MS,
  signal?: AbortSignal,
): Promise<void> => {
  const deadline = performance.now() + startMaxMs;
  for (;;) {
    signal?.throwIfAborted();
    const answer = await app.inject({ url: '/health/ready' });
    if (answer.statusCode === 200) return;
    if (performance.now() > deadline)
      throw new StartTimeout(`the platform does not get ready: ${answer.body}`);
    await sleep(READY_LOOK_MS);
  }
};

/** Whether a read model has its first build, which a stop would lose. */
export const isBuilding = async ({ readModels }: Pick<Platform, 'readModels'>): Promise<boolean> =>
  (await readModels.status()).some(({ work }) => work?.kind === 'build');

const READY_LOOK_MS = 10;
