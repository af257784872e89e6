/** The public view of a developer's snapshots: one fold for answers, the list and the timers. */
import { tableOf, type Actor, type Instant } from '../../../engine/aggregates/decider.ts';
import type { SandboxParameters } from '../parameters.ts';
import type { SnapshotEvent } from './events.ts';
import { SNAPSHOT_MAKING_MAX_MS } from './limits.ts';

export type SnapshotStatus = 'creating' | 'ready' | 'failed';

export interface SnapshotView {
  readonly snapshotId: string;
  readonly organisation: string;
  /** The owner of the sandbox, and of the snapshot. */
  readonly developer: string;
  readonly name: string;
  readonly sandboxId: string;
  /** The generation of the sandbox whose database is copied. */
  readonly generation: number;
  readonly parameters: SandboxParameters;
  readonly buildingId: string;
  readonly status: SnapshotStatus;
  /** Size of its database; estimated until it is ready. */
  readonly bytes: number;
  readonly createdAt: Instant;
  readonly createdBy: Actor;
  readonly expiresAt: Instant;
  /** `null` unless it failed. */
  readonly failureReason: string | null;
}

/** A developer's snapshots that were not deleted and have not expired, by id, oldest first. */
export type DeveloperSnapshots = ReadonlyMap<string, SnapshotView>;

export interface RecordedSnapshotEvent {
  readonly event: SnapshotEvent;
  readonly at: Instant;
  readonly by: Actor;
}

/** Pure. `null`: the snapshot is gone, or was never requested. */
export const snapshotAfter = (
  recorded: RecordedSnapshotEvent,
  view: SnapshotView | null,
): SnapshotView | null => fold(recorded.event, recorded, view);

const fold = tableOf<
  SnapshotEvent,
  [RecordedSnapshotEvent, SnapshotView | null],
  SnapshotView | null
>({
  SnapshotRequested: (event, { at, by }) => {
    const { type: _, estimatedBytes, ...asked } = event;
    return {
      ...asked,
      status: 'creating',
      bytes: estimatedBytes,
      createdAt: at,
      createdBy: by,
      failureReason: null,
    };
  },
  SnapshotReady: ({ bytes }, _, view) => view && { ...view, status: 'ready', bytes },
  SnapshotFailed: ({ reason }, _, view) =>
    view && { ...view, status: 'failed', bytes: 0, failureReason: reason },
  SnapshotExpired: () => null,
  SnapshotDeleted: () => null,
});

/** Pure. */
export const developerSnapshotsAfter = (
  recorded: RecordedSnapshotEvent,
  before: DeveloperSnapshots | null,
): DeveloperSnapshots => {
  const { snapshotId } = recorded.event;
  const after = new Map(before);
  const view = snapshotAfter(recorded, after.get(snapshotId) ?? null);
  if (view === null) after.delete(snapshotId);
  else after.set(snapshotId, view);
  return after;
};

/** Whether the snapshot exists at `at`, even before its expiry is recorded. */
export const isKept = ({ expiresAt }: Pick<SnapshotView, 'expiresAt'>, at: Instant): boolean =>
  at < expiresAt;

/** The deadline of making the snapshot. */
export const madeUntil = ({ createdAt }: Pick<SnapshotView, 'createdAt'>): Instant =>
  new Date(Date.parse(createdAt) + SNAPSHOT_MAKING_MAX_MS).toISOString();

/** The next due time of the snapshot. */
export const snapshotDueAt = (
  view: Pick<SnapshotView, 'status' | 'createdAt' | 'expiresAt'>,
): Instant => (view.status === 'creating' ? madeUntil(view) : view.expiresAt);
