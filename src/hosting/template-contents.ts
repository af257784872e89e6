/** The contents of a new sandbox's database. */
import { composePlatform, release } from '../compose.ts';
import { platformLog } from '../engine/consumers/platform-log.ts';
import { migrate } from '../engine/postgres/migrate.ts';
import { migrations } from '../migrations/migrations.ts';
import { openDatabase } from '../engine/postgres/pool.ts';
import { Unauthenticated } from '../identity/caller.ts';
import { systemClock } from '../engine/time/clock.ts';
import type { Logger } from '../engine/observe/logging.ts';
import { metricsOf } from '../engine/observe/metrics.ts';
import type { Secrets } from '../engine/secrets/secrets.ts';
import { schemaOf } from '../engine/projections/projection.ts';
import { logVersion, postgresEventStore, prepareLog } from '../engine/log/postgres/store.ts';
import { readyToServe } from './instance.ts';

/** Identifies the contents: another release with the same contents uses the same template. */
export const templateContents = (): readonly string[] => [
  logVersion(),
  ...Object.keys(migrations),
  ...release.inSandboxes.projections.map(schemaOf),
  ...release.inSandboxes.processes,
];

/**
 * Prepares an empty database for a sandbox: tables of the log and graph, and initialised read
 * models and processes, so that no sandbox waits for them.
 */
export const fillTemplate = async (
  url: string,
  { logger, secrets }: { readonly logger: Logger; readonly secrets: Secrets },
): Promise<void> => {
  await using closing = new AsyncDisposableStack();
  await prepareLog(url);
  const log = postgresEventStore({ url, logger });
  closing.defer(() => log.close());
  const db = openDatabase({ url, logger });
  closing.defer(() => db.close());
  await migrate(db.pool, migrations);
  const platform = await composePlatform({
    log: platformLog({ log, pool: db.pool, logger, isJournal: release.terms.isJournal }),
    db,
    clock: systemClock,
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
  await readyToServe(platform);
};
