import type { Command } from 'commander';
import { onServer } from './on-server.ts';

/** `atrium feed …`: where the change feed of an organisation stands still. */
export const feedCommands = (program: Command): void => {
  const feed = program
    .command('feed')
    .description('look where a change feed stands still, and have it go on');

  const run = (action: string) => onServer('operator/feed/commands', 'feedCommand', { action });
  const json = ['--json', 'print the result as JSON'] as const;

  feed
    .command('blocked')
    .description('tickets before which a change feed stands still')
    .option(...json)
    .action(run('blocked'));

  feed
    .command('skip <ticket>')
    .description('pass over what cannot be read of a ticket; readers are told so')
    .option(...json)
    .action(run('skip'));
};
