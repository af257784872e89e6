/** A backup of a real Postgres, restored into another database of it. Decision 0125. */
import { randomUUID } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LEASE_SILENT_MAX_MS } from '../../../src/engine/limits.ts';
import { releaseRows } from '../../../src/engine/consumers/release-rows.ts';
import { beginTimeline, logIdentity } from '../../../src/engine/log/log-identity.ts';
import { endImport, markImported } from '../../../src/engine/log/log-import.ts';
import {
  newestRelease,
  noteRelease,
  type NotedRelease,
} from '../../../src/engine/postgres/release-history.ts';
import { fileKeyOf } from '../../../src/files/file-key.ts';
import type { FileStore } from '../../../src/files/file-store.ts';
import { indexedFiles } from '../../../src/operator/backup/attachments.ts';
import { compareCopy } from '../../../src/operator/backup/comparison.ts';
import { chosenBackup } from '../../../src/operator/backup/open-backup.ts';
import { sealedFor } from '../../../src/operator/backup/encryption.ts';
import { partsOf } from '../../../src/operator/backup/expiry.ts';
import { configOf } from '../../../src/config/config.ts';
import { loggerOf } from '../../../src/engine/observe/logging.ts';
import { openCommandAdapters } from '../../../src/operator/adapters.ts';
import {
  markDestination,
  refuseUnfinishedRestore,
} from '../../../src/operator/backup/destination.ts';
import { schemaFinding } from '../../../src/operator/doctor/standing.ts';
import { untilOf } from '../../../src/operator/backup/until.ts';
import type { Manifest } from '../../../src/operator/backup/manifest.ts';
import type { BackupPlace } from '../../../src/operator/backup/place.ts';
import type { OnDamaged } from '../../../src/operator/backup/refused.ts';
import { unexpected } from '../../support/erasure-list.ts';
import { temporaryFiles } from '../../support/files.ts';
import { everythingIn, fill } from '../../support/log/contents.ts';
import { happened } from '../../support/log/events.ts';
import {
  attach,
  backedUp,
  fingerprintOf,
  furnish,
  installationIn,
  keysIn,
  openedPlace,
  placeIn,
  restoredInto,
  textOf,
  type Installation,
  type Keys,
} from './installation.ts';

const directory = temporaryFiles();
const open: Installation[] = [];
let names = 0;
const installation = async (options: { empty?: boolean } = {}): Promise<Installation> => {
  const made = await installationIn(directory.path(`files-${(names += 1)}`), options);
  open.push(made);
  return made;
};
const signal = new AbortController().signal;

const NEWER: NotedRelease = { version: '9.0.0', commit: null, backTo: '9.0.0' };

let source: Installation;
let keys: Keys;
let place: BackupPlace;
let manifest: Manifest;
let attachment: string;

beforeAll(async () => {
  keys = await keysIn(directory.path('keys'));
  place = await placeIn(directory.path('place'));
  source = await installation();
  await furnish(source);
  await noteRelease(source.pool, NEWER, '2026-05-01T10:00:00.000Z');
  await fill(source.log, 2_000, 300);
  attachment = await attach(source, 'a photograph');
  manifest = await backedUp(source, place, keys);
});
afterAll(async () => {
  await place.close();
  for (const one of open) await one.close();
});

describe('a restored backup', () => {
  let copy: Installation;
  beforeAll(async () => {
    copy = await installation({ empty: true });
    await restoredInto(copy, place, manifest, keys);
  });

  it('has every row, every event at its position, and every attachment', async () => {
    const { 'consumers.heartbeat': beats, ...expected } = await fingerprintOf(source.pool);
    const { 'consumers.heartbeat': none, ...found } = await fingerprintOf(copy.pool);
    expect(found).toEqual(expected);
    expect(beats).toMatch(/^1 /);
    expect(none).toMatch(/^0 /);
    expect(found).toHaveProperty('telemetry.observation_202602');
    expect(await everythingIn(copy.log)).toEqual(await everythingIn(source.log));
    expect(await textOf(copy, attachment)).toBe('a photograph');
  });

  it('has the record of the releases that have run', async () => {
    expect(await newestRelease(copy.pool)).toEqual(NEWER);
  });

  it('continues the positions of the log and the sequences of the tables', async () => {
    const next = await copy.log.append('ticket-new', 'no_stream', [happened('Next')]);
    expect(next.position).toBe(String(Number(manifest.log.position) + 1));
    const ids = (pool: Installation['pool']) =>
      pool.query<{ id: number }>(
        `insert into telemetry.series (building_id, point_id)
         select id, gen_random_uuid() from graph.building returning id`,
      );
    const [here, there] = [await ids(source.pool), await ids(copy.pool)];
    expect(there.rows).toEqual(here.rows);
  });

  it('compares equal, and unequal once a row or an event differs', async () => {
    const other = await installation({ empty: true });
    await restoredInto(other, place, manifest, keys, { files: null });
    const compared = () => compareCopy({ manifest, pool: other.pool, log: other.log, signal });
    expect((await compared()).differences).toEqual([]);
    await other.pool.query(`update graph.node set name = 'another'`);
    await other.pool.query('delete from es.event where position = 700');
    expect((await compared()).differences).toEqual([
      'table "graph"."node"',
      'the log after 0',
      '1 streams lack events in their middle',
    ]);
  });
});

describe('a destination', () => {
  it('that has a table is refused, and stays unchanged', async () => {
    const full = await installation();
    const before = await fingerprintOf(full.pool);
    await expect(restoredInto(full, place, manifest, keys)).rejects.toThrow(
      /^NOT_EMPTY: the database has tables \(consumers, /,
    );
    expect(await fingerprintOf(full.pool)).toEqual(before);
  });

  it('of a failed restore is refused by servers, and filled by the same restore', async () => {
    const copy = await installation({ empty: true });
    const damaged: Manifest = { ...manifest, files: { ...manifest.files, index: 'f'.repeat(64) } };
    await expect(restoredInto(copy, place, damaged, keys)).rejects.toThrow(/^DAMAGED: part f+ is/);
    await expect(refuseUnfinishedRestore(copy.pool)).rejects.toThrow(
      `was not finished: repeat atrium backup restore ${manifest.id}`,
    );
    expect(await schemaFinding(copy.pool)).toEqual({
      status: 'failed',
      detail: expect.stringContaining('was not finished'),
    });
    await expect(restoredInto(copy, place, { ...manifest, id: 'another' }, keys)).rejects.toThrow(
      'NOT_EMPTY: another restore into this database is unfinished: repeat ' +
        `atrium backup restore ${manifest.id}, or create the database anew`,
    );
    await copy.pool.query('insert into keys.ended select * from keys.ended');
    await restoredInto(copy, place, manifest, keys);
    await refuseUnfinishedRestore(copy.pool);
    expect((await fingerprintOf(copy.pool))['es.event']).toBe(
      (await fingerprintOf(source.pool))['es.event'],
    );
  });
});

it('is refused by a process that has opened the database before the restore', async () => {
  const { url } = await installation();
  const config = configOf({ DATABASE_URL: url, ATRIUM_DATA: directory.path('opened') });
  const { opened, db, close } = await openCommandAdapters(config, loggerOf('silent'));
  try {
    await opened.watch.check();
    await markDestination(db.pool, { backup: manifest.id, until: null });
    await expect(opened.watch.check()).rejects.toThrow('a backup is restored into the database');
  } finally {
    await close();
  }
});

it('refuses a database on which a server runs, before and after it has filled it', async () => {
  const copy = await installation({ empty: true });
  const server = releaseRows(copy.pool, { holder: randomUUID(), silentMaxMs: LEASE_SILENT_MAX_MS });
  const release = { name: '0.2', roles: ['api'], runs: [], since: 'today', reads: {} };
  let reads = 0;
  const read = async function* (part: string) {
    reads += 1;
    const { rows } = await copy.pool.query<{ there: boolean }>(
      `select to_regclass('consumers.heartbeat') is not null as there`,
    );
    if (rows[0]!.there) await server.beat(release);
    yield* place.read(part);
  };
  const restored = () => restoredInto(copy, { ...place, read }, manifest, keys);
  const running = /^a server still runs: stop all of them \(0\.2 with the roles api since today\)$/;
  await expect(restored()).rejects.toThrow(running);
  expect((await copy.pool.query('select from es.event limit 1')).rows).toEqual([]);
  await expect(refuseUnfinishedRestore(copy.pool)).rejects.toThrow('was not finished');

  reads = 0;
  await expect(restored()).rejects.toThrow(running);
  // The one by which the identity is tried.
  expect(reads).toBe(1);
  await server.end();
  await restoredInto(copy, place, manifest, keys);
});

it('refuses another age identity and a changed part before it fills a table', async () => {
  const copy = await installation({ empty: true });
  const other = await keysIn(directory.path('keys'), 'other');
  await expect(restoredInto(copy, place, manifest, other)).rejects.toThrow(/^WRONG_IDENTITY: /);
  expect(await fingerprintOf(copy.pool)).toEqual({});

  const tampered = await placeIn(directory.path('tampered'));
  const changed = await backedUp(source, tampered, keys);
  const [part] = changed.log.segments[0]!.parts;
  const path = pathOf(directory.path('tampered'), part!);
  const bytes = readFileSync(path);
  bytes[bytes.length - 100]! ^= 1;
  writeFileSync(path, bytes);
  await expect(restoredInto(copy, tampered, changed, keys)).rejects.toThrow(/^DAMAGED: /);
  const { rows } = await copy.pool.query('select from es.event limit 1');
  expect(rows).toEqual([]);
  await tampered.close();
});

const pathOf = (root: string, part: string): string => {
  const [owner] = readdirSync(join(root, 'parts')).filter((name) => name !== 'unfinished');
  return join(root, 'parts', owner!, part.slice(0, 2), part);
};

it('omits events after a given time', async () => {
  const byPosition = await installation({ empty: true });
  await restoredInto(byPosition, place, manifest, keys, { until: untilOf('1234') });
  expect((await byPosition.log.head()).position).toBe('1234');

  const all = await everythingIn(source.log);
  const { recordedAt } = all[1_000]!;
  const byTime = await installation({ empty: true });
  await restoredInto(byTime, place, manifest, keys, { until: untilOf(recordedAt) });
  const expected = all.findIndex((event) => event.recordedAt > recordedAt);
  expect(await everythingIn(byTime.log)).toEqual(all.slice(0, expected));
});

describe('the next backup', () => {
  let later: Installation;
  let root: string;
  let store: BackupPlace;
  let first: Manifest;

  beforeAll(async () => {
    later = await installation();
    await furnish(later);
    await fill(later.log, 300, 50);
    await attach(later, 'old');
    root = directory.path('later');
    store = await placeIn(root);
    first = await backedUp(later, store, keys);
  });
  afterAll(() => store.close());

  const parts = async () => (await Array.fromAsync(store.stored())).flat();

  it('shares unchanged parts with it, and no longer copies removed rows', async () => {
    const added = await attach(later, 'new');
    await later.log.append('ticket-later', 'no_stream', [happened('Later')]);
    const second = await backedUp(later, store, keys);
    expect(second.previous).toBe(first.id);
    expect(second.log.segments.slice(0, -1)).toEqual(first.log.segments);
    expect(second.log.segments.at(-1)).toMatchObject({ after: first.log.position, events: 1 });
    expect(second.files.count).toBe(2);
    expect(added).toMatch(/^[0-9a-f]{64}$/);

    const events = await everythingIn(later.log);
    const journal = events.find(({ stream }) => stream.startsWith('keyuse-'))!.stream;
    await later.log.deleteStream(journal);
    const third = await backedUp(later, store, keys);
    const [before, after] = [second, third].map(({ log }) => log.segments[0]!);
    expect(after!.events).toBeLessThan(before!.events);
    expect(after!.parts).not.toEqual(before!.parts);
    expect(third.log.segments[1]).toEqual(second.log.segments[1]);
  });

  it('removes backups beyond the number to keep, with their parts', async () => {
    const last = await backedUp(later, store, keys, { kept: 1 });
    expect(await store.manifests()).toEqual([last]);
    const stored = await parts();
    const attachments = 2;
    expect(stored).toHaveLength(new Set(partsOf(last)).size + attachments);
    expect(stored).toEqual(expect.arrayContaining([...partsOf(last)]));
  });

  it('for other recipients shares no part', async () => {
    const others = await keysIn(directory.path('keys'), 'others');
    const last = await backedUp(later, store, others, { kept: 1 });
    expect(last.previous).toBeNull();
    const copy = await installation({ empty: true });
    expect(await restoredInto(copy, store, last, others)).toBe(2);
    expect(await everythingIn(copy.log)).toEqual(await everythingIn(later.log));
  });

  it('of another installation is refused at the same place', async () => {
    await backedUp(later, store, keys);
    await expect(backedUp(source, store, keys)).rejects.toThrow(/^OTHER_INSTALLATION: /);
  });
});

describe('at the place of earlier backups', () => {
  let original: Installation;
  let store: BackupPlace;
  let first: Manifest;

  beforeEach(async () => {
    original = await installation();
    await furnish(original);
    await fill(original.log, 100, 10);
    store = await placeIn(directory.path(`lineage-${(names += 1)}`));
    first = await backedUp(original, store, keys);
  });
  afterEach(() => store.close());

  /** As restored by the operator, `atrium log restored` included. */
  const restored = async (): Promise<Installation> => {
    const copy = await installation({ empty: true });
    await restoredInto(copy, store, first, keys);
    await beginTimeline(copy.log, { after: first.log.position, name: copy.url });
    return copy;
  };
  const refused = (one: Installation) =>
    expect(backedUp(one, store, keys)).rejects.toThrow(
      /^OTHER_INSTALLATION: a copy of this installation has made the backup 20/,
    );

  it('a restored log continues, also restored again; its former copies do not', async () => {
    const copy = await restored();
    await backedUp(copy, store, keys);
    await backedUp(copy, store, keys);
    await refused(original);

    const again = await restored();
    await backedUp(again, store, keys);
    await refused(copy);
    await backedUp(again, store, keys);
  });

  it('an imported log continues, also once it was adopted', async () => {
    const moved = await installation();
    await logIdentity(moved.log);
    await markImported(moved.log, first.log.identity);
    await endImport(moved.log);
    await backedUp(moved, store, keys);
    await refused(original);
  });

  it('any log with the id of the installation continues', async () => {
    const begun = happened('InstallationBegun');
    await original.log.append('installation-main', 'any', [begun]);
    const other = await installation();
    await other.log.append('installation-main', 'any', [begun]);
    const { installation: id } = await backedUp(original, store, keys);
    expect(await backedUp(other, store, keys)).toMatchObject({ installation: id });
  });

  it('an installation continues that had no id before', async () => {
    await original.log.append('installation-main', 'any', [happened('InstallationBegun')]);
    const second = await backedUp(original, store, keys);
    expect([first.installation, second.installation]).toEqual([null, expect.any(String)]);
  });
});

describe('a damaged file of an earlier backup', () => {
  let later: Installation;
  let root: string;
  let store: BackupPlace;
  let first: Manifest;
  let damage: string[];

  beforeAll(async () => {
    later = await installation();
    await furnish(later);
    await fill(later.log, 300, 50);
    await attach(later, 'old');
    root = directory.path('damaged');
    store = await placeIn(root);
    first = await backedUp(later, store, keys);
  });
  afterAll(() => store.close());

  const next = (): Promise<Manifest> => {
    damage = [];
    return backedUp(later, store, keys, { onDamaged: ({ message }) => damage.push(message) });
  };

  it('is stored again by the next backup where it would be shared', async () => {
    const lost = (await Array.fromAsync(store.stored())).flat();
    const kept = new Set(partsOf(first));
    const attached = lost.filter((part) => !kept.has(part));
    expect(attached).toHaveLength(1);
    for (const part of [...attached, ...first.log.segments[0]!.parts]) rmSync(pathOf(root, part));
    const second = await next();
    expect(damage).toEqual([]);
    const copy = await installation({ empty: true });
    expect(await restoredInto(copy, store, second, keys)).toBe(1);
    expect(await everythingIn(copy.log)).toEqual(await everythingIn(later.log));
  });

  it('leaves other backups usable if it is an index or a manifest', async () => {
    const index = pathOf(root, first.files.index);
    truncateSync(index, 10);
    await attach(later, 'new');
    const third = await next();
    expect(damage).toEqual([expect.stringMatching(/^DAMAGED: .*changed since it was written/)]);
    const copy = await installation({ empty: true });
    expect(await restoredInto(copy, store, third, keys)).toBe(2);

    const names = readdirSync(join(root, 'manifests'), { recursive: true, encoding: 'utf8' });
    const manifests = names.filter((name) => /[0-9a-f]{64}$/.test(name));
    const ofThird = manifests.find((name) =>
      readFileSync(join(root, 'manifests', name), 'utf8').includes(third.id),
    )!;
    truncateSync(join(root, 'manifests', ofThird), 10);
    expect((await store.manifests()).map(({ id }) => id)).not.toContain(third.id);
    const fourth = await next();
    expect(damage).toContainEqual(expect.stringContaining(`manifests/${ofThird} is damaged`));
    expect((await store.manifests())[0]).toEqual(fourth);
    // Its parts may be named by the manifest, which may be brought back.
    expect(partsOf(third).every((part) => existsSync(pathOf(root, part)))).toBe(true);
  });
});

/** Reading it fails as a damaged disk does: with EIO. */
const UNREADABLE = '/proc/self/mem';

describe('a damaged attachment', () => {
  let later: Installation;
  let store: BackupPlace;
  let sound: string;
  let damaged: string;

  beforeAll(async () => {
    later = await installation();
    await furnish(later);
    sound = await attach(later, 'a sound one');
    damaged = await attach(later, 'another one');
    store = await placeIn(directory.path('attachments'));
  });
  afterAll(() => store.close());

  const fileOf = ({ filesDirectory }: Installation, sha256: string): string =>
    join(filesDirectory, 'main', fileKeyOf({ organisation: 'acme', sha256 }));
  const write = (text: string) => writeFileSync(fileOf(later, damaged), text);

  it('is named, is in no backup, and is in the next one once it is sound again', async () => {
    write('anOther one');
    const damage: string[] = [];
    const onDamaged = ({ message }: Error) => void damage.push(message);
    const first = await backedUp(later, store, keys, { onDamaged });
    expect(damage).toEqual([`DAMAGED: the attachment ${damaged} was changed in its store`]);
    expect(first.files).toMatchObject({ count: 2, missing: 1 });
    const copy = await installation({ empty: true });
    expect(await restoredInto(copy, store, first, keys)).toBe(1);
    expect(await textOf(copy, sound)).toBe('a sound one');

    write('another one');
    const second = await backedUp(later, store, keys);
    expect(second.files.missing).toBe(0);
    expect(await restoredInto(await installation({ empty: true }), store, second, keys)).toBe(2);
  });

  /** A backup while the attachment is opened otherwise; stored anew, at a place of its own. */
  const backedUpOpening = async (open: () => Promise<Readable>, onDamaged: OnDamaged) => {
    const apart = await placeIn(directory.path(`attachments-${(names += 1)}`));
    try {
      return await backedUp(later, apart, keys, {
        files: { open: (file) => (file.sha256 === damaged ? open() : later.files.open(file)) },
        onDamaged,
      });
    } finally {
      await apart.close();
    }
  };

  it('is left out where its disk has lost bytes', async () => {
    const damage: string[] = [];
    const made = await backedUpOpening(
      async () => createReadStream(UNREADABLE),
      ({ message }) => void damage.push(message),
    );
    expect(made.files.missing).toBe(1);
    expect(damage).toEqual([
      expect.stringMatching(`^DAMAGED: the attachment ${damaged} cannot be read: EIO`),
    ]);
  });

  it('ends the backup where the whole store may be closed to it', async () => {
    const refused = async () => {
      const error = new Error('EACCES: permission denied');
      throw Object.assign(error, { code: 'EACCES', syscall: 'open' });
    };
    await expect(backedUpOpening(refused, unexpected)).rejects.toThrow(
      /^FILES_UNAVAILABLE: the attachment \w+ cannot be read: EACCES/,
    );
  });

  it('is left out by a restore that cannot read or open its part', async () => {
    const root = directory.path('attachments-sealed');
    const apart = await placeIn(root);
    const made = await backedUp(later, apart, keys);
    const files = await Array.fromAsync(indexedFiles(apart, made));
    const others = await keysIn(directory.path('keys'), 'other');
    const other = await apart.store(
      sealedFor([others.recipient], Readable.from([Buffer.from('another one')])),
    );
    const lines = files.map((file) =>
      JSON.stringify(file.sha256 === damaged ? { ...file, part: other } : file),
    );
    const index = await apart.store(Readable.from([Buffer.from(`${lines.join('\n')}\n`)]));
    const { part } = files.find(({ sha256 }) => sha256 === sound)!;
    rmSync(pathOf(root, part!));
    symlinkSync(UNREADABLE, pathOf(root, part!));
    const copy = await installation({ empty: true });
    const damage: string[] = [];
    const onDamagedFile = ({ message }: Error) => void damage.push(message);
    const changed: Manifest = { ...made, files: { ...made.files, index } };
    expect(await restoredInto(copy, apart, changed, keys, { onDamagedFile })).toBe(0);
    expect(damage.toSorted()).toEqual(
      [
        `DAMAGED: the part ${part} of the attachment ${sound} is damaged`,
        `DAMAGED: the part ${other} of the attachment ${damaged} is damaged`,
      ].toSorted(),
    );
    await apart.close();
  });

  it('is replaced by a restore, also where the store keeps files or cannot read one', async () => {
    const made = await backedUp(later, store, keys);
    const copy = await installation({ empty: true });
    for (const sha256 of [sound, damaged])
      mkdirSync(dirname(fileOf(copy, sha256)), { recursive: true });
    writeFileSync(fileOf(copy, sound), 'a sOund one');
    symlinkSync(UNREADABLE, fileOf(copy, damaged));
    const { files } = copy;
    /** As a bucket, which is asked for the length alone. */
    const keeping: FileStore = {
      ...files,
      async receive(chunks) {
        const received = await files.receive(chunks);
        const keep = async (organisation: string) => {
          if (!existsSync(fileOf(copy, received.sha256))) await received.keep(organisation);
        };
        return { ...received, keep };
      },
    };
    expect(await restoredInto(copy, store, made, keys, { files: keeping })).toBe(2);
    expect(await textOf(copy, sound)).toBe('a sound one');
    expect(await textOf(copy, damaged)).toBe('another one');
  });

  it('of a backup is named and left out by a restore, which replaces damaged files', async () => {
    const made = await backedUp(later, store, keys);
    const files = await Array.fromAsync(indexedFiles(store, made));
    const { part } = files.find(({ sha256 }) => sha256 === sound)!;
    const lines = files.map((file) => `${JSON.stringify({ ...file, part })}\n`);
    const index = await store.store(Readable.from([Buffer.from(lines.join(''))]));
    const copy = await installation({ empty: true });
    const kept = join(
      copy.filesDirectory,
      'main',
      fileKeyOf({ organisation: 'acme', sha256: sound }),
    );
    mkdirSync(dirname(kept), { recursive: true });
    writeFileSync(kept, 'a sOund one');
    const damage: string[] = [];
    const onDamagedFile = ({ message }: Error) => void damage.push(message);
    const changed: Manifest = { ...made, files: { ...made.files, index } };
    expect(await restoredInto(copy, store, changed, keys, { onDamagedFile })).toBe(1);
    expect(damage).toEqual([`DAMAGED: the part ${part} of the attachment ${damaged} is damaged`]);
    expect(await textOf(copy, sound)).toBe('a sound one');
    await refuseUnfinishedRestore(copy.pool);
  });
});

it('ends a restore that lacks a part because its backup has expired meanwhile', async () => {
  const store = await placeIn(directory.path('expiring'));
  const made = await backedUp(source, store, keys);
  const choice = { identity: keys.file, until: null, log: null, onDamaged: unexpected };
  const { opening } = await chosenBackup(store, choice);
  const { part } = (await Array.fromAsync(indexedFiles(store, made)))[0]!;
  await store.remove(part!);
  const damage: string[] = [];
  const onDamagedFile = ({ message }: Error) => void damage.push(message);
  const restored = async () =>
    restoredInto(await installation({ empty: true }), store, made, keys, {
      opening,
      onDamagedFile,
    });
  await restored();
  expect(damage).toHaveLength(1);
  await store.forget(new Set([made.id]));
  await expect(restored()).rejects.toThrow(
    `NOT_FOUND: the backup ${made.id} has expired meanwhile: choose another`,
  );
  expect(damage).toHaveLength(1);
  await store.close();
});

describe('a failed backup', () => {
  let later: Installation;
  let root: string;
  let store: BackupPlace;

  beforeAll(async () => {
    later = await installation();
    await furnish(later);
    await fill(later.log, 300, 50);
    await attach(later, 'the last part of a backup');
    root = directory.path('failing');
    store = await placeIn(root);
  });
  afterAll(() => store.close());

  const parts = async () => (await Array.fromAsync(store.stored())).flat();
  const fail = (more: Parameters<typeof backedUp>[3] = {}) => {
    const open = () => Promise.reject(new Error('no space is left'));
    const failed = backedUp(later, store, keys, { files: { open }, ...more });
    return expect(failed).rejects.toThrow('no space is left');
  };

  it('leaves no more when it fails again, and no earlier backup loses a part', async () => {
    await fail();
    const left = await parts();
    await fail();
    const leftLater = await parts();
    expect(leftLater).toHaveLength(left.length);
    expect(leftLater.filter((part) => left.includes(part))).toEqual([]);

    const made = await backedUp(later, store, keys);
    const whole = await parts();
    await attach(later, 'a later attachment');
    await fail();
    expect(await parts()).toEqual(expect.arrayContaining(whole));
    const copy = await installation({ empty: true });
    expect(await restoredInto(copy, store, made, keys)).toBe(1);
  });

  it('and a killed one leave no half-written file for the next one', async () => {
    const halves = ['parts', 'manifests'].map((name) => join(root, name, 'unfinished', 'half'));
    for (const half of halves) writeFileSync(half, 'half of a file');
    await fail();
    expect(halves.filter((half) => existsSync(half))).toEqual([]);
  });

  it('loses no part while a manifest cannot be read', async () => {
    const path = join(root, 'manifests');
    const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
    for (const name of names.filter((one) => /[0-9a-f]{64}$/.test(one)))
      truncateSync(join(path, name), 10);
    const before = await parts();
    const damage: string[] = [];
    await fail({ onDamaged: ({ message }) => damage.push(message) });
    expect(damage).toHaveLength(1);
    expect(await parts()).toEqual(expect.arrayContaining(before));
  });
});

it('makes no backup once its lock is lost with its connection', async () => {
  const store = await placeIn(directory.path('unlocked'));
  await attach(source, 'copied when the connection is lost');
  const open: Installation['files']['open'] = async (...words) => {
    await source.pool.query(
      `select pg_terminate_backend(pid, 10000) from pg_stat_activity
       where application_name = 'atrium backup' and datname = current_database()`,
    );
    return source.files.open(...words);
  };
  await expect(backedUp(source, store, keys, { files: { open } })).rejects.toThrow(/connection/i);
  expect(await store.manifests()).toEqual([]);
  await store.close();
});

it('waits for no other backup', async () => {
  const client = await source.pool.connect();
  await client.query(`select pg_advisory_lock(hashtextextended('atrium/backup', 0))`);
  await expect(backedUp(source, place, keys)).rejects.toThrow(/^RUNNING: /);
  client.release(true);
});

it('creates no directory where a volume is not mounted', async () => {
  const path = directory.path('absent');
  mkdirSync(path);
  const absent = join(path, 'volume');
  const place = { kind: 'directory', directory: absent } as const;
  await expect(openedPlace(place, path)).rejects.toThrow(/^PLACE_UNAVAILABLE: /);
  expect(() => statSync(absent)).toThrow('ENOENT');
});
