/** A backup with the log outside the database: as export files, which a restore imports. */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import type { EventStore } from '../../../src/engine/log/event-store.ts';
import { logIdentity } from '../../../src/engine/log/log-identity.ts';
import { importedFrom } from '../../../src/engine/log/log-import.ts';
import type { Manifest } from '../../../src/operator/backup/manifest.ts';
import type { BackupPlace } from '../../../src/operator/backup/place.ts';
import { temporaryDirectory } from '../../../src/operator/backup/temporary-directory.ts';
import { untilOf } from '../../../src/operator/backup/until.ts';
import { temporaryFiles } from '../../support/files.ts';
import { everythingIn, fill, lasting } from '../../support/log/contents.ts';
import { happened } from '../../support/log/events.ts';
import { freshLog, type FreshLog } from '../../support/log/fresh-log.ts';
import {
  backedUp,
  fingerprintOf,
  installationIn,
  keysIn,
  placeIn,
  restoredInto,
} from './installation.ts';
import type { Installation, Keys } from './installation.ts';

const directory = temporaryFiles();
const logs: FreshLog[] = [];
const installations: Installation[] = [];
let source: Installation;
let log: EventStore;
let keys: Keys;
let place: BackupPlace;
let first: Manifest;
let second: Manifest;

const apart = async (): Promise<EventStore> => {
  const made = await freshLog();
  logs.push(made);
  return made.log;
};
const empty = async (): Promise<Installation> => {
  const made = await installationIn(directory.path(randomUUID()), { empty: true });
  installations.push(made);
  return made;
};
const backup = (from: EventStore) =>
  backedUp(source, place, keys, { log: from, isLogInDatabase: false });

const OWNER = 'requester-of-a-young-key';
const addKey = () =>
  source.pool.query(
    `insert into personal.keys (key_id, organisation, subject, purpose, wrapped, created_at)
     values (gen_random_uuid(), 'acme', $1, 'identity', 'w', now()) on conflict do nothing`,
    [OWNER],
  );

const ERASED = 'erased-during-the-second-backup';
const addSignIn = () =>
  source.pool.query(
    `insert into people.sign_ins (organisation, user_id, name, folded, seen_on)
     values ('acme', $1, 'Zyx', 'zyx', '2026-05-01')`,
    [ERASED],
  );
const removeSignIn = () =>
  source.pool.query('delete from people.sign_ins where user_id = $1', [ERASED]);

beforeAll(async () => {
  keys = await keysIn(directory.path('keys'));
  place = await placeIn(directory.path('place'));
  source = await installationIn(directory.path('files'));
  installations.push(source);
  log = await apart();
  await logIdentity(log);
  await fill(log, 1_200, 200);
  first = await backup(log);
  await log.append('ticket-later', 'no_stream', [happened('Later'), happened('Latest')]);
  // The export asks for the end of the log once the database was copied.
  const head = async () => {
    await addKey();
    await removeSignIn();
    return log.head();
  };
  await addSignIn();
  second = await backup({ ...log, head });
});
afterAll(async () => {
  await place.close();
  for (const one of installations) await one.close();
  for (const one of logs) await one.drop();
});

it('has the new events of the log, and restores all of them under a new log identity', async () => {
  expect(second.log.segments.slice(0, -1)).toEqual(first.log.segments);
  expect(second.log.segments.at(-1)).toMatchObject({ after: first.log.position, events: 2 });
  const [copy, other] = [await empty(), await apart()];
  await restoredInto(copy, place, second, keys, { log: other });
  expect(lasting(await everythingIn(other))).toEqual(lasting(await everythingIn(log)));
  expect(await importedFrom(other)).toBe(second.log.identity);
});

it('has the person keys created after the copy of the database', async () => {
  const copy = await empty();
  await restoredInto(copy, place, second, keys, { log: await apart() });
  const { rows } = await copy.pool.query('select subject from personal.keys');
  expect(rows).toContainEqual({ subject: OWNER });
});

it('lacks the sign-in of a person who was erased after the copy of the database', async () => {
  const copy = await empty();
  await restoredInto(copy, place, second, keys, { log: await apart() });
  const { rows } = await copy.pool.query('select user_id from people.sign_ins');
  expect(rows).toEqual([]);
});

it('is restored up to a position, and refuses a log with events', async () => {
  const all = await everythingIn(log);
  const { position } = all[700]!;
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => said.mockRestore());
  const [copy, other] = [await empty(), await apart()];
  await restoredInto(copy, place, second, keys, { log: other, until: untilOf(position) });
  expect(lasting(await everythingIn(other))).toEqual(lasting(all.slice(0, 701)));
  expect(await importedFrom(other)).toBe(second.log.identity);
  const lines = said.mock.calls.join('');
  expect(lines).toContain('verified: 701 events');
  // The command ends with its own advice: a server adopts the log, and tickets are lost.
  expect(lines).not.toContain('atrium log adopt');
  await expect(restoredInto(await empty(), place, second, keys, { log: other })).rejects.toThrow(
    /^NOT_EMPTY: the log has events already/,
  );
});

it('is refused before anything is written where the temporary directory is too small', async () => {
  const segments = second.log.segments.map((segment) => ({ ...segment, bytes: 2 ** 50 }));
  const larger: Manifest = { ...second, log: { ...second.log, segments } };
  const [copy, other] = [await empty(), await apart()];
  await expect(restoredInto(copy, place, larger, keys, { log: other })).rejects.toThrow(
    /^NO_SPACE: .* free, and the log needs 1024\.0 TiB: set TMPDIR to a larger directory$/,
  );
  expect(await fingerprintOf(copy.pool)).toEqual({});
  await restoredInto(copy, place, second, keys, { log: other });
});

it('removes what killed restores have left, nothing of running ones, all of its own', async () => {
  const running = await temporaryDirectory();
  onTestFinished(() => rmSync(running, { recursive: true }));
  /** A directory as of the same process, but for what `change` does to its name. */
  const left = (change: (name: string) => string): string => {
    const made = mkdtempSync(join(tmpdir(), change(basename(running)).slice(0, -6)));
    writeFileSync(join(made, 'segment.ndjson'), 'decrypted');
    return made;
  };
  const ofPid = (pid: number) => left((name) => name.replace(`-${process.pid}-`, `-${pid}-`));
  const killed = [
    ofPid(spawnSync('true').pid),
    left((name) => name.replace(/-\d+(?=-\w+-\w+$)/, '-1')),
  ];
  const ofOther = () => left((name) => name.replace(/\w+(?=-\w+$)/, 'ffffffff'));
  const [recent, old] = [ofOther(), ofOther()];
  utimesSync(old, 0, 0);
  onTestFinished(() => rmSync(recent, { recursive: true }));
  const before = new Set(readdirSync(tmpdir()));
  const own = () =>
    readdirSync(tmpdir()).filter(
      (name) => name.startsWith(`atrium-backup-${process.pid}-`) && !before.has(name),
    );
  const to = await apart();
  let mode = 0;
  const append: EventStore['append'] = (...words) => {
    mode = statSync(join(tmpdir(), own()[0]!)).mode;
    return to.append(...words);
  };
  await restoredInto(await empty(), place, first, keys, {
    log: { ...to, append, orderedAppends: null },
  });
  expect(mode & 0o777).toBe(0o700);
  expect(own()).toEqual([]);
  expect([...killed, old].map((path) => existsSync(path))).toEqual([false, false, false]);
  expect([running, recent].map((path) => existsSync(path))).toEqual([true, true]);
});
