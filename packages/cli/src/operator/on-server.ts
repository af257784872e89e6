import type { Command } from 'commander';
import type { ExitCode } from '../exit-codes.ts';
import { CommandFailed, usageError } from '../failures.ts';
import { checkout } from './checkout.ts';

/** The parts of the server's code that carry out an operator's commands. */
type ServerPart =
  | 'start'
  | 'operator/commit'
  | 'operator/audit-chain/checkpoint-command'
  | 'operator/audit-chain/key-command'
  | 'operator/backup/create-command'
  | 'operator/backup/drill-command'
  | 'operator/backup/list-command'
  | 'operator/backup/restore-command'
  | 'operator/backup/verify-command'
  | 'operator/doctor/command'
  | 'operator/feed/commands'
  | 'operator/import-command'
  | 'operator/events/tail-command'
  | 'operator/events/export-command'
  | 'operator/events/import-command'
  | 'operator/events/verify-command'
  | 'operator/keys/mint-command'
  | 'operator/keys/replay-command'
  | 'operator/keys/verify-command'
  | 'operator/log/adopt-command'
  | 'operator/log/restored-command'
  | 'operator/operator-error'
  | 'operator/processes/commands'
  | 'operator/projections/commands'
  | 'operator/releases/commands'
  | 'operator/secrets/rewrap-command'
  | 'operator/streams/skip-command'
  | 'operator/support-bundle/command';

/**
 * The code of the server that this package is part of, in a checkout or image. Loaded when needed.
 *
 * @throws {@link CommandFailed} where the package was installed alone, and on a Node that does not
 *   run the server's TypeScript.
 */
const load = async <Part>(name: ServerPart): Promise<Part> => {
  const root = checkout();
  if (root === null)
    throw new CommandFailed(
      'this command works where the server is installed: in a checkout or image of Atrium',
    );
  // Node 20 does not have it.
  const { typescript } = process.features as { readonly typescript?: string | false };
  if (!typescript)
    throw new CommandFailed(
      `this command needs Node 24, and this is ${process.version}; run npx atrium in the checkout`,
    );
  return (await import(new URL(`src/${name}.ts`, root).href)) as Part;
};

/**
 * `version`, with the commit where this package is part of a checkout or image that knows it:
 * `0.2.0 (4f2a9c1e)`.
 */
export const versionHere = async (version: string): Promise<string> => {
  const { typescript } = process.features as { readonly typescript?: string | false };
  if (checkout() === null || !typescript) return version;
  const { builtFrom } = await load<{
    builtFrom(config: { readonly commit: string | null }): string | null;
  }>('operator/commit');
  const commit = builtFrom({ commit: process.env['ATRIUM_COMMIT'] || null });
  return commit === null ? version : `${version} (${commit.slice(0, 8)})`;
};

export const startServer = (): Promise<void> =>
  explained(async () => {
    const { main } = await load<{ main(env: NodeJS.ProcessEnv): Promise<void> }>('start');
    await main(process.env);
  });

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
    await explained(async () => {
      const members = await load<Record<string, (options: object) => Promise<number>>>(part);
      process.exitCode = await members[member]!(options);
    });
  };

/** Explains errors of the server's code to a person; a bug keeps its stack. */
const explained = async (work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    if (error instanceof CommandFailed) throw error;
    type Part = {
      messageForOperator(error: unknown): string | null;
      readonly OperatorError: new () => Error & { readonly code: string | null };
      readonly UsageError: new () => Error;
      readonly Interrupted: new () => Error & { readonly exitCode: ExitCode };
    };
    const { messageForOperator, OperatorError, UsageError, Interrupted } =
      await load<Part>('operator/operator-error');
    const message = messageForOperator(error);
    if (message === null) throw error;
    if (error instanceof UsageError) throw usageError(message, error);
    if (error instanceof Interrupted) throw new CommandFailed(message, error, error.exitCode);
    const code = error instanceof OperatorError ? error.code : null;
    throw new CommandFailed(message, error, undefined, code === null ? undefined : { code });
  }
};
