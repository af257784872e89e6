import { ERASURE_FILES, MAIN_FILES, openFileStores } from '../../files/stores.ts';
import { openCommandAdapters } from '../adapters.ts';
import { erasureListIn } from '../../use-cases/erasures/erasure-list.ts';
import { commandLogger } from '../command-logger.ts';
import { exitCodeOf, interruption } from '../interruption.ts';
import { eventProgress } from '../progress.ts';
import { createBackup } from './create.ts';
import type { Manifest } from './manifest.ts';
import { onBackupPlace, secretsKeyIds, type PlaceOptions } from './opened.ts';
import { BackupRefused } from './refused.ts';
import { inBytes } from './shown.ts';

export type CreateCommand = Omit<PlaceOptions, 'from'>;

/**
 * `atrium backup create`: database, log and attachments of the configured installation, running or
 * not. docs/operating/backup-and-restore.md.
 *
 * @returns The exit code: 0; 1 if erasures or files of earlier backups cannot be read, or an
 *   attachment is damaged; 130 or 143 if it was interrupted.
 * @throws `BackupRefused`, `BadConfiguration`, `LogUnavailable`.
 */
export const createCommand = (command: CreateCommand): Promise<number> =>
  onBackupPlace(command, { writes: true }, async (place, config) => {
    const { recipients, kept } = config.backup;
    if (recipients.length === 0)
      throw new BackupRefused('NOT_CONFIGURED', 'name a public key: --recipient, BACKUP_RECIPIENT');
    const signal = interruption();
    await using closing = new AsyncDisposableStack();
    const {
      db,
      stored: log,
      close,
    } = await openCommandAdapters(config, await commandLogger(command.env, config));
    closing.defer(close);
    const stores = openFileStores(config.files, config.dataDirectory);
    closing.defer(() => stores.close());
    const progress = eventProgress('copied');
    /** What the backup lacks, or does not share with earlier ones. */
    const leftOut = new Set<string>();
    try {
      const manifest = await createBackup({
        place,
        recipients,
        pool: db.pool,
        log,
        isLogInDatabase: config.eventstoreUrl === null,
        files: stores.of(MAIN_FILES),
        erasureList: erasureListIn(stores.of(ERASURE_FILES)),
        onUnreadableErasure: ({ message }) => leftOut.add(message),
        onDamaged: ({ message }) => leftOut.add(message),
        secretsKeys: secretsKeyIds(config),
        kept,
        signal,
        onEvents: (events, share) => progress.at(events, share),
      });
      for (const line of linesOf(manifest, place.shown)) process.stdout.write(`${line}\n`);
      for (const message of leftOut)
        process.stderr.write(`${message}: the backup continues without it\n`);
      return leftOut.size === 0 ? 0 : 1;
    } catch (error) {
      if (!signal.aborted) throw error;
      process.stderr.write('interrupted; there is no new backup\n');
      return exitCodeOf(signal);
    }
  });

const linesOf = (manifest: Manifest, shown: string): readonly string[] => {
  const { id, log, tables, files, previous, secretsKeys } = manifest;
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const shared = previous === null ? '' : `, what is new since the backup ${previous}`;
  const missing =
    files.missing === 0 ? '' : `; ${files.missing} are missing or damaged in their store`;
  return [
    `backup ${id} in ${shown}`,
    `log: up to ${log.position ?? 'its beginning'}${shared}`,
    `database: ${rows} rows of ${tables.length} tables`,
    `attachments: ${files.count}, ${inBytes(files.bytes)}${missing}`,
    `secrets keys, which are not in it: ${secretsKeys.join(', ') || 'none'}`,
  ];
};
