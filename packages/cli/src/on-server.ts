import type { Command } from 'commander';

/** The parts of the server's code that carry out an operator's commands. */
type ServerPart =
  | 'main'
  | 'operator/import-command'
  | 'operator/events/tail-command'
  | 'operator/events/export-command'
  | 'operator/events/import-command'
  | 'operator/keys/mint-command'
  | 'operator/keys/replay-command'
  | 'operator/keys/verify-command'
  | 'operator/operator-error'
  | 'operator/processes/commands'
  | 'operator/projections/commands';

/** The server's code, beside this package in a checkout or an image. Loaded only when needed. */
const load = <Part>(name: ServerPart): Promise<Part> =>
  import(new URL(`../../../src/${name}.ts`, import.meta.url).href);

export const startServer = async (): Promise<void> => {
  const { main } = await load<{ main(env: NodeJS.ProcessEnv): Promise<void> }>('main');
  await main(process.env);
};

/**
 * The action of a command that the server's code carries out. It is given the arguments and options
 * by their names, and the environment; what it answers is the exit code.
 *
 * @param member The function that `part` exports for it.
 */
export const onServer =
  (part: ServerPart, member: string, more: object = {}) =>
  async (...given: readonly unknown[]): Promise<void> => {
    const command = given.at(-1) as Command;
    const values = command.registeredArguments.map((argument, at) => [
      argument.name(),
      command.processedArgs[at] as string | undefined,
    ]);
    const options = { ...more, ...Object.fromEntries(values), ...command.opts(), env: process.env };
    const members = await load<Record<string, (options: object) => Promise<number>>>(part);
    process.exitCode = await members[member]!(options);
  };

/** What a person is told of an error in the server's code; `null` for a bug. */
export const messageFromServer = async (error: unknown): Promise<string | null> => {
  type Part = { messageForOperator(error: unknown): string | null };
  return (await load<Part>('operator/operator-error')).messageForOperator(error);
};
