import type { Command } from 'commander';
import { onServer } from './on-server.ts';

/** `atrium releases …`: which releases run, and in which versions events are written. */
export const releasesCommands = (program: Command): void => {
  const releases = program
    .command('releases')
    .description('list the running releases, and end a rollout of changed events');

  const run = (action: string) =>
    onServer('operator/releases/commands', 'releasesCommand', { action });
  const json = ['--json', 'print the result as JSON'] as const;

  releases
    .command('status', { isDefault: true })
    .description('list the running processes, each with its release and what it cannot read')
    .option(...json)
    .action(run('status'));

  releases
    .command('raise')
    .description('write events in the versions of this release; no older release may be running')
    .option('--dry-run', 'print what would be raised, without raising it')
    .option(...json)
    .action(run('raise'));
};
