import { statfs } from 'node:fs/promises';

export interface DiskSpace {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** The space on the disk of an existing directory. */
export const diskSpace = async (directory: string): Promise<DiskSpace> => {
  const { bavail, blocks, bsize } = await statfs(directory);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
};

/** 0 to 100. */
export const percentFree = ({ freeBytes, totalBytes }: DiskSpace): number =>
  totalBytes === 0 ? 0 : (freeBytes / totalBytes) * 100;

/** The disk with the least free share. */
export const fullestDisk = <Disk extends DiskSpace>(disks: readonly Disk[]): Disk =>
  disks.reduce((a, b) => (percentFree(b) < percentFree(a) ? b : a));
