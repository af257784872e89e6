import { refuse, type Instant } from '../../engine/aggregates/decider.ts';
import { Refused } from '../../engine/aggregates/aggregate.ts';
import type { SizeBounds } from '../../domain/sandboxes/size.ts';

/** The disk space of the host with the databases of sandboxes and snapshots. */
export interface HostRoom {
  readonly sizes: SizeBounds;
  /**
   * Size of the databases of all sandboxes and snapshots of the host together, estimated until a
   * snapshot is ready.
   */
  readonly usedBytes: (at: Instant) => Promise<number>;
}

/** The most bytes that the database of a snapshot may have whose estimate is counted already. */
export const snapshotBytesMax = async (
  { sizes, usedBytes }: HostRoom,
  estimatedBytes: number,
  at: Instant,
): Promise<number> =>
  Math.min(sizes.bytesMax, sizes.hostBytesMax - (await usedBytes(at)) + estimatedBytes);

/** Refuses one more database of this size. @throws {@link Refused} `UNAVAILABLE` if it is full. */
export const refuseWithoutRoom = async (
  { sizes, usedBytes }: HostRoom,
  estimatedBytes: number,
  at: Instant,
): Promise<void> => {
  if ((await usedBytes(at)) + estimatedBytes <= sizes.hostBytesMax) return;
  const detail = 'The host has no room for this size now.';
  throw new Refused(refuse('UNAVAILABLE', detail, { estimatedBytes }));
};
