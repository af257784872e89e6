/** Snapshots of sandboxes, and sandboxes made from them. contract.md section 4. */
import { refuse, type Instant, type Occasion } from '../../engine/aggregates/decider.ts';
import {
  Refused,
  aggregate,
  type Aggregate,
  type Answer,
} from '../../engine/aggregates/aggregate.ts';
import type { EventStore } from '../../engine/log/event-store.ts';
import { snapshotCodec } from '../../domain/sandboxes/codecs.ts';
import type { Branch } from '../../domain/sandboxes/events.ts';
import { developerKeyIn } from '../../domain/sandboxes/snapshots/ids.ts';
import {
  snapshotsDecider,
  type SnapshotCommand,
} from '../../domain/sandboxes/snapshots/snapshots.ts';
import {
  isKept,
  developerSnapshotsAfter,
  type DeveloperSnapshots,
  type SnapshotView,
} from '../../domain/sandboxes/snapshots/view.ts';
import type { SandboxView } from '../../domain/sandboxes/view.ts';
import { refuseWithoutRoom, type HostRoom } from './host-room.ts';
import type { UseCase } from '../use-case.ts';

/** `snapshots-<developer key>`. */
export type Snapshots = Aggregate<SnapshotCommand, DeveloperSnapshots>;

export const snapshotRepository = (log: EventStore): Snapshots =>
  aggregate({
    log,
    category: 'snapshots',
    codec: snapshotCodec,
    decider: snapshotsDecider,
    viewAfter: developerSnapshotsAfter,
  });

/**
 * The snapshot in the log, with the revision of all the developer's; `null`: deleted, or unknown.
 *
 * @throws `LogUnavailable`.
 */
export const lookAtSnapshot = async (
  snapshots: Pick<Snapshots, 'look'>,
  snapshotId: string,
): Promise<Pick<Answer<SnapshotView>, 'view' | 'revision'> | null> => {
  const all = await snapshots.look(developerKeyIn(snapshotId));
  const view = all?.view.get(snapshotId);
  return all && view ? { view, revision: all.revision } : null;
};

export interface NewSnapshot {
  readonly sandbox: SandboxView;
  /** It names the developer of the sandbox. */
  readonly snapshotId: string;
  readonly name: string;
}

export interface SnapshotParts extends HostRoom {
  readonly snapshots: Snapshots;
}

/**
 * Requests a snapshot, which a process makes afterwards. It counts for the sandbox's developer.
 *
 * @throws {@link Refused} `SANDBOX_NOT_READY`, `SNAPSHOT_LIMIT_REACHED`, `IDEMPOTENCY_KEY_REUSED`,
 *   and `UNAVAILABLE` if the host is full.
 */
export const requestSnapshot =
  (parts: SnapshotParts): UseCase<NewSnapshot, Answer<DeveloperSnapshots>> =>
  async ({ sandbox, snapshotId, name: displayName }, occasion, name) => {
    const { organisation, developer, sandboxId, generation, parameters, estimatedBytes } = sandbox;
    const command = async (): Promise<SnapshotCommand> => {
      const { buildingId } = sandbox;
      if (buildingId === null) {
        const detail = `A sandbox that is ${sandbox.status} cannot be copied.`;
        const extra = { sandboxStatus: sandbox.status };
        throw new Refused(refuse('SANDBOX_NOT_READY', detail, extra));
      }
      await refuseWithoutRoom(parts, estimatedBytes, occasion.at);
      const about = { organisation, developer, sandboxId, generation, parameters, buildingId };
      return { type: 'RequestSnapshot', snapshotId, name: displayName, ...about, estimatedBytes };
    };
    return parts.snapshots.give(
      developerKeyIn(snapshotId),
      { ...name, fresh: false, command, organisation },
      occasion,
    );
  };

export interface SnapshotDeletion extends Pick<SnapshotView, 'snapshotId' | 'organisation'> {
  /** Whether the caller sees the snapshot. Not asked for a repeat, which finds it gone. */
  readonly isSeen: () => Promise<boolean>;
}

/** @throws {@link Refused} `NOT_FOUND`. */
export const deleteSnapshot =
  ({
    snapshots,
  }: Pick<SnapshotParts, 'snapshots'>): UseCase<SnapshotDeletion, Answer<DeveloperSnapshots>> =>
  ({ snapshotId, organisation, isSeen }, occasion: Occasion, name) => {
    const command = async (): Promise<SnapshotCommand> => {
      if (!(await isSeen())) throw new Refused(refuse('NOT_FOUND', 'No snapshot has this id.'));
      return { type: 'DeleteSnapshot', snapshotId };
    };
    const given = { ...name, command, organisation };
    return snapshots.give(developerKeyIn(snapshotId), given, occasion);
  };

/**
 * The origin of a sandbox that is made from the snapshot.
 *
 * @throws {@link Refused} `SNAPSHOT_NOT_READY` while it is created, and for a failed one.
 */
export const branchOf = ({ snapshotId, status, buildingId, bytes }: SnapshotView): Branch => {
  if (status === 'ready') return { snapshotId, buildingId, bytes };
  const detail = `A snapshot that is ${status} has no content.`;
  throw new Refused(refuse('SNAPSHOT_NOT_READY', detail, { snapshotStatus: status }));
};

/**
 * Refuses the reset of a sandbox whose snapshot is gone.
 *
 * @throws {@link Refused} `SNAPSHOT_GONE`.
 */
export const refuseWithoutSnapshot = async (
  snapshots: Pick<Snapshots, 'look'>,
  { branch }: Pick<SandboxView, 'branch'>,
  at: Instant,
): Promise<void> => {
  if (branch === null) return;
  const snapshot = (await lookAtSnapshot(snapshots, branch.snapshotId))?.view;
  if (snapshot?.status === 'ready' && isKept(snapshot, at)) return;
  const { snapshotId } = branch;
  const detail = 'The snapshot that the sandbox was created from was deleted or has expired.';
  throw new Refused(refuse('SNAPSHOT_GONE', detail, { snapshotId }));
};
