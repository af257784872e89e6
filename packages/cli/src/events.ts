import type { Command } from 'commander';
import type { OnServer } from './on-server.ts';

/** Answers with the exit code. */
type EventsCommand = (options: object) => Promise<number>;

const CATEGORIES = 'only streams of these categories, comma-separated';

/** `atrium events …`: the log itself, read and moved by an operator on the server. */
export const eventsCommands = (program: Command, onServer: OnServer): void => {
  const events = program
    .command('events')
    .description('read the event log, and move it from one backend to another');

  events
    .command('tail')
    .description('print events as they are recorded, until Ctrl-C; JSON lines when piped')
    .option('--from <position>', 'begin after this position instead of at the end of the log')
    .option('--from-start', 'begin with the first event')
    .option('--category <names>', CATEGORIES)
    .option('--stream <name>', 'only this stream')
    .option('--json', 'JSON lines at a terminal too')
    .action(async (options: object) => {
      const { tailCommand } = (await onServer('operator/events/tail-command')) as {
        tailCommand: EventsCommand;
      };
      process.exitCode = await tailCommand({ ...options, env: process.env });
    });

  events
    .command('export')
    .description('write the log as it is now, one event a line, with a checksum at the end')
    .option('--to <file>', 'a new file; - is standard output', '-')
    .option('--category <names>', CATEGORIES)
    .option('--after <position>', 'only what lies after this position')
    .option('--resume', 'go on with a file whose export was interrupted')
    .action(async (options: object) => {
      const { exportCommand } = (await onServer('operator/events/export-command')) as {
        exportCommand: EventsCommand;
      };
      process.exitCode = await exportCommand({ ...options, env: process.env });
    });

  events
    .command('import <file>')
    .description('bring the events of an export (- is standard input) into the configured log')
    .option('--dry-run', 'say what is missing and what differs, and change nothing')
    .option('--allow-incomplete', 'import a file that was cut off, as far as it is whole')
    .option('--renumber', 'number streams from 0 that have lost their beginning')
    .option('--fast', 'many streams at once: events may change places within 1,024 of each other')
    .addHelpText(
      'after',
      '\nNothing is imported twice: an import that was interrupted is simply given again.',
    )
    .action(async (file: string, options: object) => {
      const { importEventsCommand } = (await onServer('operator/events/import-command')) as {
        importEventsCommand: EventsCommand;
      };
      process.exitCode = await importEventsCommand({ ...options, file, env: process.env });
    });
};
