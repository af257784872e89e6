import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { commandLogger, type Env } from '../command-logger.ts';
import { exitCodeOf, interruption } from '../interruption.ts';
import { createCommand } from './create-command.ts';
import { chosenBackup } from './open-backup.ts';
import { onBackupPlace } from './opened.ts';
import { temporaryDirectory } from './temporary-directory.ts';
import { verificationLines, verifyBackup } from './verify.ts';

export interface DrillCommand {
  readonly env: Env;
}

/**
 * `atrium backup drill`: a full backup of the installation under a temporary key, restored into a
 * temporary Postgres and compared; each step is timed. All of it is removed afterwards; the
 * installation and its backups are not changed. Needs space for both copies in the system's
 * temporary directory.
 *
 * @returns The exit code: 0, 1 if something differs or the backup lacks an erasure or attachment,
 *   130 or 143 if it was interrupted.
 * @throws As `createCommand` and `verifyCommand` do.
 */
export const drillCommand = async ({ env }: DrillCommand): Promise<number> => {
  const directory = await temporaryDirectory();
  try {
    const place = join(directory, 'place');
    const file = join(directory, 'key');
    await mkdir(place);
    const identity = await generateX25519Identity();
    await writeFile(file, `${identity}\n`, { mode: 0o600 });
    const recipient = await identityToRecipient(identity);
    const beganMs = performance.now();
    const code = await createCommand({ to: place, recipient, env });
    const createMs = performance.now() - beganMs;
    if (code > 1) return code;
    // Code 1 says that the backup lacks erasures or attachments; it is compared nevertheless.
    return (await verified(place, file, createMs, env)) || code;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};

const verified = (from: string, file: string, createMs: number, env: Env): Promise<number> =>
  onBackupPlace({ from, env }, { writes: false }, async (place, config) => {
    const signal = interruption();
    const choice = { identity: file, until: null, log: null, onDamaged: () => {} };
    const { manifest, manifests, opening } = await chosenBackup(place, choice);
    const logger = await commandLogger(env, config);
    try {
      const found = await verifyBackup({ manifest, manifests, opening, logger, signal });
      const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
      const lines = [
        ...verificationLines(found),
        `backed up in ${seconds(createMs)}, restored in ${seconds(found.restoreMs)}, ` +
          `compared in ${seconds(found.compareMs)}`,
      ];
      process.stdout.write(`${lines.join('\n')}\n`);
      return found.differences.length === 0 ? 0 : 1;
    } catch (error) {
      if (!signal.aborted) throw error;
      return exitCodeOf(signal);
    }
  });
