/** The processes of a data directory's embedded server, to be killed, stopped and continued. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isServer } from '../../../src/engine/postgres/embedded/server.ts';
import { until } from '../until.ts';

/** The postmaster and its children, by process id; empty where none runs. Linux. */
export const familyIn = (dataDirectory: string): number[] => {
  const data = join(dataDirectory, 'postgres', 'data');
  const postmaster = postmasterIn(data);
  // The lock file of a killed server may name a process id that was reused.
  if (postmaster === null || !isServer(postmaster, data)) return [];
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === postmaster);
  return [postmaster, ...children];
};

/** SIGKILL to all of them at once, as by the OOM killer or a power failure. */
export const killPostgres = async (dataDirectory: string): Promise<void> => {
  const family = familyIn(dataDirectory);
  if (family.length === 0) throw new Error(`no Postgres runs in ${dataDirectory}`);
  signal(family, 'SIGKILL');
  await until(() => !family.some(isAlive), 'the end of Postgres');
};

export const freezePostgres = (dataDirectory: string): readonly number[] => {
  const family = familyIn(dataDirectory);
  signal(family, 'SIGSTOP');
  return family;
};

export const thawPostgres = (family: readonly number[]): void => signal(family, 'SIGCONT');

const signal = (family: readonly number[], name: NodeJS.Signals): void => {
  for (const pid of family)
    try {
      process.kill(pid, name);
    } catch (error) {
      // A session may end by itself meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
};

const postmasterIn = (data: string): number | null => {
  try {
    return Number.parseInt(readFileSync(join(data, 'postmaster.pid'), 'utf8'), 10);
  } catch {
    return null;
  }
};

/** `12 (postgres) S 1 …`: the state, then the parent. Z: a zombie. */
const statOf = (pid: number): readonly string[] | null => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
  } catch {
    return null;
  }
};

const isAlive = (pid: number): boolean => !['Z', 'X', undefined].includes(statOf(pid)?.[0]);

const parentOf = (pid: number): number => Number(statOf(pid)?.[1]);
