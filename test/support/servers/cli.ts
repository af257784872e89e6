/** Runs the `atrium` command as an operator does. */
import {
  fork,
  spawn,
  type ChildProcess,
  type ChildProcessWithoutNullStreams,
} from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import { programEnvironment } from './environment.ts';
import type { KeptCommand } from './kept-command.ts';

/** For tests that start it themselves, with `process.execPath`. */
export const CLI = fileURLToPath(new URL('../../../packages/cli/src/atrium.ts', import.meta.url));
const KEPT = fileURLToPath(new URL('./kept-command.ts', import.meta.url));

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

/** @param environment Its whole environment except the paths of programs. */
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

/**
 * Runs it to its end, with nothing on its standard input: in a process of its own the first time
 * that this run of tests runs this command, later in one that is kept, because most of the work of
 * a short command is loading its code.
 */
export const runAtrium = async (
  environment: Environment,
  ...words: readonly string[]
): Promise<Ended> => {
  const [command = '', subcommand = ''] = words;
  const name = /^[a-z]+$/.test(subcommand) ? `${command} ${subcommand}` : command;
  return isFirst(name) ? runAtriumAlone(environment, ...words) : runKept(environment, words);
};

/** Among all workers, which share nothing but files. */
const isFirst = (command: string): boolean => {
  const mark = join(inject('runDirectory'), 'commands', command);
  return mkdirSync(mark, { recursive: true }) !== undefined;
};

/** In a process of its own every time. */
export const runAtriumAlone = (
  environment: Environment,
  ...words: readonly string[]
): Promise<Ended> => runAtriumOf(CLI, environment, ...words);

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

const kept = { idle: new Set<ChildProcessWithoutNullStreams>() };

const runKept = async (environment: Environment, words: readonly string[]): Promise<Ended> => {
  const [child = startKept()] = kept.idle;
  kept.idle.delete(child);
  const mark = `\n${randomUUID()} `;
  const read = [child.stdout, child.stderr].map((stream) => textUntil(stream, mark));
  const message: KeptCommand = {
    environment: { ...programEnvironment(), ...environment },
    words,
    mark,
  };
  child.send(message);
  const [out, err] = await Promise.all(read);
  const code = out!.code ?? (await exitCodeOf(child));
  if (out!.code !== null) kept.idle.add(child);
  return { code, out: out!.text, err: err!.text };
};

/** Ends with the process of the test, which does not wait for it. */
const startKept = (): ChildProcessWithoutNullStreams => {
  const child = fork(KEPT, [], { env: programEnvironment(), execArgv: [], silent: true });
  child.once('exit', () => kept.idle.delete(piped));
  const piped = child as ChildProcessWithoutNullStreams;
  for (const handle of [child, child.channel, piped.stdout, piped.stderr])
    (handle as { unref(): void }).unref();
  return piped;
};

const exitCodeOf = async (child: ChildProcess): Promise<number | null> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
};

/** What is written before the mark, and the exit code after it; `null` where the stream ends. */
const textUntil = (stream: Readable, mark: string) =>
  new Promise<{ readonly text: string; readonly code: number | null }>((resolve) => {
    const chunks: Buffer[] = [];
    const settle = (code: number | null, length?: number) => {
      stream.off('data', take).off('end', end);
      resolve({ text: Buffer.concat(chunks).subarray(0, length).toString(), code });
    };
    const end = () => settle(null);
    const take = (chunk: Buffer) => {
      chunks.push(chunk);
      // The mark may lie across two chunks.
      if (!Buffer.concat(chunks.slice(-2)).includes(mark) || !chunk.toString().endsWith('\n'))
        return;
      const all = Buffer.concat(chunks);
      const at = all.lastIndexOf(mark);
      settle(Number(all.subarray(at + mark.length).toString()), at);
    };
    stream.on('data', take).on('end', end);
  });
