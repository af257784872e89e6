import { poolOn } from '../../engine/postgres/pool.ts';
import { ERASURE_FILES, MAIN_FILES, openFileStores } from '../../files/stores.ts';
import { erasureListIn } from '../../use-cases/erasures/erasure-list.ts';
import { commandLogger } from '../command-logger.ts';
import { exitCodeOf, interruption } from '../interruption.ts';
import { postgresOf } from '../open-log.ts';
import { eventProgress } from '../progress.ts';
import { chosenBackup } from './open-backup.ts';
import { onBackupPlace, secretsKeyIds, type PlaceOptions } from './opened.ts';
import type { OnDamaged } from './refused.ts';
import { restoreBackup } from './restore.ts';
import { refuseUnsuitable } from './suitable.ts';
import { untilOf } from './until.ts';

export interface RestoreCommand extends Omit<PlaceOptions, 'to' | 'recipient' | 'keep'> {
  /** Default: the newest. */
  readonly id?: string;
  readonly identity?: string;
  /** A time or a position; later events are left out. */
  readonly until?: string;
}

/**
 * `atrium backup restore`: into the configured database, log and store of attachments, which must
 * be empty. docs/operating/backup-and-restore.md.
 *
 * @returns The exit code: 0; 1 if it is restored, and an attachment, or a file of the place that
 *   may name later erasures, is damaged; 130 or 143 if it was interrupted.
 * @throws `BackupRefused`, `BadConfiguration`, `LogUnavailable`.
 */
export const restoreCommand = (command: RestoreCommand): Promise<number> =>
  onBackupPlace(command, { writes: false }, async (place, config) => {
    const signal = interruption();
    const logger = await commandLogger(command.env, config);
    const until = command.until === undefined ? null : untilOf(command.until);
    await using closing = new AsyncDisposableStack();
    const log =
      config.eventstoreUrl === null
        ? null
        : (await import('../../engine/log/eventstoredb/store.ts')).eventstoreDbStore({
            url: config.eventstoreUrl,
            logger,
          });
    closing.defer(async () => log?.close());
    const { id, identity } = command;
    let code = 0;
    const onDamaged: OnDamaged = ({ message }) => {
      code = 1;
      process.stderr.write(`${message}: persons erased since may be shown\n`);
    };
    const onDamagedFile: OnDamaged = ({ message }) => {
      code = 1;
      process.stderr.write(`${message}: the restore continues without it\n`);
    };
    const { manifest, manifests, opening } = await chosenBackup(place, {
      id,
      identity,
      until,
      log,
      onDamaged,
    });
    refuseUnsuitable(manifest, config);
    const url = await postgresOf(config, closing, logger);
    const pool = poolOn(url, 'atrium restore', { statement_timeout: 0, logger });
    closing.defer(() => pool.end());
    const stores = openFileStores(config.files, config.dataDirectory);
    closing.defer(() => stores.close());
    const say = (line: string) => process.stdout.write(`${line}\n`);
    const progress = eventProgress('restored');
    try {
      const files = await restoreBackup({
        manifest,
        opening,
        pool,
        url,
        log,
        files: stores.of(MAIN_FILES),
        manifests,
        onDamaged,
        onDamagedFile,
        erasureList: erasureListIn(stores.of(ERASURE_FILES)),
        until,
        signal,
        onEvents: (events, share) => progress.at(events, share),
      });
      say(`restored the backup ${manifest.id} of release ${manifest.release}`);
      say(`${files} attachments were brought back`);
      const present = new Set(secretsKeyIds(config));
      const absent = manifest.secretsKeys.filter((key) => !present.has(key));
      if (absent.length > 0)
        say(`ATRIUM_SECRETS_KEY lacks ${absent.join(', ')}: add them before a server starts`);
      say('a copy beside the original needs a BACKUP_URL of its own');
      say('next, before a server starts: atrium log restored');
      return code;
    } catch (error) {
      if (!signal.aborted) throw error;
      process.stderr.write('interrupted; the same command goes on from here\n');
      return exitCodeOf(signal);
    }
  });
