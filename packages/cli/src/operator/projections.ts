import type { Command } from 'commander';
import { onServer } from './on-server.ts';

/** `atrium projections …`: status and rebuilds of the read models. */
export const projectionsCommands = (program: Command): void => {
  const projections = program
    .command('projections')
    .description('inspect and rebuild the read models');

  const run = (action: string) =>
    onServer('operator/projections/commands', 'projectionsCommand', { action });
  const json = ['--json', 'print the result as JSON'] as const;
  const wait = [
    '--wait <seconds>',
    'how long to wait for a process to start it (default: 30)',
  ] as const;

  projections
    .command('status')
    .description('status of each read model, including those of other releases')
    .option(...json)
    .action(run('status'));

  projections
    .command('prepare')
    .description('build the read models of this release while an older one runs, and exit')
    .option(...json)
    .action(run('prepare'));

  projections
    .command('rebuild [name]')
    .description(
      'rebuild one or all read models next to the live ones, then replace them; Ctrl-C ' +
        'cancels',
    )
    .option('--accept-parked', 'replace the live one even if more streams are parked than before')
    .option(...wait)
    .option(...json)
    .action(run('rebuild'));

  projections
    .command('verify [name]')
    .description(
      'rebuild one or all read models temporarily and compare; exit code 1 if one differs',
    )
    .option(...wait)
    .option(...json)
    .action(run('verify'));

  projections
    .command('parked [name]')
    .description('list the streams parked because an event could not be applied')
    .option(...json)
    .action(run('parked'));

  for (const [action, about] of [
    ['retry', 'retry a parked stream from its first parked event'],
    ['skip', 'skip the event that parked a stream, and continue with the stream'],
  ] as const)
    projections
      .command(`${action} <name> [stream]`)
      .description(about)
      .option('--all', 'all that the read model has parked, one after the other')
      .option(...wait)
      .option(...json)
      .action(run(action));

  projections
    .command('drop <name> <version>')
    .description('drop a version that no process updates')
    .option(...json)
    .action(run('drop'));
};
