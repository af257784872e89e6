import type { Command } from 'commander';
import { onServer } from './on-server.ts';

/** `atrium projections …`: the read models, looked at and made anew by an operator. */
export const projectionsCommands = (program: Command): void => {
  const projections = program
    .command('projections')
    .description('look at the read models, and make them anew');

  const run = (action: string) =>
    onServer('operator/projections/commands', 'projectionsCommand', { action });
  const json = ['--json', 'print the result as JSON'] as const;
  const wait = ['--wait <seconds>', 'for a process to begin it (default: 30)'] as const;

  projections
    .command('status')
    .description('how each read model stands, those of other releases too')
    .option(...json)
    .action(run('status'));

  projections
    .command('prepare')
    .description('build the versions of this release, beside a running older one, and exit')
    .option(...json)
    .action(run('prepare'));

  projections
    .command('rebuild <name>')
    .description('build a read model anew beside the live one, and swap it in; Ctrl-C cancels')
    .option('--accept-parked', 'swap it in though streams are parked that were not')
    .option(...wait)
    .option(...json)
    .action(run('rebuild'));

  projections
    .command('verify <name>')
    .description('build it beside, compare, and leave nothing behind; exit code 1 if it differs')
    .option(...wait)
    .option(...json)
    .action(run('verify'));

  projections
    .command('parked [name]')
    .description('streams that were set aside because an event could not be applied')
    .option(...json)
    .action(run('parked'));

  for (const [action, about] of [
    ['retry', 'apply a parked stream from its first parked event on'],
    ['skip', 'leave out the event that parked a stream, and go on with the stream'],
  ] as const)
    projections
      .command(`${action} <name> <stream>`)
      .description(about)
      .option(...wait)
      .option(...json)
      .action(run(action));

  projections
    .command('drop <name> <version>')
    .description('drop a version that no process feeds')
    .option(...json)
    .action(run('drop'));
};
