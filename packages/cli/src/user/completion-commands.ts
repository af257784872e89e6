import { Argument, type Command, type Option } from 'commander';
import { runs } from '../invocation.ts';

const SHELLS = ['bash', 'zsh', 'fish'];

/** Completion of words by the shell, which asks the program itself. */
export const completionCommands = (program: Command): void => {
  program
    .command('completion')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .description('print a script that lets the shell complete the words of this command')
    .addHelpText(
      'after',
      `
Examples:
  $ atrium completion bash > ~/.local/share/bash-completion/completions/atrium
  $ atrium completion zsh > "\${fpath[1]}/_atrium"
  $ atrium completion fish > ~/.config/fish/completions/atrium.fish`,
    )
    .action(runs(async () => (await import('./completion-scripts.ts')).printScript));

  program
    .command('complete', { hidden: true })
    .description('what may follow these words, the last of which is being typed')
    .argument('[words...]')
    .action(async (words: readonly string[]) => {
      const { namesFor } = await import('./completion-names.ts');
      const said = { env: process.env, words };
      const asked = placeholdersFor(program, words).map((name) => namesFor(name, said));
      const begun = words.at(-1) ?? '';
      const names = (await Promise.all(asked)).flat().filter((name) => name.startsWith(begun));
      const all = new Set([...candidatesFor(program, words), ...names]);
      for (const candidate of all) process.stdout.write(`${candidate}\n`);
    });
};

/** What the last word stands for, as the help of its command has it. */
export const placeholdersFor = (program: Command, words: readonly string[]): readonly string[] => {
  const begun = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const command = commandOf(program, before);
  const option = takingOption(command, before.at(-1));
  if (option) return [/[<[]([\w-]+)/.exec(option.flags)?.[1] ?? ''];
  if (begun.startsWith('-')) return [];
  return command.registeredArguments.map((argument) => argument.name());
};

/** The option of this name, if its value is the word after it. */
const takingOption = (command: Command, word: string | undefined): Option | undefined =>
  command.options.find(({ long, required, optional }) => long === word && (required || optional));

/** What may stand in place of the last word, which is begun. */
export const candidatesFor = (program: Command, words: readonly string[]): readonly string[] => {
  const begun = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const command = commandOf(program, before);
  const option = takingOption(command, before.at(-1));
  const all = option
    ? (option.argChoices ?? [])
    : begun.startsWith('-')
      ? optionsOf(command)
      : namesIn(command);
  return all.filter((candidate) => candidate.startsWith(begun)).toSorted();
};

/** The command that the words lead to; those that are none of its own are its arguments. */
export const commandOf = (program: Command, words: readonly string[]): Command =>
  words.reduce(
    (command, word) => command.commands.find((one) => one.name() === word) ?? command,
    program,
  );

const optionsOf = (command: Command): readonly string[] => [
  ...command.options.flatMap(({ long }) => long ?? []),
  '--help',
];

const namesIn = (command: Command): readonly string[] => [
  ...command
    .createHelp()
    .visibleCommands(command)
    .map((one) => one.name()),
  ...command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
];
