import { InvalidArgumentError, Option, type Command } from 'commander';
import { acting, runs } from '../invocation.ts';
import { limited, listed, repeatable } from './options.ts';
import { TICKET_STATES } from '../mcp/ticket-states.ts';

const STATES = TICKET_STATES.join(', ');
const TICKET = 'its id, or its number: SR-000001';
const SORTS = ['createdAt', 'updatedAt', 'dueAt', 'priority'].flatMap((key) => [key, `-${key}`]);
const PRIORITIES = ['low', 'medium', 'high', 'critical'];

const filtered = (command: Command): Command =>
  command
    .option('--state <states>', `comma-separated: ${STATES}`, listed)
    .option('--priority <priorities>', `comma-separated: ${PRIORITIES.join(', ')}`, listed)
    .option('--category <categories>', 'comma-separated', listed)
    .option('--building <id>', 'of this building')
    .option('--storey <id>', 'on this storey')
    .option('--space <id>', 'in this space')
    .option('--element <id>', 'about this element')
    .option('--user <id>', 'assigned to this user')
    .option('--team <id>', 'assigned to this team')
    .option('--mine', 'assigned to you')
    .option('--reporter <id>', 'raised by this user')
    .option('--search <words>', 'in number, subject, description, reporter or place')
    .option('--field <key=values>', 'filter by an answer of the form; can be repeated', fieldIn)
    .option('--overdue', 'with an overdue SLA clock');

const fieldIn = (text: string, before: Readonly<Record<string, string>> = {}) => {
  const [, key, values] = /^([^=]+)=(.*)$/.exec(text) ?? [];
  if (key === undefined) throw new InvalidArgumentError('Write <key>=<value>.');
  return { ...before, [`field.${key}`]: values! };
};

/** `atrium tickets …`: the service desk, of the server or of a sandbox. */
export const ticketsCommands = (program: Command): void => {
  const tickets = program.command('tickets').description('the service desk');

  limited(filtered(acting(tickets.command('list'))))
    .description('list tickets, the newest first')
    .addOption(new Option('--sort <order>', '- is descending (-createdAt)').choices(SORTS))
    .addHelpText(
      'after',
      `
Examples:
  $ atrium tickets list --state new,triaged --priority high
  $ atrium tickets list --mine --sort dueAt
  $ atrium tickets list --search thermostat --json | jq '.items[].number'
  $ atrium tickets list --sandbox "Checkout team"`,
    )
    .action(runs(async () => (await import('./tickets.ts')).listTickets));

  acting(tickets.command('get').alias('show').argument('<ticket>', TICKET))
    .description('show one with its timeline')
    .action(runs(async () => (await import('./tickets.ts')).getTicket));

  repeatable(acting(tickets.command('create').alias('raise')))
    .description('raise a ticket')
    .requiredOption('--description <text>', 'description of the problem')
    .option('--building <building>', 'its id, code or name; optional if there is only one')
    .option('--subject <text>', 'a short summary')
    .addOption(new Option('--priority <priority>', '(medium)').choices(PRIORITIES))
    .option('--category <text>', 'for filters and routing')
    .option('--type <slug>', 'the type of request (general)')
    .option('--space <id>', 'the space it is about')
    .addHelpText(
      'after',
      `
Examples:
  $ atrium tickets create --description "Too warm on the second floor" --priority high`,
    )
    .action(runs(async () => (await import('./ticket-changes.ts')).createTicket));

  acting(tickets.command('transition'))
    .argument('<ticket>', TICKET)
    .argument('<state>', STATES)
    .description('move a ticket to another state')
    .option('--note <text>', 'an internal note, added with the change')
    .addHelpText('after', '\nExamples:\n  $ atrium tickets transition SR-000001 triaged')
    .action(runs(async () => (await import('./ticket-changes.ts')).transitionTicket));

  repeatable(acting(tickets.command('note')))
    .argument('<ticket>', TICKET)
    .argument('<text>', 'of the note; - reads it from standard input')
    .description('add a note to a ticket')
    .option('--public', 'the reporter sees it too')
    .addHelpText('after', '\nExamples:\n  $ atrium tickets note SR-000001 "Fitted." --public')
    .action(runs(async () => (await import('./ticket-changes.ts')).addNote));

  repeatable(acting(tickets.command('assign')))
    .argument('<ticket>', TICKET)
    .description('assign a ticket to a person, a team, or remove its assignees')
    .option('--user <person>', 'by id or name')
    .option('--no-user', 'remove the assigned person')
    .option('--team <team>', 'by id or name')
    .option('--no-team', 'remove the assigned team')
    .option('--note <text>', 'an internal note, added with the change')
    .addHelpText(
      'after',
      '\nNames are looked up among the people and teams of the desk; any other text is sent ' +
        'as an id.\n\nExamples:\n  $ atrium tickets assign SR-000001 --user "Ada Agent"\n  $ ' +
        'atrium tickets assign SR-000001 --team hvac --no-user',
    )
    .action(runs(async () => (await import('./ticket-changes.ts')).assignTicket));

  transferCommands(tickets);
};

const transferCommands = (tickets: Command): void => {
  filtered(acting(tickets.command('export')))
    .argument('[file]', 'a new file, or - for standard output (-)')
    .description('write tickets to a file, oldest first, one per line as JSON')
    .option('--csv', 'for spreadsheets')
    .option('--files <directory>', 'download the attachments that are not in this directory yet')
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
    .description('create a ticket for each line; repeating a line creates no second ticket')
    .option('--no-routing', 'do not run the routing rules')
    .option(
      '--files <directory>',
      'attach the files of an export; repeating it attaches none twice',
    )
    .option('--failed <file>', 'write the lines that failed to this new file')
    .addHelpText(
      'after',
      '\nIf it is interrupted, repeat the command to continue. Exit code 1: some lines have ' +
        'failed.\n\nExamples:\n  $ atrium tickets import tickets.ndjson --failed failed.ndjson\n ' +
        ' $ atrium tickets export --sandbox a - | atrium tickets import --sandbox b -',
    )
    .action(runs(async () => (await import('./tickets-import.ts')).importTickets));
};
