import { spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { totalmem } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  EMBEDDED_BUFFERS_MAX_MIB,
  EMBEDDED_BUFFERS_MIN_MIB,
  EMBEDDED_CONNECTIONS_MAX,
  EMBEDDED_STOP_TIMEOUT_MS,
} from '../../limits.ts';
import type { Binaries } from './binaries.ts';
import type { ClusterPaths, ServerUser } from './paths.ts';
import { EmbeddedUnavailable, messageOf } from './unavailable.ts';

/** A postmaster that this process started. */
export interface Launched {
  /** Resolves when it ends because another server runs on the cluster; rejects on a fault. */
  readonly ended: Promise<'another server runs'>;
}

/**
 * Starts the server as a process of its own: it gets no Ctrl-C from this one's terminal, and its
 * messages go to a file, so that it lives on if this process is killed.
 */
export const launch = (
  paths: ClusterPaths,
  binaries: Binaries,
  user: ServerUser,
  buffersMiB = buffersByMemoryMiB(),
): Launched => {
  const { data, run, log } = paths;
  const from = rotated(log);
  const output = openSync(log, 'a', 0o600);
  const settings = {
    listen_addresses: '',
    unix_socket_directories: run,
    unix_socket_permissions: '0700',
    max_connections: String(EMBEDDED_CONNECTIONS_MAX),
    // Memory is allocated on use; the list of a million tickets has to fit.
    shared_buffers: `${buffersMiB}MB`,
    max_wal_size: '2GB',
    log_checkpoints: 'off',
    // The messages are searched below, whatever language the operator's environment has.
    lc_messages: 'C',
  };
  const server = spawn(
    binaries.program('postgres'),
    [
      '-D',
      data,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    { ...user.as, cwd: '/', detached: true, stdio: ['ignore', output, output] },
  );
  closeSync(output);
  server.unref();
  const ended = new Promise<'another server runs'>((resolve, reject) => {
    server.once('error', (error) => {
      reject(new EmbeddedUnavailable(`it cannot be started: ${messageOf(error)}`, error));
    });
    server.once('exit', () => {
      const output = textFrom(log, from);
      // An older server, or its remains: connect to that one, or wait until it is gone.
      if (/lock file .* already exists|pre-existing shared memory|is already in use/.test(output))
        resolve('another server runs');
      else if (/database system is ready/.test(output)) resolve('another server runs');
      else reject(new EmbeddedUnavailable(`it ended at once: ${fatalOf(output)} (see ${log})`));
    });
  });
  // An unhandled rejection: the next connection reports it.
  ended.catch(() => {});
  return { ended };
};

/** Stops the server of the cluster without waiting for its sessions; does nothing if none runs. */
export const stop = async ({ data }: Pick<ClusterPaths, 'data'>): Promise<void> => {
  const pid = postmasterOf(data);
  // A killed server's process id may belong to another program by now.
  if (pid === null || !isServer(pid, data)) return;
  try {
    process.kill(pid, 'SIGINT');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
  const givenUpAt = performance.now() + EMBEDDED_STOP_TIMEOUT_MS;
  while (postmasterOf(data) === pid && isServer(pid, data)) {
    if (performance.now() > givenUpAt)
      throw new EmbeddedUnavailable(`it has not stopped within ${EMBEDDED_STOP_TIMEOUT_MS} ms`);
    await sleep(10);
  }
};

/**
 * Removes the lock files of a server that was killed if its process id has passed to some other
 * program, which would keep Postgres from starting for as long as that one runs.
 */
export const clearStaleLock = ({ data, run }: ClusterPaths): void => {
  const pid = postmasterOf(data) ?? pidIn(join(run, '.s.PGSQL.5432.lock'));
  if (pid === null || isServer(pid, data)) return;
  rmSync(join(data, 'postmaster.pid'), { force: true });
  rmSync(join(run, '.s.PGSQL.5432.lock'), { force: true });
};

/** The process id in the lock file of the cluster, which a killed server leaves behind. */
export const postmasterOf = (data: string): number | null => pidIn(join(data, 'postmaster.pid'));

const pidIn = (file: string): number | null => {
  try {
    const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
    return Number.isInteger(pid) && pid > 0 ? pid : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};

/**
 * Whether `pid` may be the server of the cluster in `data`, which is then its working directory.
 * Without /proc, as on macOS, any Postgres counts.
 */
export const isServer = (pid: number, data: string): boolean => {
  if (!existsSync('/proc/self/stat')) {
    const ps = spawnSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' });
    return basename(ps.stdout.trim()) === 'postgres';
  }
  try {
    // `12 (postgres) S …`. Z: a zombie, which its parent may never collect.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    if (!/^\d+ \(postgres\) [^ZX]/.test(stat)) return false;
  } catch {
    return false;
  }
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data);
  } catch {
    return true;
  }
};

const LOG_BYTES_MAX = 10 * 1024 * 1024;

/** The end of the server's log file, which is renamed first if it is too long. */
const rotated = (log: string): number => {
  if (!existsSync(log)) return 0;
  const { size } = statSync(log);
  if (size <= LOG_BYTES_MAX) return size;
  renameSync(log, `${log}.1`);
  return 0;
};

const textFrom = (log: string, from: number): string => {
  // The directory may have been removed before its server's end is noticed, as after a test.
  if (!existsSync(log)) return '';
  const handle = openSync(log, 'r');
  try {
    const buffer = Buffer.alloc(16 * 1024);
    return buffer.toString('utf8', 0, readSync(handle, buffer, 0, buffer.length, from));
  } finally {
    closeSync(handle);
  }
};

const fatalOf = (output: string): string =>
  /(?:FATAL|PANIC): {2}(.*)/.exec(output)?.[1] ??
  output.trim().split('\n').at(-1) ??
  'no reason given';

/** An eighth of the machine's memory, within bounds. */
const buffersByMemoryMiB = (): number => {
  const eighth = Math.floor(totalmem() / MIB / 8);
  return Math.min(EMBEDDED_BUFFERS_MAX_MIB, Math.max(EMBEDDED_BUFFERS_MIN_MIB, eighth));
};

const MIB = 1024 * 1024;
