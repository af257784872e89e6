/** What the machine is like: its clock, its disk, and the release that is installed. */
import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import manifest from '../../../package.json' with { type: 'json' };
import { isBefore } from '../../engine/postgres/release-history.ts';
import {
  DOCTOR_CLOCK_SKEW_MAX_MS,
  DOCTOR_DISK_FREE_MIN_BYTES,
  DOCTOR_DISK_FREE_MIN_PERCENT,
} from '../limits.ts';
import { skewOf, type ClockReading } from '../conditions/clocks.ts';
import { isSystemError } from '../operator-error.ts';
import { judged, none, type Finding } from './check.ts';

/** Tokens and leases are judged by clocks: each other one must go as this machine's does. */
export const clockFinding = (readings: readonly ClockReading[]): Finding => {
  if (readings.length === 0) return none('there is no other clock to compare with');
  const skews = readings.map((reading) => ({ whose: reading.whose, ms: skewOf(reading) }));
  const told = ({ whose, ms }: (typeof skews)[number]) => {
    if (ms === 0) return `${whose} agrees`;
    return `${whose} is ${(Math.abs(ms) / 1_000).toFixed(1)} s ${ms > 0 ? 'ahead' : 'behind'}`;
  };
  const wrong = skews.filter(({ ms }) => Math.abs(ms) > DOCTOR_CLOCK_SKEW_MAX_MS);
  return judged(wrong.map(told), skews.map(told).join('; '));
};

export interface Space {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

export const diskFinding = (where: string, space: Space): Finding =>
  judged(
    isFull(space) ? [`${where}: only ${saidOfSpace(space)}`] : [],
    `${where}: ${saidOfSpace(space)}`,
  );

/** Whether less than {@link DOCTOR_DISK_FREE_MIN_BYTES} or the share beside it is free. */
export const isFull = (space: Space): boolean =>
  space.freeBytes < DOCTOR_DISK_FREE_MIN_BYTES || percentFree(space) < DOCTOR_DISK_FREE_MIN_PERCENT;

/** `56.3 GiB free, 22 %`. */
export const saidOfSpace = (space: Space): string =>
  `${(space.freeBytes / 1024 ** 3).toFixed(1)} GiB free, ${Math.floor(percentFree(space))} %`;

const percentFree = ({ freeBytes, totalBytes }: Space): number =>
  totalBytes === 0 ? 0 : (freeBytes / totalBytes) * 100;

/** Of the disk that a directory is on, or will be. */
export const spaceAt = async (directory: string): Promise<Space> => {
  const { bavail, blocks, bsize } = await statfs(await existing(directory));
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
};

/** The directory, or the nearest above it that there is. */
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
 * @param commit Of this source; `null`: unknown.
 * @param node Default: the Node that runs this.
 */
export const releaseFinding = (commit: string | null, node = process.versions.node): Finding => {
  const required = manifest.engines.node.replace('>=', '');
  const from = commit === null ? '' : ` (${commit.slice(0, 8)})`;
  const said = `Atrium ${manifest.version}${from} on Node ${node}`;
  return judged(
    isBefore(node, required) ? [`${said}, which must be ${required} or newer`] : [],
    said,
  );
};
