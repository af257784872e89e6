import { composePlatform } from '../../src/compose.ts';
import { platformLog } from '../../src/engine/consumers/platform-log.ts';
import { memoryEventStore } from '../../src/engine/log/memory/store.ts';
import { loggerOf } from '../../src/engine/observe/logging.ts';
import { metricsOf } from '../../src/engine/observe/metrics.ts';
import { openDatabase } from '../../src/engine/postgres/pool.ts';
import { secretsOf } from '../../src/engine/secrets/secrets.ts';
import { systemClock } from '../../src/engine/time/clock.ts';
import { Unauthenticated } from '../../src/identity/caller.ts';
import { keyAuthority } from '../../src/identity/keys/authority.ts';
import { keyUseLog } from '../../src/identity/keys/key-use-log.ts';
import { requestLogMetrics } from '../../src/processes/sandboxes/metrics.ts';
import { buildInfo } from '../../src/operator/build-info.ts';
import { conditionMetrics } from '../../src/operator/conditions/metrics.ts';
import { probeMetrics } from '../../src/operator/conditions/probes.ts';
import { backupMetrics } from '../../src/operator/backup/metrics.ts';
import { keyCheckMetrics } from '../../src/identity/keys/metrics.ts';

/** The `/metrics` of a platform that is composed and not started, without a database. */
export const releasedMetrics = async (options: { readonly process: boolean }): Promise<string> => {
  const logger = loggerOf('silent');
  const log = memoryEventStore();
  const db = openDatabase({ url: 'postgres://atrium@127.0.0.1:1/atrium', logger });
  const metrics = metricsOf(options);
  const clock = systemClock;
  requestLogMetrics(metrics);
  backupMetrics(metrics, 86_400_000);
  buildInfo(metrics, { commit: null, eventstoreUrl: null });
  conditionMetrics(metrics);
  probeMetrics(metrics);
  const opened = platformLog({ log, pool: db.pool, logger, isJournal: () => false });
  const uses = keyUseLog({ ...opened, clock });
  const measured = keyCheckMetrics(metrics);
  const { app } = await composePlatform({
    log: opened,
    db,
    clock,
    identity: {
      issuer: 'http://issuer.test',
      callerOf: () => Promise.reject(new Unauthenticated('nobody calls')),
      ready: async () => true,
      reachable: () => true,
    },
    keyAuthority: keyAuthority({ log: opened.log, uses, clock, logger, measured }),
    secrets: secretsOf([Buffer.alloc(32, 7)]),
    logger,
    metrics,
    urls: { publicUrl: 'http://atrium.test', corsOrigins: [], sandboxHost: 'sandbox.test' },
    spacesPageMax: 1,
  });
  try {
    return await metrics.print();
  } finally {
    await app.close();
    await uses.close();
    await db.close();
  }
};
