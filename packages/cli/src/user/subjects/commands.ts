import type { Command } from 'commander';
import { acting, runs } from '../../invocation.ts';

/** `atrium subjects …`: what persons may ask for. */
export const subjectsCommands = (program: Command): void => {
  const subjects = program.command('subjects').description('what is stored of a person');

  acting(subjects.command('export'))
    .description('write everything of a person to a file, as lines of JSON')
    .option('--email <address>', 'of this address')
    .option('--user <id>', 'of this account')
    .requiredOption('--out <file>', 'where to; it is there once it is whole')
    .option('--force', 'replace the file if it is there')
    .addHelpText(
      'after',
      `
The file names others, too: read it before it is handed on.

Examples:
  $ atrium subjects export --email tenant@example.com --out tenant.ndjson`,
    )
    .action(runs(async () => (await import('./export.ts')).exportSubject));
};
