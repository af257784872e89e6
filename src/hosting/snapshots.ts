/** Snapshots are databases that are only copied, beside those of the sandboxes. Decision 0062. */
import type { SnapshotView } from '../domain/sandboxes/snapshots/view.ts';
import type { SandboxView } from '../domain/sandboxes/view.ts';
import { pause } from '../engine/concurrency/backoff.ts';
import { fairSemaphore, NoPermit } from '../engine/concurrency/fair-semaphore.ts';
import type { SharedLeases } from '../engine/consumers/leases.ts';
import { DependencyUnavailable } from '../engine/processes/outcome.ts';
import type { FileStores } from '../files/file-store.ts';
import { CannotBuild } from '../processes/sandboxes/cannot-build.ts';
import type { SnapshotBuilder } from '../processes/sandboxes/snapshots.ts';
import type { Sandboxes } from '../use-cases/sandboxes/sandboxes.ts';
import type { ActiveSandboxes } from './active-sandboxes.ts';
import { copyLeaseOf } from './claims.ts';
import { NoSource, type Databases } from './databases.ts';
import {
  SNAPSHOT_ASLEEP_LOOK_MS,
  SNAPSHOT_ASLEEP_WAIT_MAX_MS,
  SNAPSHOTS_MADE_AT_ONCE_MAX,
  SNAPSHOTS_MADE_AT_ONCE_OF_ORGANISATION_MAX,
} from './limits.ts';
import type { DatabaseNames } from './names.ts';

export interface SnapshotBuilderParts {
  readonly databases: Databases;
  readonly names: () => Promise<DatabaseNames>;
  readonly active: Pick<ActiveSandboxes, 'asleep'>;
  readonly leases: Pick<SharedLeases, 'take' | 'forget'>;
  readonly sandboxes: Pick<Sandboxes, 'look'>;
  readonly fileStores: FileStores | undefined;
  /** Removes a database and its files. Idempotent. */
  readonly removed: (name: string) => Promise<void>;
}

export const snapshotBuilder = (parts: SnapshotBuilderParts): SnapshotBuilder => {
  const { databases, names, active, leases, sandboxes, fileStores, removed } = parts;
  const atOnce = fairSemaphore({
    ofCaller: SNAPSHOTS_MADE_AT_ONCE_OF_ORGANISATION_MAX,
    ofOrganisation: SNAPSHOTS_MADE_AT_ONCE_OF_ORGANISATION_MAX,
    inAll: SNAPSHOTS_MADE_AT_ONCE_MAX,
    waitMs: SNAPSHOT_ASLEEP_WAIT_MAX_MS,
  });

  const sourceOf = async ({ sandboxId, generation }: SnapshotView): Promise<SandboxView> => {
    const sandbox = (await sandboxes.look(sandboxId))?.view;
    const isThere = sandbox?.ended === null && sandbox.generation === generation;
    if (!isThere || sandbox.status !== 'ready') throw new CannotBuild(SOURCE_GONE);
    return sandbox;
  };

  const copy = async (
    { snapshotId, sandboxId, generation, organisation }: SnapshotView,
    bytesMax: () => Promise<number>,
    signal: AbortSignal,
  ) => {
    const named = await names();
    const from = named.of(sandboxId, generation);
    const to = named.ofSnapshot(snapshotId);
    const [bytes, most] = [await databases.bytesOf(from), await bytesMax()];
    if (bytes > most) throw new CannotBuild(tooLarge(bytes, most));
    // The database is copied last: if it exists, the copy is complete.
    await fileStores?.copy(from, to, organisation, signal);
    await databases.copy(from, to, true, signal);
  };

  const isCopied = async (
    snapshot: SnapshotView,
    bytesMax: () => Promise<number>,
    signal: AbortSignal,
  ): Promise<boolean> => {
    try {
      const sandbox = await sourceOf(snapshot);
      return await active.asleep(sandbox, () => copy(snapshot, bytesMax, signal));
    } catch (error) {
      throw error instanceof NoSource ? new CannotBuild(SOURCE_GONE, error) : error;
    }
  };

  const permitFor = async (
    { organisation, developer: caller }: SnapshotView,
    signal: AbortSignal,
  ): Promise<() => void> => {
    try {
      return await atOnce.acquire({ organisation, caller }, signal);
    } catch (error) {
      if (!(error instanceof NoPermit)) throw error;
      throw new DependencyUnavailable('other sandboxes are being copied', { cause: error });
    }
  };

  /** Announces the copy to the process that hosts the sandbox, and copies it once it is closed. */
  const copied = async (
    snapshot: SnapshotView,
    bytesMax: () => Promise<number>,
    signal: AbortSignal,
  ): Promise<void> => {
    const name = copyLeaseOf(snapshot);
    // First, because the sandbox is closed as long as its copy is announced.
    let release: (() => void) | null = await permitFor(snapshot, signal);
    try {
      const announced = await leases.take(name);
      if (announced === null) throw new DependencyUnavailable('another process copies it still');
      try {
        const deadline = performance.now() + SNAPSHOT_ASLEEP_WAIT_MAX_MS;
        while (performance.now() < deadline) {
          signal.throwIfAborted();
          release ??= await permitFor(snapshot, signal);
          if (await isCopied(snapshot, bytesMax, signal)) return;
          // No permit while the sandbox cannot be copied, which may be long.
          release();
          release = null;
          await pause(SNAPSHOT_ASLEEP_LOOK_MS, signal);
        }
        throw new DependencyUnavailable('the sandbox is busy, or hosted by another process');
      } finally {
        await announced.release();
        await leases.forget([name]);
      }
    } finally {
      release?.();
    }
  };

  return {
    async make(snapshot, bytesMax, signal) {
      const name = (await names()).ofSnapshot(snapshot.snapshotId);
      if (!(await databases.names()).includes(name)) await copied(snapshot, bytesMax, signal);
      return databases.bytesOf(name);
    },

    remove: async (snapshotId) => removed((await names()).ofSnapshot(snapshotId)),
  };
};

const SOURCE_GONE =
  'The sandbox was reset or deleted before it was copied. Delete the snapshot, and ' +
  'create another one from a sandbox that is ready.';

const tooLarge = (bytes: number, bytesMax: number): string =>
  `The sandbox has grown to ${mib(bytes)} MiB, and there is room for a snapshot of ` +
  `${mib(Math.max(0, bytesMax))} MiB. Delete the snapshot, and create one of a sandbox with less ` +
  'content, or when other sandboxes and snapshots have gone.';

const mib = (bytes: number): number => Math.round(bytes / 1024 ** 2);
