import type { Command } from 'commander';
import { onServer } from './on-server.ts';

const confirm = async (question: string): Promise<void> => {
  const { terminalOf } = await import('../terminal/terminal.ts');
  await terminalOf({ json: false }).confirm(question);
};

/** `atrium log …`: the event log as a whole. */
export const logCommands = (program: Command): void => {
  const log = program
    .command('log')
    .description('the event log after a restore, or in another place');

  log
    .command('restored')
    .description('the log, or the database with it, was restored from a backup')
    .option('--dry-run', 'print what would be done, without doing it')
    .option(
      '--name <name>',
      'name of this restore; repeating the command with it does nothing (default: the time)',
    )
    .option('--skip-numbers <n>', 'ticket numbers to skip (default: 1000)')
    .option('--nothing-lost', 'only record that the database was copied or upgraded')
    .addHelpText(
      'after',
      '\nStop all servers first. Read models are built anew, processes and ticket numbers are\n' +
        'placed, and positions in what was lost are answered 410. Interrupted, it is given again.',
    )
    .action(onServer('operator/log/restored-command', 'restoredCommand'));

  log
    .command('adopt')
    .description('adopt a log that is empty or has another identity')
    .option('--dry-run', 'print what would be done, without doing it')
    .option('--yes', 'do not ask for confirmation')
    .addHelpText(
      'after',
      '\nStop all servers first. A log that lacks events of this installation is put right by\n' +
        '"atrium log restored"; one that "atrium events import" has filled needs neither.',
    )
    .action(onServer('operator/log/adopt-command', 'adoptCommand', { confirm }));
};
