import { Option, type Command } from 'commander';
import { acting, runs } from '../../invocation.ts';
import { confirming, limited, repeatable } from '../options.ts';

/** `atrium erasures …`: persons who are erased on request. */
export const erasuresCommands = (program: Command): void => {
  const erasures = program.command('erasures').description('persons who are erased on request');

  limited(acting(erasures.command('list')))
    .description('list them, the newest first; they do not say who was erased')
    .action(runs(async () => (await import('./erasures.ts')).listErasures));

  acting(erasures.command('get').alias('show').argument('<erasure>', 'its id'))
    .description('show one, and what it found')
    .action(runs(async () => (await import('./erasures.ts')).getErasure));

  repeatable(confirming(acting(erasures.command('create'))))
    .description('erase a person for good')
    .option('--email <address>', 'of this address')
    .option('--user <id>', 'of this account')
    .addOption(
      new Option('--texts <choice>', 'what they wrote: kept without their name, or erased too')
        .choices(['keep', 'erase'])
        .makeOptionMandatory(),
    )
    .requiredOption('--reason <text>', 'kept with the erasure: it must not name the person')
    .option('--wait', 'until it is finished')
    .addHelpText(
      'after',
      `
Nothing brings the person back. It takes ten seconds at least; without --wait it goes on by itself.

Examples:
  $ atrium erasures create --email former.tenant@example.com --texts keep \\
      --reason "Letter of 1 May" --wait`,
    )
    .action(runs(async () => (await import('./erasures.ts')).createErasure));
};
