import type { Command } from 'commander';
import { onServer } from './on-server.ts';

/** `atrium processes …`: what reacts to events and to time, and what it has set aside. */
export const processesCommands = (program: Command): void => {
  const processes = program
    .command('processes')
    .description('look at processes and timers, and free what they have set aside');

  const run = (action: string) =>
    onServer('operator/processes/commands', 'processesCommand', { action });
  const json = ['--json', 'print the result as JSON'] as const;

  processes
    .command('status')
    .description('how each process and each table of timers stands')
    .option(...json)
    .action(run('status'));

  processes
    .command('parked <name>')
    .description('streams that a process has set aside, or timers that are stuck')
    .option(...json)
    .action(run('parked'));

  for (const [action, about] of [
    ['retry', 'handle a parked stream from its first parked event on; fire a stuck timer again'],
    ['skip', 'leave out the event that parked a stream, or the due time of a stuck timer'],
  ] as const)
    processes
      .command(`${action} <name> <stream>`)
      .description(about)
      .option(...json)
      .action(run(action));
};
