import type { Sandboxes } from '../use-cases/sandboxes/sandboxes.ts';
import { lookAtSnapshot, type Snapshots } from '../use-cases/sandboxes/snapshots.ts';
import type { DatabaseNames } from './names.ts';

export interface SweepParts {
  /** Names of all databases, and of all file stores. */
  readonly stored: () => Promise<readonly string[]>;
  /** Removes a database and its files. Idempotent. */
  readonly removed: (name: string) => Promise<void>;
  readonly names: DatabaseNames;
  readonly sandboxes: Pick<Sandboxes, 'look'>;
  readonly snapshots: Pick<Snapshots, 'look'>;
}

/**
 * Drops databases and files without a sandbox or snapshot, left by an interrupted drop or a
 * restored log. It reads the log, because the list omits sandboxes that are being built.
 *
 * @returns The names of the dropped databases.
 * @throws After all others were dropped, if some cannot be.
 */
export const sweep = async ({
  stored,
  removed,
  names,
  sandboxes,
  snapshots,
}: SweepParts): Promise<readonly string[]> => {
  const isHeld = async (name: string): Promise<boolean> => {
    const snapshotId = names.readSnapshot(name);
    if (snapshotId !== null) {
      const snapshot = (await lookAtSnapshot(snapshots, snapshotId))?.view ?? null;
      return snapshot !== null && snapshot.status !== 'failed';
    }
    const owner = names.read(name);
    if (!owner) return true;
    const sandbox = (await sandboxes.look(owner.sandboxId))?.view;
    return (
      sandbox !== undefined &&
      sandbox.ended === null &&
      sandbox.status !== 'failed' &&
      // Older generations are dropped once the new one is ready.
      (owner.generation === sandbox.generation || sandbox.status === 'provisioning')
    );
  };

  const dropped: string[] = [];
  const failures: unknown[] = [];
  for (const name of await stored()) {
    if (await isHeld(name)) continue;
    await removed(name).then(
      () => dropped.push(name),
      (error: unknown) => failures.push(error),
    );
  }
  if (failures.length > 0) throw new AggregateError(failures, SOME_UNDROPPED);
  return dropped;
};

const SOME_UNDROPPED = 'some databases without a sandbox or snapshot could not be dropped';
