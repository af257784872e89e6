import type { Command } from 'commander';
import { calling, runs } from '../invocation.ts';

/** `atrium keys …`, and where an operator's command is added. */
export const keysCommands = (program: Command): Command => {
  const keys = program.command('keys').description("the organisation's API keys");

  calling(keys.command('list'))
    .description('list them; takes a session or a key of scope full')
    .action(runs(async () => (await import('./keys.ts')).listKeys));

  calling(keys.command('revoke'))
    .argument('<keyId>', 'the 22 characters after atr_')
    .description('revoke a key; it is refused from its next request on')
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      '\nKeys are minted in the portal, or over the API with a session.\n\n' +
        'Examples:\n  $ atrium keys revoke 2b8Jk3PqLm5TzXv0aW1cDe --yes',
    )
    .action(runs(async () => (await import('./keys.ts')).revokeKey));
  return keys;
};
