/** `atrium backup restore --until`: its values, and the restore that it leaves unfinished. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { comparePositions } from '../../../src/engine/log/eventstoredb/positions.ts';
import {
  markDestination,
  refuseUnfinishedRestore,
} from '../../../src/operator/backup/destination.ts';
import type { Manifest } from '../../../src/operator/backup/manifest.ts';
import { backupFor, untilOf } from '../../../src/operator/backup/until.ts';
import { temporaryFiles } from '../../support/files.ts';
import { happened } from '../../support/log/events.ts';
import { runAtrium } from '../../support/servers/cli.ts';
import { backedUp, furnish, installationIn, keysIn, placeIn } from './installation.ts';
import type { Installation, Keys } from './installation.ts';

const directory = temporaryFiles();
let source: Installation;
let empty: Installation;
let keys: Keys;
let manifest: Manifest;

beforeAll(async () => {
  keys = await keysIn(directory.path('keys'));
  source = await installationIn(directory.path('source'));
  empty = await installationIn(directory.path('empty'), { empty: true });
  await furnish(source);
  await source.log.append('ticket-a', 'no_stream', [happened('Opened')]);
  const place = await placeIn(directory.path('place'));
  manifest = await backedUp(source, place, keys);
  await place.close();
});
afterAll(async () => {
  await source.close();
  await empty.close();
});

const restore = (until: string, env: { readonly EVENTSTORE_URL?: string } = {}) =>
  runAtrium(
    {
      DATABASE_URL: empty.url,
      ATRIUM_DATA: directory.path('data'),
      BACKUP_URL: directory.path('place'),
      ...env,
    },
    'backup',
    'restore',
    '--identity',
    keys.file,
    '--until',
    until,
  );

it.each([
  'banana',
  '2026-11-29',
  '2026-11-29T10:15:00',
  '2026-02-30T10:15:00Z',
  '5/5',
  '9999999999999999',
])('refuses %s in one line, as a wrong option', async (value) => {
  expect(await restore(value)).toEqual({
    code: 2,
    out: '',
    err: expect.stringMatching(
      new RegExp(
        `^atrium: --until: ${value} is neither a time, such as .*Z, nor a position .*\\n$`,
      ),
    ),
  });
});

it('refuses the log of another backend before a position', async () => {
  expect(await restore('5', { EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false' })).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^atrium: OTHER_LOG: .*\n$/),
  });
});

it('finds a position only in backups of the configured backend', () => {
  const log = { ...manifest.log, isInDatabase: false, position: '5/5' };
  const moved: Manifest = { ...manifest, log };
  const apart = { compare: comparePositions };
  expect(backupFor([moved, manifest], undefined, untilOf('4/4'), apart)).toBe(moved);
  expect(backupFor([manifest, moved], undefined, untilOf('1'), null)).toBe(manifest);
});

it('goes by when a backup was made, not by an id after a time when the clock was ahead', () => {
  const day = (of: number, id: string, finishedAt = id): Manifest => ({
    ...manifest,
    id: `20${id}:00.000Z`,
    finishedAt: `20${finishedAt}:00.000Z`,
    previous: String(of),
  });
  const before = day(1, '26-05-01T02:00', '26-05-01T04:00');
  const ahead = day(2, '99-05-02T02:00', '99-05-02T04:00');
  const [third, fourth] = [
    day(3, '99-05-02T02:01', '26-05-03T04:00'),
    day(4, '99-05-02T02:02', '26-05-04T04:00'),
  ];
  const reaching = (until: string) =>
    backupFor([fourth, third, ahead, before], undefined, untilOf(until), null);
  expect(reaching('2026-05-01T02:00:00Z')).toBe(before);
  // Its log may end before its own end, but not before the end of the one that precedes it.
  expect(reaching('2026-05-01T03:00:00Z')).toBe(ahead);
  expect(reaching('2026-05-01T05:00:00Z')).toBe(fourth);
  expect(() => reaching('2026-05-04T03:00:00Z')).toThrow(/^NOT_COVERED: /);
});

it.each(['1', '2026-11-26T10:15:00.000Z'])(
  'up to %s, unfinished, is named by the command that finishes it',
  async (value) => {
    const mark = { backup: manifest.id, until: JSON.stringify(untilOf(value)) };
    await markDestination(empty.pool, mark);
    await expect(refuseUnfinishedRestore(empty.pool)).rejects.toThrow(
      'a restore into this database was not finished: ' +
        `repeat atrium backup restore ${manifest.id} --until ${value}`,
    );
  },
);
