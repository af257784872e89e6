/** The commands as an operator gives them, ended by SIGKILL in their middle. */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isServer, postmasterOf } from '../../../src/engine/postgres/embedded/server.ts';
import { fileKeyOf } from '../../../src/files/file-key.ts';
import { partsOf } from '../../../src/operator/backup/expiry.ts';
import type { Manifest } from '../../../src/operator/backup/manifest.ts';
import { erasureListIn } from '../../../src/use-cases/erasures/erasure-list.ts';
import { changeEntry, listedFiles } from '../../support/erasure-list.ts';
import { temporaryFiles } from '../../support/files.ts';
import { everythingIn, fill } from '../../support/log/contents.ts';
import { runAtrium, startAtrium } from '../../support/servers/cli.ts';
import { until } from '../../support/until.ts';
import { furnish, installationIn, keysIn, type Installation, type Keys } from './installation.ts';

const directory = temporaryFiles();
const root = directory.path('place');
const open: Installation[] = [];
let source: Installation;
let keys: Keys;
let manifest: Manifest;

beforeAll(async () => {
  mkdirSync(root);
  keys = await keysIn(directory.path('keys'));
  source = await installationIn(directory.path('files'));
  open.push(source);
  await furnish(source);
  await fill(source.log, 500, 60);
});
afterAll(async () => {
  for (const one of open) await one.close();
});

const envOf = ({ url, filesDirectory }: Installation) => ({
  DATABASE_URL: url,
  FILES_URL: filesDirectory,
  ATRIUM_DATA: directory.path('data'),
  BACKUP_URL: root,
});

const partPaths = (): readonly string[] => {
  const owners = readdirSync(join(root, 'parts')).filter((name) => name !== 'unfinished');
  return owners
    .flatMap((owner) =>
      readdirSync(join(root, 'parts', owner), { recursive: true, encoding: 'utf8' }),
    )
    .filter((path) => path.includes('/'));
};

/** The temporary directories of a command. */
const leftBy = ({ process: { pid } }: ReturnType<typeof startAtrium>): readonly string[] =>
  readdirSync(tmpdir())
    .filter((name) => name.startsWith(`atrium-backup-${pid}-`))
    .map((name) => join(tmpdir(), name));

/** Replaces a part of the place by a FIFO. @returns Puts it back. */
const blockPart = (sha256: string): (() => void) => {
  const inPlace = join(root, 'parts', fileKeyOf({ organisation: 'backup', sha256 }));
  const stored = directory.path('part');
  renameSync(inPlace, stored);
  makePipe(inPlace);
  return () => {
    rmSync(inPlace);
    renameSync(stored, inPlace);
  };
};

/** Creates a FIFO, on which a reader blocks. */
const makePipe = (path: string) => {
  mkdirSync(dirname(path), { recursive: true });
  execFileSync('mkfifo', [path]);
};

it('create, killed while it copies attachments, leaves nothing to clean up', async () => {
  const sha256 = 'a'.repeat(64);
  await source.pool.query(
    `insert into files.reference (organisation, sha256, attachment_id, ticket_id)
     values ('acme', $1, gen_random_uuid(), gen_random_uuid())`,
    [sha256],
  );
  const pipe = join(source.filesDirectory, 'main', fileKeyOf({ organisation: 'acme', sha256 }));
  makePipe(pipe);
  const words = ['backup', 'create', '--recipient', keys.recipient] as const;
  const command = startAtrium(envOf(source), ...words);
  const unfinished = join(root, 'parts/unfinished');
  // The database is copied; the attachment that follows blocks.
  const isCopying = async () => {
    const { rows } = await source.pool.query(
      `select from pg_stat_activity where datname = current_database()
         and application_name = 'atrium backup' and query = 'commit' and state = 'idle'`,
    );
    return rows.length > 0 || command.process.exitCode !== null;
  };
  await until(isCopying, 'the copy of the attachment');
  command.process.kill('SIGKILL');
  expect(await command.ended).toMatchObject({ code: null });
  const left = partPaths();
  expect(left.length).toBeGreaterThan(5);
  expect(await runAtrium(envOf(source), 'backup', 'list')).toMatchObject({
    code: 0,
    out: expect.stringContaining('has no backup'),
  });

  rmSync(pipe);
  expect(await runAtrium(envOf(source), ...words)).toMatchObject({
    code: 0,
    out: expect.stringContaining('1 are missing or damaged in their store'),
  });
  const listed = await runAtrium(envOf(source), 'backup', 'list', '--json');
  const found = JSON.parse(listed.out) as Manifest[];
  expect(found).toHaveLength(1);
  manifest = found[0]!;
  expect(readdirSync(unfinished)).toEqual([]);
  const named = partPaths().map((path) => path.slice(-64));
  expect(named.toSorted()).toEqual([...new Set(partsOf(manifest))].toSorted());
});

it('create, ended by SIGTERM, makes no backup and exits with 143', async () => {
  const before = await runAtrium(envOf(source), 'backup', 'list');
  const lock = await source.pool.connect();
  // The command may take longer to start than a transaction may be idle.
  await lock.query(`begin; set local idle_in_transaction_session_timeout = 0;
    lock table graph.site in access exclusive mode`);
  const command = startAtrium(envOf(source), 'backup', 'create', '--recipient', keys.recipient);
  const isWaiting = async () => {
    const { rows } = await source.pool.query(
      `select from pg_stat_activity where datname = current_database()
         and application_name = 'atrium backup' and wait_event_type = 'Lock'`,
    );
    return rows.length > 0 || command.process.exitCode !== null;
  };
  await until(isWaiting, 'the copy of the locked table');
  command.process.kill('SIGTERM');
  await lock.query('rollback');
  lock.release();
  expect(await command.ended).toEqual({
    code: 143,
    out: '',
    err: 'interrupted; there is no new backup\n',
  });
  expect(await runAtrium(envOf(source), 'backup', 'list')).toEqual(before);
});

it('restore, killed halfway, is refused by other commands and finished by a repeat', async () => {
  const copy = await installationIn(directory.path('restored'), { empty: true });
  open.push(copy);
  const putBack = blockPart(manifest.log.segments[0]!.parts[0]!);
  const words = ['backup', 'restore', '--identity', keys.file] as const;
  const command = startAtrium(envOf(copy), ...words);
  const isFilling = async () => {
    const { rows } = await copy.pool.query(
      `select from pg_stat_activity where datname = current_database()
         and application_name = 'atrium restore' and query like '%es"."event%'`,
    );
    return rows.length > 0 || command.process.exitCode !== null;
  };
  await until(isFilling, 'the copy into the log');
  command.process.kill('SIGKILL');
  expect(await command.ended).toMatchObject({ code: null });
  putBack();
  expect(await runAtrium(envOf(copy), 'projections', 'status')).toMatchObject({
    code: 1,
    err: expect.stringContaining('a restore into this database was not finished'),
  });

  expect(await runAtrium(envOf(copy), ...words)).toMatchObject({
    code: 0,
    out: expect.stringContaining(
      'a copy beside the original needs a BACKUP_URL of its own\n' +
        'next, before a server starts: atrium log restored',
    ),
  });
  expect(await everythingIn(copy.log)).toEqual(await everythingIn(source.log));
  expect(await runAtrium(envOf(copy), ...words)).toMatchObject({
    code: 1,
    err: expect.stringContaining('NOT_EMPTY: the database has tables'),
  });
});

it('drill makes, restores and compares a backup, and cleans up', async () => {
  const place = partPaths();
  const command = startAtrium(envOf(source), 'backup', 'drill');
  expect(await command.ended).toMatchObject({
    code: 0,
    out: expect.stringMatching(
      /\nverified\nbacked up in .* s, restored in .* s, compared in .* s\n$/,
    ),
  });
  expect(leftBy(command)).toEqual([]);
  expect(partPaths()).toEqual(place);
});

it('verify restores it into a temporary Postgres, and prints the comparison', async () => {
  expect(await runAtrium(envOf(source), 'backup', 'verify', '--identity', keys.file)).toMatchObject(
    { code: 0, out: expect.stringMatching(/events of the log .*\n.*\nverified\n$/) },
  );
});

it('verify, killed halfway, leaves a decrypted copy, which the next one removes', async () => {
  const putBack = blockPart(manifest.log.segments[0]!.parts[0]!);
  const words = ['backup', 'verify', '--identity', keys.file] as const;
  const command = startAtrium(envOf(source), ...words);
  const data = () => join(leftBy(command)[0] ?? '', 'postgres/data');
  await until(() => postmasterOf(data()) !== null, 'its Postgres');
  command.process.kill('SIGKILL');
  await command.ended;
  putBack();
  const [left = ''] = leftBy(command);
  const postgres = postmasterOf(data())!;
  expect(isServer(postgres, data())).toBe(true);
  const cluster = data();
  expect(await runAtrium(envOf(source), ...words)).toMatchObject({ code: 0 });
  expect(existsSync(left)).toBe(false);
  expect(isServer(postgres, cluster)).toBe(false);
});

it('drill compares though an erasure cannot be read, and exits with 1', async () => {
  await erasureListIn(source.erasures).add({
    atriumErasure: 1,
    erasureId: randomUUID(),
    organisation: 'acme',
    texts: 'keep',
    identityKeys: [],
    textKeys: [],
  });
  const [path = ''] = listedFiles(source.filesDirectory);
  changeEntry(path, '"keep"', '"erase"');
  expect(await runAtrium(envOf(source), 'backup', 'drill')).toMatchObject({
    code: 1,
    out: expect.stringContaining('\nverified\n'),
    err: expect.stringContaining('is no erasure that this release can read'),
  });
});
