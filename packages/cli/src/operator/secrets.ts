import type { Command } from 'commander';
import { onServer } from './on-server.ts';

/** `atrium secrets …`: what `ATRIUM_SECRETS_KEY` seals. */
export const secretsCommands = (program: Command): void => {
  const secrets = program
    .command('secrets')
    .description('rotate the key that encrypts the keys of persons and sessions');

  secrets
    .command('rewrap')
    .description('re-encrypt the secrets in Postgres with the first key of ATRIUM_SECRETS_KEY')
    .addHelpText(
      'after',
      '\nServers may be running if all of them have the new key first and the old one after ' +
        'it.\nAfterwards the old key can be removed, unless the command lists data that still ' +
        'needs it.',
    )
    .action(onServer('operator/secrets/rewrap-command', 'rewrapCommand'));
};
