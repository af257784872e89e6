/** The server's backups: by one process at a time, when the newest is old enough. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { metricsOf } from '../../../src/engine/observe/metrics.ts';
import { loggerOf } from '../../../src/engine/observe/logging.ts';
import {
  inOwnProcess,
  scheduleBackups,
  type ScheduleParts,
} from '../../../src/operator/backup/schedule.ts';
import { backupFinding } from '../../../src/operator/doctor/backup.ts';
import type { BackupPlace } from '../../../src/operator/backup/place.ts';
import { temporaryFiles } from '../../support/files.ts';
import { heldFor, until } from '../../support/until.ts';
import { backedUp, installationIn, keysIn, placeIn } from './installation.ts';
import type { Installation, Keys } from './installation.ts';

const HOUR_MS = 3_600_000;
const directory = temporaryFiles();
let installation: Installation;
let keys: Keys;
let place: BackupPlace;
let root: string;
let names = 0;
let stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  installation = await installationIn(directory.path('files'));
  keys = await keysIn(directory.path('keys'));
});
beforeEach(async () => {
  root = directory.path(`place-${(names += 1)}`);
  place = await placeIn(root);
});
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
  await place.close();
});
afterAll(() => installation.close());

const configOf = (everyMs: number): ScheduleParts['config'] => ({
  backup: { place: { kind: 'directory', directory: root }, recipients: [], everyMs, kept: 2 },
  dataDirectory: root,
});

/** A process that makes backups, and its status of them. */
const started = (make: () => Promise<unknown>, everyMs = HOUR_MS) => {
  const metrics = metricsOf({ process: false });
  const stop = scheduleBackups(
    {
      config: configOf(everyMs),
      db: { pool: installation.pool },
      logger: loggerOf('silent'),
      metrics,
      make: async () => void (await make()),
    },
    everyMs,
  );
  stops.push(stop);
  return { stop, shown: () => metrics.print() };
};

const failing = () => Promise.reject(new Error('the volume is full'));

it('makes the first at once in one process, and then waits for the next', async () => {
  let made = 0;
  const make = () => {
    made += 1;
    return backedUp(installation, place, keys);
  };
  const [one, other] = [started(make), started(make)];
  const isKnown = async () =>
    [await one.shown(), await other.shown()].filter((text) =>
      /^atrium_backup_last_success_timestamp_seconds [1-9]/m.test(text),
    ).length;
  await expect.poll(isKnown).toBe(1);
  expect(made).toBe(1);
  expect(await one.shown()).toMatch(/^atrium_backup_interval_seconds 3600$/m);
  expect(await backupFinding(configOf(HOUR_MS))).toMatchObject({ status: 'ok' });
});

it('makes none while the newest is recent enough', async () => {
  await backedUp(installation, place, keys);
  const { shown } = started(failing);
  await expect.poll(shown).toMatch(/^atrium_backup_last_success_timestamp_seconds [1-9]/m);
  expect(await shown()).toMatch(/^atrium_backup_failures_total 0$/m);
});

it('makes one at once after one of a time when the clock was ahead, and then waits', async () => {
  const early = await backedUp(installation, place, keys);
  const ahead = '2099-05-01T10:00:00.000Z';
  await place.forget(new Set([early.id]));
  await place.add({ ...early, id: ahead, finishedAt: ahead });
  expect(await backupFinding(configOf(HOUR_MS))).toEqual({
    status: 'failed',
    detail: expect.stringMatching(/^the newest backup is dated [1-9]\d+\.\d hours ahead: correct/),
  });
  let made = 0;
  const { shown } = started(() => {
    made += 1;
    return backedUp(installation, place, keys);
  });
  await expect.poll(shown).toMatch(/^atrium_backup_last_success_timestamp_seconds [12]\d{9}\b/m);
  expect(made).toBe(1);
  const [newest, older] = await place.manifests();
  expect([newest!.id, older!.id]).toEqual(['2099-05-01T10:00:00.001Z', ahead]);
  expect(await backupFinding(configOf(HOUR_MS))).toMatchObject({ status: 'ok' });
});

it('counts a failure, and doctor reports a missing or an old backup', async () => {
  const { shown } = started(failing);
  await expect.poll(shown).toMatch(/^atrium_backup_failures_total 1$/m);
  expect(await shown()).toMatch(/^atrium_backup_last_success_timestamp_seconds 0$/m);
  expect(await backupFinding(configOf(HOUR_MS))).toEqual({
    status: 'failed',
    detail: 'there is no backup yet',
  });
  await backedUp(installation, place, keys);
  expect(await backupFinding(configOf(1))).toMatchObject({ status: 'failed' });
});

it('reports an unreadable place instead of an age', async () => {
  writeFileSync(directory.path('file'), '');
  const config = configOf(HOUR_MS);
  const gone = { kind: 'directory', directory: directory.path('file/none') } as const;
  await expect(
    backupFinding({ ...config, backup: { ...config.backup, place: gone } }),
  ).rejects.toThrow(/^PLACE_UNAVAILABLE: /);
});

it('gives the reason of a failed backup, and not where in the program it failed', async () => {
  const broken = await installationIn(directory.path('broken'));
  onTestFinished(() => broken.close());
  await broken.pool.query('alter table files.reference rename to another');
  const environment = {
    DATABASE_URL: broken.url,
    ATRIUM_DATA: directory.path('data'),
    BACKUP_URL: root,
    BACKUP_RECIPIENT: keys.recipient,
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(inOwnProcess(new AbortController().signal)).rejects.toThrow(
    /^relation "files.reference" does not exist$/,
  );
});

it('kills a backup that ignores SIGTERM', async () => {
  const program = directory.path('stubborn.mjs');
  const begun = directory.path('begun');
  writeFileSync(
    program,
    `import { renameSync, writeFileSync } from 'node:fs';
    process.on('SIGTERM', () => {});
    writeFileSync('${begun}.part', String(process.pid));
    renameSync('${begun}.part', '${begun}');
    setInterval(() => {}, 1_000);`,
  );
  const stopping = new AbortController();
  const making = inOwnProcess(stopping.signal, program).catch((error: unknown) => error);
  await until(() => existsSync(begun), 'the start of the backup');
  const pid = Number(readFileSync(begun, 'utf8'));
  const signalled = (signal: NodeJS.Signals | 0) => {
    try {
      return process.kill(pid, signal);
    } catch {
      return false;
    }
  };
  onTestFinished(() => void signalled('SIGKILL'));
  const reason = new Error('the test is over');
  stopping.abort(reason);
  expect(await heldFor(making, 30_000)).toBe(reason);
  expect(signalled(0)).toBe(false);
});

it('starts no backup once it is stopping', async () => {
  const [program, begun] = [directory.path('late.mjs'), directory.path('late')];
  writeFileSync(program, `import('node:fs').then((fs) => fs.writeFileSync('${begun}', ''))`);
  const over = AbortSignal.abort(new Error('it is over'));
  await expect(inOwnProcess(over, program)).rejects.toThrow('it is over');
  expect(existsSync(begun)).toBe(false);
});

it('does not hold up a stop longer than the bound', async () => {
  const { promise: making, resolve: end } = Promise.withResolvers<void>();
  let began = false;
  const { stop } = started(() => {
    began = true;
    return making;
  });
  await until(() => began, 'the start of the backup');
  const answer = await heldFor(stop(), 30_000);
  end();
  expect(answer).not.toBe('held');
});
