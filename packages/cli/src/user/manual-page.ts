/** `atrium.1`, printed from the tree of commands: man(7). */
import type { EventEmitter } from 'node:events';
import type { Argument, Command, Option } from 'commander';

/** The page of a program and all its commands that are shown, in the order of its help. */
export const manualPage = (program: Command): string => {
  const commands = shownIn(program);
  const titles = [...new Set(commands.map((command) => command.helpGroup()))];
  const name = program.name();
  return [
    `.TH ${name.toUpperCase()} 1 "" "${name} ${program.version()}" "User Commands"`,
    '.SH NAME',
    `${name} \\- ${escaped(program.description())}`,
    '.SH SYNOPSIS',
    `.B ${name}`,
    escaped('<command> [options]'),
    ...titles.flatMap((title) => [
      `.SH "${escaped(title.replace(/:$/, '').toUpperCase())}"`,
      ...commands
        .filter((command) => command.helpGroup() === title)
        .flatMap((command) => leavesOf(command, name).flatMap(commandLines)),
    ]),
    '.SH NOTES',
    ...verbatim(textAfter(program)),
    '',
  ].join('\n');
};

interface Leaf {
  readonly command: Command;
  /** Its words, from the program on. */
  readonly words: string;
}

/** Commander adds `help`, which every manual page is already. */
const shownIn = (command: Command): readonly Command[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .filter((one) => one.name() !== 'help');

/** A command that has commands of its own may do something by itself. */
const leavesOf = (command: Command, before: string): readonly Leaf[] => {
  const words = `${before} ${command.name()}`;
  const below = shownIn(command).flatMap((one) => leavesOf(one, words));
  return below.length > 0 && command.registeredArguments.length === 0
    ? below
    : [{ command, words }, ...below];
};

const commandLines = ({ command, words }: Leaf): readonly string[] => {
  const help = command.createHelp();
  const given = command.registeredArguments.map((argument) => help.argumentTerm(argument));
  const syntax = command.registeredArguments.map(syntaxOf);
  const about = help.visibleArguments(command).map((argument: Argument, at) => ({
    term: given[at]!,
    text: help.argumentDescription(argument),
  }));
  const options = help
    .visibleOptions(command)
    .filter(({ long }) => long !== '--help')
    .map((option: Option) => ({
      term: help.optionTerm(option),
      text: help.optionDescription(option),
    }));
  return [
    `.SS "${escaped([words, ...syntax].join(' '))}"`,
    escaped(command.description()),
    ...[...about, ...options].flatMap(({ term, text }) => [
      '.TP',
      `.B ${escaped(term)}`,
      escaped(text),
    ]),
    ...verbatim(textAfter(command)),
  ];
};

const syntaxOf = (argument: Argument): string => {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
};

/** What `addHelpText('after', …)` has added, which commander gives to its listeners alone. */
const textAfter = (command: Command): string => {
  let text = '';
  const write = (more: string) => (text += more);
  // Its declarations do not say that a command is one.
  const emitter = command as Command & Pick<EventEmitter, 'emit'>;
  emitter.emit('afterHelp', { error: false, command, write });
  return text.trim();
};

const verbatim = (text: string): readonly string[] =>
  text === '' ? [] : ['.PP', '.nf', ...text.split('\n').map(escaped), '.fi'];

/** A line that is no request, with the characters that man(7) would change. */
const escaped = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('"', '\\(dq')
    .replaceAll("'", '\\(aq')
    .replaceAll('`', '\\(ga')
    .replaceAll(/[^\x20-\x7e]/gu, (one) => `\\[u${hexOf(one)}]`)
    .replace(/^(?=[.'])/, '\\&');

const hexOf = (character: string): string =>
  character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
