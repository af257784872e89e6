/** The words of the `atrium` command. What they do is loaded when it is asked for. */
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import { addExamples } from './examples.ts';
import { exitCodeLines, exitCodes } from './exit-codes.ts';
import { asksForJson, reportFailure, usageErrorOf } from './failure-report.ts';
import { CommandFailed } from './failures.ts';
import { eventsCommands } from './operator/events.ts';
import { auditCommands } from './operator/keys.ts';
import { feedCommands } from './operator/feed.ts';
import { backupCommands } from './operator/backup.ts';
import { logCommands } from './operator/log.ts';
import { onServer, startServer, versionHere } from './operator/on-server.ts';
import { processesCommands } from './operator/processes.ts';
import { projectionsCommands } from './operator/projections.ts';
import { releasesCommands } from './operator/releases.ts';
import { secretsCommands } from './operator/secrets.ts';
import { interruptible } from './terminal/interrupts.ts';
import { isReaderGone } from './terminal/reader.ts';
import { apiCommand } from './user/api-command.ts';
import { buildingsCommands } from './user/buildings/commands.ts';
import { commandOf, completionCommands } from './user/completion-commands.ts';
import { erasuresCommands } from './user/erasures/commands.ts';
import { keysCommands } from './user/keys-commands.ts';
import { listenCommand } from './user/listen-command.ts';
import { manCommand } from './user/man-command.ts';
import { mcpCommand } from './user/mcp-command.ts';
import { sandboxCommands } from './user/sandbox-commands.ts';
import { sessionCommands } from './user/session-commands.ts';
import { subjectsCommands } from './user/subjects/commands.ts';
import { tailCommand } from './user/tail-command.ts';
import { ticketsCommands } from './user/tickets-commands.ts';
import { telemetryCommands } from './user/telemetry/commands.ts';
import { triggerCommand } from './user/trigger-command.ts';
import { webhooksCommands } from './user/webhooks/commands.ts';

/**
 * @param writeErr Gets the help that is printed for want of a command; default: dropped.
 * @param version What `--version` prints. Default: the version of this package.
 */
export const programOf = (
  writeErr: (text: string) => void = () => {},
  version: string = manifest.version,
): Command => {
  const program = new Command('atrium')
    .description('Atrium: service desk, building graph, keys and sandboxes')
    .version(version, '-V, --version', 'print the version of this command')
    .exitOverride()
    // One function reports all errors, those of the parser included.
    .configureOutput({ outputError: () => {}, writeErr })
    .addHelpText('after', ENDING);

  program.commandsGroup('Use a server:');
  sessionCommands(program);
  sandboxCommands(program);
  keysCommands(program);
  ticketsCommands(program);
  webhooksCommands(program);
  buildingsCommands(program);
  telemetryCommands(program);
  erasuresCommands(program);
  subjectsCommands(program);
  apiCommand(program);
  triggerCommand(program);
  tailCommand(program);
  listenCommand(program);
  mcpCommand(program);
  completionCommands(program);
  manCommand(program);
  exitCodesTopic(program);

  program.commandsGroup('Operate a server, where it runs:');
  operatorCommands(program);
  addExamples(program);
  return program;
};

/** The last colon of each separates. */
const pairsOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split(',').map((pair) => {
      const at = pair.lastIndexOf(':');
      if (at < 1) throw new InvalidArgumentError('Write <from>:<to>, separated by commas.');
      return [pair.slice(0, at), pair.slice(at + 1).toLowerCase()];
    }),
  );

const operatorCommands = (program: Command): void => {
  program
    .command('start')
    .description('run the server; configured by the environment')
    .action(startServer);

  program
    .command('import <file>')
    .description(
      'import a building (JSON, or IFC as .ifc) straight into the database of the server',
    )
    .requiredOption('--organisation <alias>', 'the organisation that owns the building')
    .option('--building <id>', 'import into this building; default: create a new one')
    .option(
      '--replace',
      'with --building: recreate internal ids and remove nodes that are not in the file',
    )
    .option('--model <name>', 'the model that the file contains, such as electrical')
    .option('--choose <GlobalId>', 'the building to import from a file with several')
    .option(
      '--storeys <from:to,...>',
      'match storeys of the file to other models: <externalId or code>:<id, or new>',
      pairsOf,
    )
    .option('--json', 'print the result as JSON')
    .action(onServer('operator/import-command', 'importCommand'));

  program
    .command('doctor')
    .description('check every dependency of the server, one per line; exit code 1 if any fails')
    .option('--within <seconds>', 'time limit per check; default: 5')
    .option('--files', 'only compare the attachments with the file store')
    .option('--files-after <key>', 'continue after this key, as printed by --files')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      '\nWorks while the server or parts of it are down. Changes nothing and prints no ' +
        'secrets.',
    )
    .action(onServer('operator/doctor/command', 'doctorCommand'));

  program
    .command('support-bundle [file]')
    .description('write diagnostics for support, without secrets and personal data')
    .option('--log <file>', "a file of the server's log, as JSON lines; its end is added")
    .action(onServer('operator/support-bundle/command', 'supportBundleCommand'));

  eventsCommands(program);
  backupCommands(program);
  logCommands(program);
  auditCommands(program);
  projectionsCommands(program);
  processesCommands(program);
  feedCommands(program);
  program
    .command('skip <stream>')
    .description('skip the unreadable event of a stream, wherever the stream is parked')
    .option('--yes', 'skip it; default: only show where the stream is parked')
    .option('--json', 'print the result as JSON')
    .action(onServer('operator/streams/skip-command', 'skipCommand'));
  releasesCommands(program);
  secretsCommands(program);

  program
    .command('dev-token <email>')
    .description('print an access token of a demo user (development issuer only)')
    .option('--json', 'print the whole response')
    .action(async (email: string, options: { json?: true }) => {
      const { printDevToken } = await import('./dev-token.ts');
      await printDevToken(email, options);
    });
};

const ENDING = `
Examples:
  $ atrium login
  $ atrium sandbox create --name "Checkout team" --wait
  $ atrium tickets list --sandbox "Checkout team"
  $ atrium keys list --json

Results go to standard output, as JSON where it is no terminal; all else to standard error.

Exit codes (more: atrium help exit-codes):
${exitCodeLines().join('\n')}

Environment:
  ATRIUM_URL      the server
  ATRIUM_TOKEN    an access token or API key, before the stored session and after --token
  ATRIUM_PROFILE  the stored session to use, after --profile`;

/** `atrium help exit-codes`. */
const exitCodesTopic = (program: Command): void => {
  program
    .command('exit-codes', { hidden: true })
    .configureHelp({ formatHelp: () => EXIT_CODES })
    .action((_, command: Command) => command.help());
};

const EXIT_CODES = `What atrium ends with:

${exitCodeLines().join('\n')}

A failure is a line on standard error. Under --json that line, the last one there, is
{"error":{"code","message","status","requestId"}}; status and requestId are of the answer, where
there was one. Codes of the API: docs/reference/problems.md. Codes of the command: USAGE, CANCELLED,
NO_SERVER, NOT_ATRIUM, SIGN_IN_NEEDED, STILL_PROVISIONING, INTERRUPTED, TERMINATED, FAILED.
`;

/** Does what the words say; sets the exit code. */
export const run = async (): Promise<void> => {
  const words = process.argv.slice(2);
  const help: string[] = [];
  const asksForVersion = words.some((word) => word === '-V' || word === '--version');
  const version = asksForVersion ? await versionHere(manifest.version) : undefined;
  const program = programOf((text) => void help.push(text), version);
  try {
    await interruptible(async () => void (await program.parseAsync()), asksForJson(words));
  } catch (error) {
    // Help and version are no failure.
    if (error instanceof CommanderError && error.exitCode === 0) return;
    if (isReaderGone(error)) return;
    const command = commandOf(program, words);
    if (error instanceof CommanderError && error.code === 'commander.help' && command === program) {
      process.stderr.write(help.join(''));
      process.exitCode = exitCodes.cancelled;
    } else if (error instanceof CommanderError)
      reportFailure(usageErrorOf(error, command), asksForJson(words));
    else if (error instanceof CommandFailed) reportFailure(error, asksForJson(words));
    else throw error;
  }
};
