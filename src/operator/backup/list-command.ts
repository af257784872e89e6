import { tableOf } from '../tables.ts';
import { onBackupPlace, type PlaceOptions } from './opened.ts';
import { inBytes } from './shown.ts';

export interface ListCommand extends Omit<PlaceOptions, 'to' | 'recipient' | 'keep'> {
  readonly json?: boolean;
}

/**
 * `atrium backup list`: the backups of a place, newest first; needs no identity.
 *
 * @returns The exit code: 0; 1 if a manifest is damaged.
 * @throws `BackupRefused`, `BadConfiguration`.
 */
export const listCommand = (command: ListCommand): Promise<number> =>
  onBackupPlace(command, { writes: false }, async (place) => {
    let code = 0;
    const manifests = await place.manifests(({ message }) => {
      code = 1;
      process.stderr.write(`${message}\n`);
    });
    if (command.json) {
      process.stdout.write(`${JSON.stringify(manifests)}\n`);
      return code;
    }
    if (manifests.length === 0) {
      process.stdout.write(`${place.shown} has no backup\n`);
      return code;
    }
    const rows = manifests.map(({ id, release, log, tables, files, previous }) => [
      id,
      release,
      log.position ?? '-',
      String(log.segments.reduce((sum, { events }) => sum + events, 0)),
      String(tables.reduce((sum, table) => sum + table.rows, 0)),
      `${files.count} (${inBytes(files.bytes)})`,
      previous ?? '-',
    ]);
    const head = ['BACKUP', 'RELEASE', 'LOG UP TO', 'EVENTS', 'ROWS', 'ATTACHMENTS', 'SHARES WITH'];
    process.stdout.write(`${tableOf([head, ...rows])}\n`);
    return code;
  });
