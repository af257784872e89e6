import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { prepareLog, postgresEventStore } from '../../engine/log/postgres/store.ts';
import { embeddedPostgres } from '../../engine/postgres/embedded/embedded.ts';
import { clientConfig } from '../../engine/postgres/pool.ts';
import type { Logger } from '../../engine/observe/logging.ts';
import { commandLogger } from '../command-logger.ts';
import { interruption } from '../interruption.ts';
import { eventProgress } from '../progress.ts';
import { compareCopy } from './comparison.ts';
import { chosenBackup } from './open-backup.ts';
import { onBackupPlace, type PlaceOptions } from './opened.ts';
import { restoreBackup } from './restore.ts';

export interface VerifyCommand extends Omit<PlaceOptions, 'to' | 'recipient' | 'keep'> {
  /** Default: the newest. */
  readonly id?: string;
  readonly identity?: string;
}

/**
 * `atrium backup verify`: restores a backup into a Postgres that ends with the command, and
 * compares. Touches neither the installation nor the backup.
 *
 * @returns The exit code: 0, 1 if something differs, or 130 if it was interrupted.
 * @throws `BackupRefused`, `BadConfiguration`, `EmbeddedUnavailable`.
 */
export const verifyCommand = (command: VerifyCommand): Promise<number> =>
  onBackupPlace(command, { writes: false }, async (place, config) => {
    const signal = interruption();
    const { id, identity } = command;
    const { manifest, opening } = await chosenBackup(place, {
      id,
      identity,
      until: null,
      log: null,
    });
    await using closing = new AsyncDisposableStack();
    const { pool, url } = await scratchDatabase(closing, await commandLogger(command.env, config));
    const isLogApart = !manifest.log.isInDatabase;
    const log = postgresEventStore({ url: isLogApart ? await otherDatabase(pool, url) : url });
    closing.defer(() => log.close());
    const say = (line: string) => process.stdout.write(`${line}\n`);
    const progress = eventProgress('restored');
    try {
      const files = await restoreBackup({
        manifest,
        opening,
        pool,
        url,
        log: isLogApart ? log : null,
        files: null,
        until: null,
        signal,
        onEvents: (events, share) => progress.at(events, share),
      });
      say(`restored the backup ${manifest.id} into a scratch database`);
      say(`${files} attachments are as they were stored`);
      const { checked, differences } = await compareCopy({ manifest, pool, log, signal });
      for (const line of [...checked, ...differences.map((one) => `DIFFERS: ${one}`)]) say(line);
      say(differences.length === 0 ? 'verified' : 'this backup is not to be relied on');
      return differences.length === 0 ? 0 : 1;
    } catch (error) {
      if (!signal.aborted) throw error;
      return 130;
    }
  });

/** For a log that is not in the database of the installation. */
const otherDatabase = async (pool: Pool, url: string): Promise<string> => {
  await pool.query('create database scratch_log');
  const other = new URL(url);
  other.pathname = '/scratch_log';
  await prepareLog(other.href);
  return other.href;
};

/** An empty database in a Postgres of its own, for `closing`. */
export const scratchDatabase = async (
  closing: AsyncDisposableStack,
  logger: Logger,
): Promise<{ readonly pool: Pool; readonly url: string }> => {
  const directory = await mkdtemp(join(tmpdir(), 'atrium-scratch-'));
  closing.defer(() => rm(directory, { recursive: true, force: true }));
  // Its user may pass through; the cluster within is its own.
  await chmod(directory, 0o711);
  const postgres = await embeddedPostgres(join(directory, 'postgres'), { logger });
  closing.defer(() => postgres.release());
  const { url } = postgres;
  const pool = new Pool({ ...clientConfig(url, 'atrium verify'), statement_timeout: 0 });
  pool.on('error', (error) => logger.warn({ err: error }, 'a database connection was lost'));
  closing.defer(() => pool.end());
  return { pool, url };
};
