import type { Command } from 'commander';
import { onServer } from './on-server.ts';

/** `atrium secrets …`: what `ATRIUM_SECRETS_KEY` seals. */
export const secretsCommands = (program: Command): void => {
  const secrets = program
    .command('secrets')
    .description('replace the key that keys of persons and sessions are sealed under');

  secrets
    .command('rewrap')
    .description('seal what is in Postgres under the first key of ATRIUM_SECRETS_KEY')
    .addHelpText(
      'after',
      '\nThe servers may run, once all of them have that key first and the old one after it.\n' +
        'Then the old key can be removed, unless the command says what still needs it.',
    )
    .action(onServer('operator/secrets/rewrap-command', 'rewrapCommand'));
};
