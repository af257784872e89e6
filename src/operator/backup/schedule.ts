/** The server's backups: one process at a time makes one when the newest is old enough. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../config/config.ts';
import { pause } from '../../engine/concurrency/backoff.ts';
import { repeat } from '../../engine/concurrency/repeat.ts';
import { withTimeout } from '../../engine/concurrency/timeout.ts';
import { leases as leasesIn } from '../../engine/consumers/leases.ts';
import type { Logger } from '../../engine/observe/logging.ts';
import type { MetricRegistry } from '../../engine/observe/metrics.ts';
import type { Database } from '../../engine/postgres/pool.ts';
import { systemClock } from '../../engine/time/clock.ts';
import {
  BACKUP_CLOSE_MAX_MS,
  BACKUP_KILLED_AFTER_MS,
  BACKUP_LOOK_MS,
  BACKUP_RETRY_MS,
  DOCTOR_CLOCK_SKEW_MAX_MS,
} from '../limits.ts';
import { backupMetrics } from './metrics.ts';
import { startedAt } from './manifest.ts';
import { openBackupPlace } from './place.ts';
import type { OnDamaged } from './refused.ts';

export interface ScheduleParts {
  readonly config: Pick<Config, 'backup' | 'dataDirectory'>;
  readonly db: Pick<Database, 'pool'>;
  readonly logger: Logger;
  readonly metrics: MetricRegistry;
  /** Makes a backup. Default: `atrium backup create` in a separate process. */
  readonly make?: (signal: AbortSignal) => Promise<void>;
}

/**
 * Makes backups by `BACKUP_SCHEDULE`; a failed one is repeated after {@link BACKUP_RETRY_MS}. The
 * time of the last backup is read from the manifests, so that the schedule needs no state and
 * survives a restore.
 *
 * @returns Aborts a running backup, which then does not exist, and resolves when it has ended, or
 *   after {@link BACKUP_CLOSE_MAX_MS}.
 */
export const scheduleBackups = (
  { config, db, logger, metrics, make = (signal) => inOwnProcess(signal) }: ScheduleParts,
  everyMs: number,
): (() => Promise<void>) => {
  const measured = backupMetrics(metrics, everyMs);
  const leases = leasesIn({ db, logger });
  const stopping = new AbortController();

  const turn = async (signal: AbortSignal): Promise<number> => {
    const newestMs = await newestBackupMs(config);
    measured.newest(newestMs);
    const ageMs = newestMs === null ? Infinity : Date.parse(systemClock.now()) - newestMs;
    if (ageMs < everyMs && !isAhead(ageMs)) return Math.min(everyMs - ageMs, BACKUP_LOOK_MS);
    await make(signal);
    logger.info('a backup was made');
    return 0;
  };
  const run = (signal: AbortSignal): Promise<void> =>
    repeat(() => turn(signal), {
      signal,
      async failed(error) {
        if (signal.aborted) return;
        measured.failed();
        logger.error({ err: error }, 'a backup has failed');
        await pause(BACKUP_RETRY_MS, signal);
      },
    });
  const held = leases.hold(LEASE, ({ signal }) => run(signal), stopping.signal);
  return async () => {
    stopping.abort();
    const closed = held.then(() => leases.close());
    await withTimeout(closed, BACKUP_CLOSE_MAX_MS, () => {
      logger.warn('a backup has not ended in time');
    });
  };
};

const LEASE = 'backups';

/** Whether the clock must have been ahead when the backup was made: its age says nothing then. */
export const isAhead = (ageMs: number): boolean => ageMs < -DOCTOR_CLOCK_SKEW_MAX_MS;

/** Start time of the newest backup; `null`: there is none. @throws As {@link openBackupPlace}. */
export const newestBackupMs = async (
  config: Pick<Config, 'backup' | 'dataDirectory'>,
  onDamaged?: OnDamaged,
): Promise<number | null> => {
  const place = await openBackupPlace(config, { writes: false });
  try {
    const [newest] = await place.manifests(onDamaged);
    return newest === undefined ? null : Date.parse(startedAt(newest));
  } finally {
    await place.close();
  }
};

const PROGRAM = fileURLToPath(new URL('scheduled-process.ts', import.meta.url));

/**
 * Compression and encryption would block the server's event loop.
 *
 * @param program Default: the one that makes a backup.
 */
export const inOwnProcess = async (signal: AbortSignal, program = PROGRAM): Promise<void> => {
  signal.throwIfAborted();
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'ignore', 'pipe'] });
  let late: NodeJS.Timeout | undefined;
  const end = () => {
    child.kill('SIGTERM');
    late = setTimeout(() => child.kill('SIGKILL'), BACKUP_KILLED_AFTER_MS);
  };
  signal.addEventListener('abort', end, { once: true });
  let words = '';
  child.stderr.on('data', (text: Buffer) => {
    words = `${words}${text.toString()}`.slice(-LAST_CHARACTERS);
  });
  try {
    const [code] = await once(child, 'close');
    signal.throwIfAborted();
    if (code !== 0) throw new Error(words.trim().split('\n').at(-1) || `it ended with ${code}`);
  } finally {
    signal.removeEventListener('abort', end);
    clearTimeout(late);
  }
};

/** Characters kept of a failed backup's output, from its end. */
const LAST_CHARACTERS = 2_000;
