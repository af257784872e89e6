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
    .option('--from <position>', 'start after this position instead of at the end of the log')
    .option('--from-start', 'start with the first event')
    .option('--category <names>', CATEGORIES)
    .option('--stream <name>', 'only this stream')
    .option('--json', 'JSON lines at a terminal too')
    .action(onServer('operator/events/tail-command', 'tailCommand'));

  events
    .command('export')
    .description('write the log as it is now, one event per line, with a checksum at the end')
    .option('--to <file>', 'a new file; - is standard output', '-')
    .option('--category <names>', CATEGORIES)
    .option('--after <position>', 'only events after this position')
    .option('--resume', 'continue a file whose export was interrupted')
    .option('--erase', 'seal personal data that the log holds in the clear, so that it is erasable')
    .action(onServer('operator/events/export-command', 'exportCommand'));

  events
    .command('import <file>')
    .description('import the events of an export (- is standard input) into the configured log')
    .option('--dry-run', 'report missing and different events, without changing anything')
    .option('--allow-incomplete', 'import the intact part of a truncated file')
    .option('--renumber', 'renumber streams that have lost their beginning from 0')
    .option(
      '--fast',
      'several streams in parallel: the order of events may differ within 1,024 events',
    )
    .addHelpText(
      'after',
      '\nNo event is imported twice: if an import was interrupted, run it again.',
    )
    .action(onServer('operator/events/import-command', 'importEventsCommand'));

  events
    .command('verify <file>')
    .description('compare a file of export --erase with the log, except for personal data')
    .action(onServer('operator/events/verify-command', 'verifyEventsCommand'));
};
