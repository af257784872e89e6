/** A platform on a sandbox's database that serves no requests. */
import type { Pool } from 'pg';
import { composePlatform, release, type Platform, type PlatformParts } from '../compose.ts';
import { exclusiveLeases } from '../engine/consumers/exclusive-leases.ts';
import { platformLog } from '../engine/consumers/platform-log.ts';
import { postgresEventStore, prepareLog } from '../engine/log/postgres/store.ts';
import type { EventStore } from '../engine/log/event-store.ts';
import { migrate } from '../engine/postgres/migrate.ts';
import { openDatabase } from '../engine/postgres/pool.ts';
import type { Logger } from '../engine/observe/logging.ts';
import { metricsOf } from '../engine/observe/metrics.ts';
import type { Secrets } from '../engine/secrets/secrets.ts';
import { systemClock } from '../engine/time/clock.ts';
import { Unauthenticated } from '../identity/caller.ts';
import { migrations } from '../migrations/migrations.ts';
import { StartTimeout } from '../processes/sandboxes/start-timeout.ts';
import { isBuilding, readyToServe } from './instance.ts';

export interface QuietPlatformParts {
  readonly logger: Logger;
  readonly secrets: Secrets;
  /** Default: that of a sandbox. */
  readonly startMaxMs?: number;
  /**
   * Ends the preparation: rejects with its reason. Default: `startMaxMs` also bounds the build of
   * read models.
   */
  readonly signal?: AbortSignal;
}

export interface QuietPlatform extends Pick<Platform, 'readModels'> {
  readonly log: EventStore;
  readonly pool: Pool;
}

/**
 * Composes a platform with these roles on the database at `url`, whose tables are created if
 * necessary, and calls `work` once it is ready. Resolves after it has disconnected.
 *
 * @param roles `undefined`: all.
 */
export const onQuietPlatform = async (
  url: string,
  roles: PlatformParts['roles'],
  parts: QuietPlatformParts,
  work: (platform: QuietPlatform) => Promise<void>,
): Promise<void> => {
  const { logger, secrets, signal } = parts;
  await using closing = new AsyncDisposableStack();
  await prepareLog(url);
  signal?.throwIfAborted();
  const stored = postgresEventStore({ url, logger, alone: true });
  closing.defer(() => stored.close());
  const db = openDatabase({ url, logger });
  closing.defer(() => db.close());
  await migrate(db.pool, migrations);
  const opened = platformLog({
    log: stored,
    pool: db.pool,
    logger,
    isJournal: release.terms.isJournal,
    isAlone: true,
    personal: { secrets, types: release.eventTypes },
  });
  signal?.throwIfAborted();
  const platform = await composePlatform({
    log: opened,
    db,
    clock: systemClock,
    // A copy has its source's rows of leases, whose holders are alive.
    leases: exclusiveLeases({ db, logger, until: new AbortController().signal }),
    isAlone: true,
    ...(roles ? { roles } : {}),
    identity: {
      issuer: 'http://localhost',
      callerOf: () => Promise.reject(new Unauthenticated('nobody calls')),
      ready: async () => true,
      reachable: () => true,
    },
    keyAuthority: { check: () => Promise.reject(new Unauthenticated('nobody calls')) },
    secrets,
    logger,
    metrics: metricsOf({ process: false }),
    urls: { publicUrl: 'http://localhost', corsOrigins: [], sandboxHost: 'localhost' },
    spacesPageMax: 1,
    isSandbox: true,
  });
  closing.defer(() => platform.stop());
  platform.start();
  await builtAndReady(platform, parts);
  await work({ log: opened.log, pool: db.pool, readModels: platform.readModels });
};

/** With a signal, has no deadline while read models are built, because a stop would lose them. */
const builtAndReady = async (
  platform: Platform,
  { startMaxMs, signal }: QuietPlatformParts,
): Promise<void> => {
  for (;;)
    try {
      return await readyToServe(platform, startMaxMs, signal);
    } catch (error) {
      const mayWait = signal !== undefined && error instanceof StartTimeout;
      if (!mayWait || !(await isBuilding(platform))) throw error;
    }
};
