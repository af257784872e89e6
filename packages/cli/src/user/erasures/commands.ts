import { Option, type Command } from 'commander';
import { acting, runs } from '../../invocation.ts';
import { confirming, limited, repeatable } from '../options.ts';

/** `atrium erasures …`: persons who are erased on request. */
export const erasuresCommands = (program: Command): void => {
  const erasures = program.command('erasures').description('erasures of persons on request');

  limited(acting(erasures.command('list')))
    .description('list them, newest first; they do not identify the persons')
    .action(runs(async () => (await import('./erasures.ts')).listErasures));

  acting(erasures.command('get').alias('show').argument('<erasure>', 'its id'))
    .description('show one with its findings')
    .action(runs(async () => (await import('./erasures.ts')).getErasure));

  repeatable(confirming(acting(erasures.command('create'))))
    .description('erase a person permanently')
    .option('--email <address>', 'of this address')
    .option('--user <id>', 'of this account')
    .addOption(
      new Option(
        '--texts <choice>',
        'texts by the person: keep them without the name, or erase them too',
      )
        .choices(['keep', 'erase'])
        .makeOptionMandatory(),
    )
    .requiredOption('--reason <text>', 'stored with the erasure; must not name the person')
    .option('--wait', 'until it is finished')
    .addHelpText(
      'after',
      '\nThis cannot be undone. It takes at least ten seconds; without --wait it continues ' +
        'on the server.\n\nExamples:\n  $ atrium erasures create --email ' +
        'former.tenant@example.com --texts keep \\\n      --reason "Letter of 1 May" --wait',
    )
    .action(runs(async () => (await import('./erasures.ts')).createErasure));
};
