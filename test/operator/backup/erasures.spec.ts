/** Erasures since a backup are in the newest backup at its place, and repeated by a restore. */
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listLine, type ListEntry } from '../../../src/domain/erasures/list-entry.ts';
import type { Manifest } from '../../../src/operator/backup/manifest.ts';
import type { BackupPlace } from '../../../src/operator/backup/place.ts';
import { newestErasures } from '../../../src/operator/backup/erasures.ts';
import { BackupRefused } from '../../../src/operator/backup/refused.ts';
import { erasureListIn } from '../../../src/use-cases/erasures/erasure-list.ts';
import { changeEntry, listedFiles, listedIn, unexpected } from '../../support/erasure-list.ts';
import { temporaryFiles } from '../../support/files.ts';
import { runAtrium } from '../../support/servers/cli.ts';
import {
  backedUp,
  furnish,
  installationIn,
  keysIn,
  placeIn,
  restoredInto,
  type Installation,
  type Keys,
} from './installation.ts';

const directory = temporaryFiles();
const open: Installation[] = [];
const installation = async (empty: boolean): Promise<Installation> => {
  const made = await installationIn(directory.path(randomUUID()), { empty });
  open.push(made);
  return made;
};

const [erased, other] = [randomUUID(), randomUUID()];
const entry: ListEntry = {
  atriumErasure: 1,
  erasureId: randomUUID(),
  organisation: 'acme',
  texts: 'keep',
  identityKeys: [erased],
  textKeys: [],
};

let keys: Keys;
let place: BackupPlace;
let source: Installation;
let before: Manifest;
let since: Manifest;

beforeAll(async () => {
  keys = await keysIn(directory.path('keys'));
  place = await placeIn(directory.path('place'));
  source = await installation(false);
  await furnish(source);
  await source.pool.query(
    `insert into personal.keys (key_id, organisation, subject, purpose, wrapped, created_at)
     values ($1, 'acme', 'user:zyx', 'identity', 'w', now()),
            ($2, 'acme', 'user:other', 'identity', 'w', now())`,
    [erased, other],
  );
  await source.pool.query(
    `insert into people.sign_ins (organisation, user_id, name, folded, seen_on)
     values ('acme', 'zyx', 'Zyx', 'zyx', '2026-05-01'),
            ('acme', 'other', 'Other', 'other', '2026-05-01')`,
  );
  before = await backedUp(source, place, keys);
  await erasureListIn(source.erasures).add(entry);
  since = await backedUp(source, place, keys);
});
afterAll(async () => {
  await place.close();
  for (const one of open) await one.close();
});

const listIn = ({ erasures }: Installation) => listedIn(erasures);

it('are repeated where an older backup is restored, and listed there', async () => {
  expect(before.erasures).toBeNull();
  const copy = await installation(true);
  await restoredInto(copy, place, before, keys, { manifests: await place.manifests() });
  const held = await copy.pool.query('select key_id from personal.keys');
  expect(held.rows).toEqual([{ key_id: other }]);
  const signIns = await copy.pool.query('select user_id from people.sign_ins');
  expect(signIns.rows).toEqual([{ user_id: 'other' }]);
  expect(await listIn(copy)).toEqual([entry]);
});

it('are not repeated where a backup is only compared', async () => {
  const copy = await installation(true);
  const manifests = await place.manifests();
  await restoredInto(copy, place, before, keys, { manifests, erasureList: null, files: null });
  const { rows } = await copy.pool.query('select from personal.keys');
  expect(rows).toHaveLength(2);
});

it('are in later backups of an installation that lost its list', async () => {
  await source.erasures.remove(await nameOf(source));
  expect(await listIn(source)).toEqual([]);
  const later = await backedUp(source, place, keys, { kept: 1 });
  expect(later.erasures).toBe(since.erasures);
  expect(await Array.fromAsync(newestErasures(place, [later], unexpected))).toEqual([entry]);
});

it('are read from the list before where the newest one is damaged', async () => {
  const older = { ...since, erasures: 'a'.repeat(64) };
  const newer = { ...since, erasures: 'b'.repeat(64) };
  const read = async function* (part: string) {
    if (part === newer.erasures) throw new BackupRefused('DAMAGED', `part ${part} is missing`);
    yield Buffer.from(listLine(entry));
  };
  const damage: string[] = [];
  const found = newestErasures({ read }, [newer, older], ({ message }) => damage.push(message));
  expect(await Array.fromAsync(found)).toEqual([entry]);
  expect(damage).toEqual([`DAMAGED: part ${newer.erasures} is missing`]);
});

it('are named where they cannot be read, and the backup has the others', async () => {
  const damaged = await installation(false);
  await furnish(damaged);
  const list = erasureListIn(damaged.erasures);
  await list.add(entry);
  const [path = ''] = listedFiles(damaged.filesDirectory);
  changeEntry(path, '"keep"', '"erase"');
  const others = { ...entry, erasureId: randomUUID() };
  await list.add(others);
  const root = directory.path('place-of-damaged');
  mkdirSync(root);
  const env = {
    DATABASE_URL: damaged.url,
    FILES_URL: damaged.filesDirectory,
    ATRIUM_DATA: directory.path('data'),
    BACKUP_URL: root,
    BACKUP_RECIPIENT: keys.recipient,
  };
  const name = path.split('/').slice(-3).join('/');
  expect(await runAtrium(env, 'backup', 'create')).toMatchObject({
    code: 1,
    out: expect.stringContaining('attachments: 0'),
    err: expect.stringContaining(`erasures/${name} is no erasure`),
  });
  const made = await placeIn(root);
  expect(await Array.fromAsync(newestErasures(made, await made.manifests(), unexpected))).toEqual([
    others,
  ]);
  await made.close();
});

const nameOf = async ({ erasures }: Installation) => {
  const [key = ''] = (await Array.fromAsync(erasures.stored())).flat();
  return { organisation: 'erasures', sha256: key.slice(key.lastIndexOf('/') + 1) };
};
