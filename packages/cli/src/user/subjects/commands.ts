import type { Command } from 'commander';
import { acting, runs } from '../../invocation.ts';

/** `atrium subjects …`: what persons may ask for. */
export const subjectsCommands = (program: Command): void => {
  const subjects = program.command('subjects').description('the data that is stored of a person');

  acting(subjects.command('export'))
    .description('write all data of a person to a file, as JSON lines')
    .option('--email <address>', 'of this address')
    .option('--user <id>', 'of this account')
    .requiredOption('--out <file>', 'output file; it is created once it is complete')
    .option('--force', 'replace an existing file')
    .addHelpText(
      'after',
      '\nThe file also names other people: review it before you pass it on.\n\nExamples:\n  $ ' +
        'atrium subjects export --email tenant@example.com --out tenant.ndjson',
    )
    .action(runs(async () => (await import('./export.ts')).exportSubject));
};
