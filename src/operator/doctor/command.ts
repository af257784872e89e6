import type { Env } from '../command-logger.ts';
import { UsageError } from '../operator-error.ts';
import type { CheckResult } from './check.ts';
import { examine } from './doctor.ts';
import { examineStoredFiles } from './stored-files.ts';

export interface DoctorCommand {
  readonly json?: boolean;
  /** Timeout of each check, in seconds. Default 5. */
  readonly within?: string;
  /** Compares stored files with attachments, and checks nothing else. */
  readonly files?: boolean;
  /** The key from which that comparison continues. */
  readonly filesAfter?: string;
  readonly env: Env;
}

/**
 * `atrium doctor`: configuration, reachability, versions, lag, parked work, disk and clocks, one
 * line each; with `json` one object. Works while the server is down, and while only some
 * dependencies can be reached. docs/operating/doctor.md.
 *
 * @returns The exit code: 0, or 1 if a check has failed.
 * @throws {@link OperatorError} for a `within` that is no number of seconds.
 */
export const doctorCommand = async (command: DoctorCommand): Promise<number> => {
  const { env, json, within, files, filesAfter } = command;
  const isOfFiles = files === true || filesAfter !== undefined;
  const checks = isOfFiles
    ? [await examineStoredFiles(env, filesAfter)]
    : await examine(env, within === undefined ? {} : { withinMs: msOf(within) });
  const isWell = checks.every(({ status }) => status !== 'failed');
  const output = json ? JSON.stringify({ ok: isWell, checks }) : checks.map(lineOf).join('\n');
  process.stdout.write(`${output}\n`);
  return isWell ? 0 : 1;
};

const msOf = (seconds: string): number => {
  if (/^[1-9]\d{0,2}$/.test(seconds)) return Number(seconds) * 1_000;
  throw new UsageError('--within must be whole seconds, from 1 to 999');
};

const WORDS = { ok: 'ok', warned: 'WARN', failed: 'FAILED', none: '-' } as const;

const lineOf = ({ name, status, detail }: CheckResult): string =>
  `${WORDS[status].padEnd(6)}  ${name.padEnd(16)}  ${detail}`;
