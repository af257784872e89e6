/** What a command for users is run with: its words, its options and where it prints. */
import type { Command } from 'commander';
import type { Terminal } from './terminal/terminal.ts';

/** Of every command that asks the server. */
export interface CallOptions {
  readonly json?: true;
  readonly token?: string;
  readonly profile?: string;
  readonly url?: string;
}

export interface Invocation<Options extends object = object> {
  readonly words: readonly string[];
  readonly options: Options & CallOptions;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly terminal: Terminal;
}

export type Run<Options extends object> = (invocation: Invocation<Options>) => Promise<void>;

/** Gives a command the options that every call of the server has. */
export const calling = (command: Command): Command =>
  command
    .option('--json', 'print JSON, as in a pipe')
    .option('--token <token>', 'an access token or API key, instead of the stored session')
    .option('--profile <name>', 'the stored session of this name')
    .option('--url <address>', 'the server; default: ATRIUM_URL, then that of the session');

/** Gives a command those, and the choice of another platform than the server's own. */
export const acting = (command: Command): Command =>
  calling(command).option('--sandbox <sandbox>', 'in this sandbox: its id, slug or name');

/**
 * The action of a command, whose code is loaded when it is run: other commands do not slow the
 * start.
 */
export const runs =
  <Options extends object>(load: () => Promise<Run<Options>>) =>
  async (...given: readonly unknown[]): Promise<void> => {
    const command = given.at(-1) as Command;
    const options = command.opts<Options & CallOptions>();
    const [run, { terminalOf }, { explained }] = await Promise.all([
      load(),
      import('./terminal/terminal.ts'),
      import('./explained.ts'),
    ]);
    const words = command.processedArgs.flat().filter((word) => word !== undefined) as string[];
    const terminal = terminalOf({ json: options.json ?? false });
    const invocation = { words, options, env: process.env, terminal };
    await explained(run(invocation), invocation);
  };
