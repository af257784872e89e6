import type { Command } from 'commander';
import { onServer } from './on-server.ts';

const CATEGORIES = 'only streams of these categories, comma-separated';

/** `atrium events …`: the log itself, read and moved by an operator on the server. */
export const eventsCommands = (program: Command): void => {
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
    .action(onServer('operator/events/tail-command', 'tailCommand'));

  events
    .command('export')
    .description('write the log as it is now, one event a line, with a checksum at the end')
    .option('--to <file>', 'a new file; - is standard output', '-')
    .option('--category <names>', CATEGORIES)
    .option('--after <position>', 'only what lies after this position')
    .option('--resume', 'go on with a file whose export was interrupted')
    .option('--erase', 'seal personal data that the log holds in the clear, so that it is erasable')
    .action(onServer('operator/events/export-command', 'exportCommand'));

  events
    .command('import <file>')
    .description('import the events of an export (- is standard input) into the configured log')
    .option('--dry-run', 'say what is missing and what differs, and change nothing')
    .option('--allow-incomplete', 'import a file that was cut off, as far as it is whole')
    .option('--renumber', 'number streams from 0 that have lost their beginning')
    .option('--fast', 'many streams at once: events may change places within 1,024 of each other')
    .addHelpText(
      'after',
      '\nNothing is imported twice: an import that was interrupted is simply given again.',
    )
    .action(onServer('operator/events/import-command', 'importEventsCommand'));

  events
    .command('verify <file>')
    .description('compare a file of export --erase with the log, but for personal data')
    .action(onServer('operator/events/verify-command', 'verifyEventsCommand'));
};
