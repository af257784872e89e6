import type { Command } from 'commander';
import { onServer } from './on-server.ts';

const PLACE = 'an existing directory, or s3://bucket/prefix?endpoint=… (default: BACKUP_URL)';
const IDENTITY = 'the file of the secret key, as age-keygen writes it';

/** `atrium backup …`: copies of database, log and attachments. */
export const backupCommands = (program: Command): void => {
  const backup = program
    .command('backup')
    .description('encrypted backups of database, log and attachments');

  backup
    .command('create')
    .description('back up the installation, while it runs or not')
    .option('--to <place>', PLACE)
    .option('--recipient <keys>', 'public keys of age, comma-separated (default: BACKUP_RECIPIENT)')
    .option(
      '--keep <n>',
      'number of backups to keep; older ones are removed (default: BACKUP_KEEP)',
    )
    .action(onServer('operator/backup/create-command', 'createCommand'));

  backup
    .command('list')
    .description('list the backups of a place, the newest first')
    .option('--from <place>', PLACE)
    .option('--json', 'their manifests as JSON')
    .action(onServer('operator/backup/list-command', 'listCommand'));

  backup
    .command('verify [id]')
    .description('restore a backup (default: the newest) into a scratch database and compare')
    .option('--from <place>', PLACE)
    .option('--identity <file>', IDENTITY)
    .action(onServer('operator/backup/verify-command', 'verifyCommand'));

  backup
    .command('drill')
    .description('back up, restore into a scratch database and compare, each timed; leaves nothing')
    .action(onServer('operator/backup/drill-command', 'drillCommand'));

  backup
    .command('restore [id]')
    .description('restore a backup (default: the newest) into an empty installation')
    .option('--from <place>', PLACE)
    .option('--identity <file>', IDENTITY)
    .option('--until <moment>', 'a time or a position: events of the log after it are left out')
    .addHelpText(
      'after',
      '\nIf interrupted, run it again. Afterwards, before a server starts, run: atrium log ' +
        'restored.',
    )
    .action(onServer('operator/backup/restore-command', 'restoreCommand'));
};
