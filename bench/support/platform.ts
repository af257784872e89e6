import { setTimeout as sleep } from 'node:timers/promises';
import { composePlatform, release, type Platform, type PlatformParts } from '../../src/compose.ts';
import { platformLog } from '../../src/engine/consumers/platform-log.ts';
import { migrate } from '../../src/engine/postgres/migrate.ts';
import { migrations } from '../../src/migrations/migrations.ts';
import { openDatabase } from '../../src/engine/postgres/pool.ts';
import { keyUseLog } from '../../src/identity/keys/key-use-log.ts';
import { keyAuthority } from '../../src/identity/keys/authority.ts';
import { systemClock } from '../../src/engine/time/clock.ts';
import { loggerOf } from '../../src/engine/observe/logging.ts';
import { metricsOf } from '../../src/engine/observe/metrics.ts';
import { secretsOf } from '../../src/engine/secrets/secrets.ts';
import type { EventStore } from '../../src/engine/log/event-store.ts';

export interface BenchPlatform extends Pick<Platform, 'readModels'> {
  stop(): Promise<void>;
}

/** A platform with all roles and no callers; ready when this resolves. */
export const benchPlatform = async (
  url: string,
  stored: EventStore,
  over: Partial<Omit<PlatformParts, 'log'>> = {},
): Promise<BenchPlatform> => {
  const logger = loggerOf('warn');
  const db = openDatabase({ url, logger });
  await migrate(db.pool, migrations);
  const clock = systemClock;
  const { isJournal } = release.terms;
  const opened = platformLog({ log: stored, pool: db.pool, logger, isJournal });
  const uses = keyUseLog({ ...opened, clock });
  const keys = keyAuthority({ log: opened.log, uses, clock, logger });
  const platform = await composePlatform({
    log: opened,
    db,
    clock,
    identity: {
      issuer: 'http://issuer.test',
      ready: async () => true,
      reachable: () => true,
      callerOf: () => Promise.reject(new Error('nobody calls')),
    },
    keyAuthority: keys,
    secrets: secretsOf([Buffer.alloc(32, 7)]),
    logger,
    metrics: metricsOf({ process: false }),
    urls: { publicUrl: 'http://localhost', corsOrigins: [], sandboxHost: 'sandbox.localhost' },
    spacesPageMax: 1_000,
    ...over,
  });
  platform.start();
  keys.start();
  while ((await platform.readModels.ready()) !== true) await sleep(100);
  return {
    readModels: platform.readModels,
    async stop() {
      await platform.stop();
      await keys.stop();
      await uses.close();
      await db.close();
    },
  };
};
