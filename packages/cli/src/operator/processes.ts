import type { Command } from 'commander';
import { onServer } from './on-server.ts';

/** `atrium processes …`: processes and timers, and their parked work. */
export const processesCommands = (program: Command): void => {
  const processes = program
    .command('processes')
    .description('inspect processes and timers, and release their parked work');

  const run = (action: string) =>
    onServer('operator/processes/commands', 'processesCommand', { action });
  const json = ['--json', 'print the result as JSON'] as const;

  processes
    .command('status')
    .description('status of each process and each timer table')
    .option(...json)
    .action(run('status'));

  processes
    .command('parked <name>')
    .description('list the parked streams of a process, or the stuck timers of a table')
    .option(...json)
    .action(run('parked'));

  for (const [action, about] of [
    ['retry', 'retry a parked stream from its first parked event, or a stuck timer'],
    ['skip', 'skip the event that parked a stream, or the due time of a stuck timer'],
  ] as const)
    processes
      .command(`${action} <name> [stream]`)
      .description(about)
      .option('--all', 'all that the process has parked, one after the other')
      .option(...json)
      .action(run(action));
};
