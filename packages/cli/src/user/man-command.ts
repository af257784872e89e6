import type { Command } from 'commander';

/** The manual page, of the commands as they are. */
export const manCommand = (program: Command): void => {
  program
    .command('man')
    .description('print the manual page of this command')
    .addHelpText(
      'after',
      `
Examples:
  $ atrium man | man -l -
  $ atrium man > ~/.local/share/man/man1/atrium.1`,
    )
    .action(async () => {
      const { manualPage } = await import('./manual-page.ts');
      process.stdout.write(manualPage(program));
    });
};
