#!/usr/bin/env node
/**
 * The `atrium` command. What a user does goes over HTTP to the server at `ATRIUM_URL`; what an
 * operator does on the server is handed on to the server's own code. contract.md section 10.
 */
import { Command, CommanderError } from 'commander';
import { devToken } from './dev-token.ts';
import { eventsCommands } from './events.ts';
import { CommandFailed } from './failures.ts';
import { auditCommands, keysCommands } from './keys.ts';
import { messageFromServer, onServer, startServer } from './on-server.ts';
import { processesCommands } from './processes.ts';
import { projectionsCommands } from './projections.ts';

/** `ATRIUM_URL`; without it the server that this environment would start, on this machine. */
const serverUrl = ({ ATRIUM_URL, PORT }: NodeJS.ProcessEnv): string =>
  ATRIUM_URL || `http://localhost:${PORT || 4000}`;

const program = new Command('atrium')
  .description('Atrium: service desk, building graph, keys and sandboxes')
  .exitOverride()
  .showHelpAfterError();

program
  .command('start')
  .description('run the server; configured by the environment')
  .action(startServer);

program
  .command('import <file>')
  .description('import a building (JSON, or IFC as .ifc) straight into the database of the server')
  .requiredOption('--organisation <alias>', 'the organisation that owns the building')
  .option('--building <id>', 'import into this building; without it, a new one is made')
  .option('--replace', 'with --building: recreate internal ids and remove what the file lacks')
  .option('--json', 'print the result as JSON')
  .action(onServer('operator/import-command', 'importCommand'));

eventsCommands(program);
keysCommands(program);
auditCommands(program);
projectionsCommands(program);
processesCommands(program);

program
  .command('dev-token <email>')
  .description('print an access token of a demo user (development issuer only)')
  .option('--json', 'print the whole answer')
  .action(async (email: string, options: { json?: true }) => {
    const answer = await devToken(serverUrl(process.env), email);
    process.stdout.write(`${options.json ? JSON.stringify(answer) : answer.access_token}\n`);
  });

try {
  await program.parseAsync();
} catch (error) {
  // Commander has already said what was wrong with the words; help and version are no failure.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else {
    const message = error instanceof CommandFailed ? error.message : await messageFromServer(error);
    if (message === null) throw error;
    process.stderr.write(`atrium: ${message}\n`);
    process.exitCode = 1;
  }
}
