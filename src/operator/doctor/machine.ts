/** Checks the machine's clock and disk, and the installed release. */
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import manifest from '../../../package.json' with { type: 'json' };
import {
  diskSpace,
  fullestDisk,
  percentFree,
  type DiskSpace,
} from '../../engine/observe/disk-space.ts';
import { isBefore } from '../../engine/postgres/release-history.ts';
import {
  DOCTOR_CLOCK_SKEW_MAX_MS,
  DOCTOR_DISK_FREE_MIN_BYTES,
  DOCTOR_DISK_FREE_MIN_PERCENT,
} from '../limits.ts';
import { skewOf, type ClockReading } from '../conditions/clocks.ts';
import { isSystemError } from '../operator-error.ts';
import { judged, none, type Finding } from './check.ts';

/** Every other clock must agree with this machine's: tokens and leases depend on it. */
export const clockFinding = (readings: readonly ClockReading[]): Finding => {
  if (readings.length === 0) return none('there is no other clock to compare with');
  const skews = readings.map((reading) => ({ whose: reading.whose, ms: skewOf(reading) }));
  const lineOf = ({ whose, ms }: (typeof skews)[number]) => {
    if (ms === 0) return `${whose} agrees`;
    return `${whose} is ${(Math.abs(ms) / 1_000).toFixed(1)} s ${ms > 0 ? 'ahead' : 'behind'}`;
  };
  const wrong = skews.filter(({ ms }) => Math.abs(ms) > DOCTOR_CLOCK_SKEW_MAX_MS);
  return judged(wrong.map(lineOf), skews.map(lineOf).join('; '));
};

export const diskFinding = (where: string, space: DiskSpace): Finding =>
  judged(
    isFull(space) ? [`${where}: only ${saidOfSpace(space)}`] : [],
    `${where}: ${saidOfSpace(space)}`,
  );

/** {@link diskFinding} of the directory whose disk has the least free share. */
export const fullestFinding = async (directories: readonly string[]): Promise<Finding> => {
  const disks = await Promise.all(
    directories.map(async (where) => ({ where, ...(await spaceAt(where)) })),
  );
  const { where, ...space } = fullestDisk(disks);
  return diskFinding(where, space);
};

/** Below {@link DOCTOR_DISK_FREE_MIN_BYTES} or {@link DOCTOR_DISK_FREE_MIN_PERCENT}. */
export const isFull = (space: DiskSpace): boolean =>
  space.freeBytes < DOCTOR_DISK_FREE_MIN_BYTES || percentFree(space) < DOCTOR_DISK_FREE_MIN_PERCENT;

/** `56.3 GiB free, 22 %`. */
export const saidOfSpace = (space: DiskSpace): string =>
  `${(space.freeBytes / 1024 ** 3).toFixed(1)} GiB free, ${Math.floor(percentFree(space))} %`;

/** The space on the disk of a directory, which need not exist yet. */
export const spaceAt = async (directory: string): Promise<DiskSpace> =>
  diskSpace(await existing(directory));

/** The directory, or its nearest existing ancestor. */
export const existing = async (directory: string): Promise<string> => {
  const parent = dirname(directory);
  const isThere = await stat(directory).then(
    () => true,
    (error: unknown) => {
      if (isSystemError(error) && error.code === 'ENOENT') return false;
      throw error;
    },
  );
  return isThere || parent === directory ? directory : existing(parent);
};

/**
 * @param commit The commit of this source; `null`: unknown.
 * @param node Version of Node. Default: the running one.
 */
export const releaseFinding = (commit: string | null, node = process.versions.node): Finding => {
  const required = manifest.engines.node.replace('>=', '');
  const from = commit === null ? '' : ` (${commit.slice(0, 8)})`;
  const installed = `Atrium ${manifest.version}${from} on Node ${node}`;
  return judged(
    isBefore(node, required) ? [`${installed}, which must be ${required} or newer`] : [],
    installed,
  );
};
