/** How a command that failed says so: one line for people, one JSON line under `--json`. */
import type { Command, CommanderError } from 'commander';
import { CommandFailed, usageError } from './failures.ts';

/** Prints it on standard error, so that standard output has results alone; sets the exit code. */
export const reportFailure = ({ message, details, exitCode }: CommandFailed, json: boolean) => {
  // Further lines are hints for people.
  const [first] = message.split('\n');
  const line = json
    ? JSON.stringify({ error: { ...details, message: first } })
    : `atrium: ${message}`;
  process.stderr.write(`${line}\n`);
  process.exitCode = exitCode;
};

/** Whether the words ask for JSON: read by hand, because they may be words that fail to parse. */
export const asksForJson = (words: readonly string[]): boolean => {
  const end = words.indexOf('--');
  return words.slice(0, end === -1 ? undefined : end).includes('--json');
};

/**
 * What Commander has found wrong with the words, with its suggestion first and the way to the help
 * last.
 *
 * @param command The innermost that the words name.
 */
export const usageErrorOf = (error: CommanderError, command: Command): CommandFailed => {
  const path = pathOf(command);
  if (error.code === 'commander.help')
    return usageError(
      `${path} needs one of: ${subcommandsOf(command).join(', ')}\nSee: ${path} --help`,
      error,
    );
  const [said = '', suggestion] = error.message.replace(/^error: /, '').split('\n');
  const meant = suggestion === undefined ? '' : ` ${suggestion.replaceAll(/^\(|\)$/g, '')}`;
  return usageError(`${said.replace(/\.?$/, '.')}${meant}\nSee: ${path} --help`, error);
};

const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;

const subcommandsOf = (command: Command): readonly string[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .map((one) => one.name())
    .filter((name) => name !== 'help');
