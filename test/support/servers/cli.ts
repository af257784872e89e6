/** The `atrium` command as an operator types it, in a process of its own. */
import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { programEnvironment } from './environment.ts';

const CLI = fileURLToPath(new URL('../../../packages/cli/src/atrium.ts', import.meta.url));

export type Environment = Readonly<Record<string, string>>;

export interface Ended {
  /** `null`: it was killed. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunningCommand {
  readonly process: ChildProcess;
  /** Its standard output so far. */
  readonly out: () => string;
  /** Its standard error so far. */
  readonly err: () => string;
  readonly ended: Promise<Ended>;
}

/** @param environment All that it knows beside the paths of programs. */
export const startAtrium = (environment: Environment, ...words: readonly string[]) =>
  startCommand(CLI, environment, words);

const startCommand = (
  program: string,
  environment: Environment,
  words: readonly string[],
): RunningCommand => {
  const child = spawn(process.execPath, [program, ...words], {
    env: { ...programEnvironment(), ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  const text = (chunks: readonly Buffer[]) => Buffer.concat(chunks).toString();
  return {
    process: child,
    out: () => text(out),
    err: () => text(err),
    ended: new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, out: text(out), err: text(err) }));
    }),
  };
};

/** Runs it to its end, with nothing on its standard input. */
export const runAtrium = (environment: Environment, ...words: readonly string[]): Promise<Ended> =>
  runAtriumOf(CLI, environment, ...words);

/** The same command of another release. */
export const runAtriumOf = (
  program: string,
  environment: Environment,
  ...words: readonly string[]
): Promise<Ended> => {
  const command = startCommand(program, environment, words);
  command.process.stdin?.end();
  return command.ended;
};
