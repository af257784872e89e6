import { Option, type Command } from 'commander';
import { acting, runs } from '../invocation.ts';
import { count } from './numbers.ts';

const STATES = 'new, triaged, in_progress, waiting, resolved, reopened, closed, cancelled';
const PRIORITIES = ['low', 'medium', 'high', 'critical'];

const filtered = (command: Command): Command =>
  command
    .option('--state <states>', `comma-separated: ${STATES}`, listed)
    .option('--priority <priorities>', `comma-separated: ${PRIORITIES.join(', ')}`, listed)
    .option('--category <categories>', 'comma-separated', listed)
    .option('--building <id>', 'of this building')
    .option('--user <id>', 'assigned to this user')
    .option('--team <id>', 'assigned to this team')
    .option('--search <words>', 'in number, subject or description')
    .option('--overdue', 'a clock of it is past due');

/** `atrium tickets …`: the service desk, of the server or of a sandbox. */
export const ticketsCommands = (program: Command): void => {
  const tickets = program.command('tickets').description('the service desk');

  filtered(acting(tickets.command('list')))
    .description('list tickets, the newest first')
    .option('--limit <number>', 'at most so many (50)', count)
    .addHelpText(
      'after',
      `
Examples:
  $ atrium tickets list --state new,triaged --priority high
  $ atrium tickets list --search thermostat --json | jq '.items[].number'
  $ atrium tickets list --sandbox checkout-team`,
    )
    .action(runs(async () => (await import('./tickets.ts')).listTickets));

  acting(tickets.command('get').argument('<ticket>', 'its id, or its number: SR-000001'))
    .description('show one')
    .action(runs(async () => (await import('./tickets.ts')).getTicket));

  acting(tickets.command('create'))
    .description('raise a ticket')
    .requiredOption('--description <text>', 'what is the matter')
    .option('--building <id>', 'where; not needed where there is one building')
    .option('--subject <text>', 'in a few words')
    .addOption(new Option('--priority <priority>', '(medium)').choices(PRIORITIES))
    .option('--category <text>', 'for filters and routing')
    .option('--type <slug>', 'the type of request (general)')
    .option('--space <id>', 'the space it is about')
    .option('--idempotency-key <key>', 'the same key again is the same ticket')
    .addHelpText(
      'after',
      `
Examples:
  $ atrium tickets create --description "Too warm on the second floor" --priority high`,
    )
    .action(runs(async () => (await import('./ticket-changes.ts')).createTicket));

  acting(tickets.command('transition'))
    .argument('<ticket>', 'its id, or its number')
    .argument('<state>', STATES)
    .description('move a ticket to another state')
    .option('--note <text>', 'an internal note beside it')
    .addHelpText('after', '\nExamples:\n  $ atrium tickets transition SR-000001 triaged')
    .action(runs(async () => (await import('./ticket-changes.ts')).transitionTicket));

  transferCommands(tickets);
};

const transferCommands = (tickets: Command): void => {
  filtered(acting(tickets.command('export')))
    .argument('[file]', 'a new file, or - for standard output (-)')
    .description('write tickets to a file, the oldest first: one as JSON on each line')
    .option('--csv', 'for spreadsheets')
    .option('--files <directory>', 'fetch the attachments that this directory lacks')
    .addHelpText(
      'after',
      `
Examples:
  $ atrium tickets export tickets.ndjson
  $ atrium tickets export --state closed --csv closed.csv
  $ atrium tickets export - | jq -r .number
  $ atrium tickets export all.ndjson --files files`,
    )
    .action(runs(async () => (await import('./tickets-export.ts')).exportTickets));

  acting(tickets.command('import'))
    .argument('<file>', 'of an export, or a ticket with an importKey on each line; - reads them')
    .description('open a ticket for each line; the same line again is the same ticket')
    .option('--no-routing', 'do not run the routing rules')
    .option('--files <directory>', 'attach the files of an export, each once')
    .option('--failed <file>', 'write the lines that failed to this new file')
    .addHelpText(
      'after',
      `
Where it breaks off, the same command again goes on. Exit code 1: some lines have failed.

Examples:
  $ atrium tickets import tickets.ndjson --failed failed.ndjson
  $ atrium tickets export --sandbox a - | atrium tickets import --sandbox b -`,
    )
    .action(runs(async () => (await import('./tickets-import.ts')).importTickets));
};

const listed = (text: string): readonly string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
