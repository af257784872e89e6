import type { Command } from 'commander';
import { onServer } from './on-server.ts';

/** `atrium feed …`: tickets that block the change feed of an organisation. */
export const feedCommands = (program: Command): void => {
  const feed = program
    .command('feed')
    .description('list the tickets that block a change feed, and skip them');

  const run = (action: string) => onServer('operator/feed/commands', 'feedCommand', { action });
  const json = ['--json', 'print the result as JSON'] as const;

  feed
    .command('blocked')
    .description('list the tickets that block a change feed')
    .option(...json)
    .action(run('blocked'));

  feed
    .command('skip <ticket>')
    .description('skip the unreadable events of a ticket; readers are notified')
    .option(...json)
    .action(run('skip'));
};
