import type { Command } from 'commander';
import type { OnServer } from './on-server.ts';

/** Answers with the exit code. */
type ProjectionsCommand = (options: object) => Promise<number>;

/** `atrium projections …`: the read models, looked at and made anew by an operator. */
export const projectionsCommands = (program: Command, onServer: OnServer): void => {
  const projections = program
    .command('projections')
    .description('look at the read models, and make them anew');

  const carriedOut = async (command: object) => {
    const { projectionsCommand } = (await onServer('operator/projections/commands')) as {
      projectionsCommand: ProjectionsCommand;
    };
    process.exitCode = await projectionsCommand({ ...command, env: process.env });
  };
  const json = ['--json', 'print the result as JSON'] as const;

  projections
    .command('status')
    .description('how each read model stands, those of other releases too')
    .option(...json)
    .action((options: object) => carriedOut({ action: 'status', ...options }));

  projections
    .command('prepare')
    .description('build the versions of this release, beside a running older one, and exit')
    .option(...json)
    .action((options: object) => carriedOut({ action: 'prepare', ...options }));

  projections
    .command('rebuild <name>')
    .description('build a read model anew beside the live one, and swap it in; Ctrl-C cancels')
    .option('--accept-parked', 'swap it in though streams are parked that were not')
    .option(...json)
    .action((name: string, options: object) => carriedOut({ action: 'rebuild', name, ...options }));

  projections
    .command('verify <name>')
    .description('build it beside, compare, and leave nothing behind; exit code 1 if it differs')
    .option(...json)
    .action((name: string, options: object) => carriedOut({ action: 'verify', name, ...options }));

  projections
    .command('parked [name]')
    .description('streams that were set aside because an event could not be applied')
    .option(...json)
    .action((name: string | undefined, options: object) =>
      carriedOut({ action: 'parked', ...(name === undefined ? {} : { name }), ...options }),
    );

  for (const [action, about] of [
    ['retry', 'apply a parked stream from its first parked event on'],
    ['skip', 'leave out the event that parked a stream, and go on with the stream'],
  ] as const)
    projections
      .command(`${action} <name> <stream>`)
      .description(about)
      .option(...json)
      .action((name: string, stream: string, options: object) =>
        carriedOut({ action, name, stream, ...options }),
      );

  projections
    .command('drop <name> <version>')
    .description('drop a version that no process feeds')
    .option(...json)
    .action((name: string, version: string, options: object) =>
      carriedOut({ action: 'drop', name, version, ...options }),
    );
};
