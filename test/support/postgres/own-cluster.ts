/** An operator's Postgres, created with the programs installed on this machine. */
import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, globSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { serverUser } from '../../../src/engine/postgres/embedded/paths.ts';
import { freePort } from '../servers/port.ts';

export interface OwnCluster {
  readonly port: number;
  stop(): void;
}

const PROGRAMS = ['initdb', 'pg_ctl', 'pg_dump', 'pg_restore', 'psql'];

/** The directory of all of them: on the PATH, or where Debian keeps what only servers need. */
export const postgresPrograms = (): string | null =>
  [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...globSync('/usr/lib/postgresql/*/bin').toSorted().toReversed(),
  ].find((directory) => PROGRAMS.every((name) => existsSync(join(directory, name)))) ?? null;

/** With the superuser `postgres` and no password, in a directory below `directory`. */
export const ownCluster = async (programs: string, directory: string): Promise<OwnCluster> => {
  const { as } = serverUser(directory);
  const port = await freePort();
  const home = join(directory, `postgres-${port}`);
  mkdirSync(home);
  if (as.uid !== undefined) chownSync(home, as.uid, as.gid!);
  const data = join(home, 'data');
  const run = (program: string, ...words: readonly string[]) =>
    execFileSync(join(programs, program), words, { ...as, cwd: home, stdio: 'ignore' });
  const kind = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C'];
  run('initdb', ...kind, '--no-sync', `--pgdata=${data}`);
  const options = `-c fsync=off -c unix_socket_directories='' -p ${port}`;
  const log = `--log=${join(home, 'log')}`;
  run(
    'pg_ctl',
    'start',
    '--wait',
    '--timeout=120',
    `--pgdata=${data}`,
    log,
    `--options=${options}`,
  );
  return { port, stop: () => run('pg_ctl', 'stop', '--mode=immediate', `--pgdata=${data}`) };
};
