/**
 * A process that runs `atrium` commands one after another: each message is the environment and the
 * words of one. Its streams are pipes of the parent, to which a mark is written when one has ended.
 */
import { run } from '../../../packages/cli/src/program.ts';

export interface KeptCommand {
  readonly environment: Readonly<Record<string, string>>;
  readonly words: readonly string[];
  /** Written to standard output and standard error, before the exit code, when it has ended. */
  readonly mark: string;
}

const runOne = async ({ environment, words, mark }: KeptCommand): Promise<void> => {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
  process.argv.splice(2, Infinity, ...words);
  process.exitCode = undefined;
  await run();
  for (const name of ['SIGINT', 'SIGTERM']) process.removeAllListeners(name);
  const streams = [process.stdout, process.stderr];
  // A command that has ended its output needs another process for the next one.
  if (!streams.every((stream) => stream.writable)) process.exit();
  for (const stream of streams) stream.write(`${mark}${process.exitCode ?? 0}\n`);
};

for (const emitter of [process, process.stdout, process.stderr]) emitter.setMaxListeners(0);
process.on('disconnect', () => process.exit());
// What a command throws ends this process as it would end the command's own.
process.on('message', (command: KeptCommand) => void runOne(command));
