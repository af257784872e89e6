import { commandLogger } from '../command-logger.ts';
import { exitCodeOf, interruption } from '../interruption.ts';
import { chosenBackup } from './open-backup.ts';
import { onBackupPlace, type PlaceOptions } from './opened.ts';
import type { OnDamaged } from './refused.ts';
import { verificationLines, verifyBackup } from './verify.ts';

export interface VerifyCommand extends Omit<PlaceOptions, 'to' | 'recipient' | 'keep'> {
  /** Default: the newest. */
  readonly id?: string;
  readonly identity?: string;
}

/**
 * `atrium backup verify`: restores a backup into a temporary Postgres, and compares. Changes
 * neither the installation nor the backup.
 *
 * @returns The exit code: 0, 1 if something differs, 130 or 143 if it was interrupted.
 * @throws `BackupRefused`, `BadConfiguration`, `EmbeddedUnavailable`.
 */
export const verifyCommand = (command: VerifyCommand): Promise<number> =>
  onBackupPlace(command, { writes: false }, async (place, config) => {
    const signal = interruption();
    const { id, identity } = command;
    const onDamaged: OnDamaged = ({ message }) => process.stderr.write(`${message}\n`);
    const choice = { id, identity, until: null, log: null, onDamaged };
    const { manifest, manifests, opening } = await chosenBackup(place, choice);
    const logger = await commandLogger(command.env, config);
    try {
      const verified = await verifyBackup({ manifest, manifests, opening, logger, signal });
      process.stdout.write(`restored the backup ${manifest.id} into a scratch database\n`);
      for (const line of verificationLines(verified)) process.stdout.write(`${line}\n`);
      return verified.differences.length === 0 ? 0 : 1;
    } catch (error) {
      if (!signal.aborted) throw error;
      return exitCodeOf(signal);
    }
  });
