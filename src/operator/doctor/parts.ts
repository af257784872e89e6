/** The dependencies that the checks examine, opened on first use. */
import { existsSync } from 'node:fs';
import type { Pool } from 'pg';
import { release } from '../../compose.ts';
import { postgresDirectory, type Config } from '../../config/config.ts';
import { withTimeout } from '../../engine/concurrency/timeout.ts';
import { leases as leasesIn } from '../../engine/consumers/leases.ts';
import { consumers as consumersOf } from '../../engine/consumers/runtime.ts';
import type { EventStore } from '../../engine/log/event-store.ts';
import { postgresEventStore } from '../../engine/log/postgres/store.ts';
import { loggerOf } from '../../engine/observe/logging.ts';
import { embeddedPostgres } from '../../engine/postgres/embedded/embedded.ts';
import { poolOn } from '../../engine/postgres/pool.ts';
import { processControl } from '../../engine/control/process-control.ts';
import { readModels } from '../../engine/projections/read-models.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { AUDIT_CHAINING } from '../../processes/keys/audit-chaining.ts';
import { feedControl } from '../../processes/tickets/feed-control.ts';
import { DOCTOR_CLOSE_MAX_MS } from '../limits.ts';
import type { Standing } from './standing.ts';

/** Opens a dependency on first use, and closes all within a timeout. */
export const openedLater = (config: Config, closing: AsyncDisposableStack, withinMs: number) => {
  const logger = loggerOf('silent');
  const closeLater = (close: () => Promise<unknown>) =>
    closing.defer(() =>
      withTimeout(close().then(doNothing, doNothing), DOCTOR_CLOSE_MAX_MS, doNothing),
    );

  const url = once(async () => {
    if (config.databaseUrl !== null) return config.databaseUrl;
    const directory = postgresDirectory(config);
    if (!existsSync(directory)) return null;
    const postgres = await embeddedPostgres(directory, { logger });
    closeLater(() => postgres.release());
    return postgres.url;
  });

  const poolAt = (at: string) => {
    const made = poolOn(at, 'atrium doctor', {
      query_timeout: withinMs,
      statement_timeout: withinMs,
    });
    closeLater(() => made.end());
    return made;
  };

  const pool = once(async () => {
    const connectionString = await url();
    return connectionString === null ? null : poolAt(connectionString);
  });

  const log = once(async (): Promise<EventStore> => {
    const { eventstoreUrl } = config;
    const opened =
      eventstoreUrl === null
        ? postgresEventStore({ url: (await url())!, logger })
        : // Loaded on demand, because the client takes long to load.
          (await import('../../engine/log/eventstoredb/store.ts')).eventstoreDbStore({
            url: eventstoreUrl,
            logger,
          });
    closeLater(() => opened.close());
    return opened;
  });
  return { pool, poolAt, log };
};

/** The positions of the log's consumers, from their rows. */
export const standingOf = async (pool: Pool, log: EventStore): Promise<Standing> => {
  const logger = loggerOf('silent');
  const db = { pool };
  const leases = leasesIn({ db, logger });
  try {
    const consumers = consumersOf({ log, db, leases, clock: systemClock, logger });
    const models = readModels({ projections: release.projections, consumers });
    const control = processControl({
      processes: release.processes,
      timers: release.timers,
      consumers,
    });
    const feed = feedControl({ log, pool, clock: systemClock, logger });
    const [projections, processes, [auditChain], blocked] = await Promise.all([
      models.status(),
      control.status(),
      consumers.status([AUDIT_CHAINING]),
      feed.blocked(),
    ]);
    return { projections, processes, auditChain: auditChain!, blocked: blocked.length };
  } finally {
    await leases.close();
  }
};

/** Calls `make` at the first call only. */
export const once = <Value>(make: () => Promise<Value>): (() => Promise<Value>) => {
  let made: Promise<Value> | undefined;
  return () => (made ??= make());
};

const doNothing = (): void => {};
