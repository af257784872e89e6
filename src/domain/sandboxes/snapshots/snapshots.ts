/**
 * The snapshots of a developer's sandboxes: `snapshots-<developer key>`. One aggregate for all of
 * them, because the limit counts within it. A snapshot outlives its sandbox. contract.md section 4.
 */
import { daysAfter } from '../../../engine/time/calendar.ts';
import {
  refuse,
  tableOf,
  type Decider,
  type Decision,
  type Occasion,
} from '../../../engine/aggregates/decider.ts';
import type { SnapshotEvent } from './events.ts';
import {
  SNAPSHOT_KEPT_DAYS,
  SNAPSHOT_MAKING_MAX_MS,
  SNAPSHOTS_OF_DEVELOPER_MAX,
} from './limits.ts';
import { isKept, madeUntil, developerSnapshotsAfter, type DeveloperSnapshots } from './view.ts';

export type SnapshotCommand =
  | ({ readonly type: 'RequestSnapshot' } & Omit<
      Extract<SnapshotEvent, { type: 'SnapshotRequested' }>,
      'type' | 'expiresAt'
    >)
  /** Its database and files are complete. */
  | { readonly type: 'EndSnapshot'; readonly snapshotId: string; readonly bytes: number }
  | { readonly type: 'FailSnapshot'; readonly snapshotId: string; readonly reason: string }
  | { readonly type: 'DeleteSnapshot'; readonly snapshotId: string }
  /** Records what has become due by the time of the occasion, if anything. */
  | { readonly type: 'LookAtSnapshot'; readonly snapshotId: string };

const decide = tableOf<SnapshotCommand, [DeveloperSnapshots, Occasion], Decision<SnapshotEvent>>({
  RequestSnapshot: (command, all, { at }) => {
    const { type: _, ...details } = command;
    if (all.has(details.snapshotId)) return refuse('CONFLICT', 'This snapshot id is in use.');
    const kept = [...all.values()].filter((one) => isKept(one, at)).length;
    if (kept >= SNAPSHOTS_OF_DEVELOPER_MAX) {
      const limit = SNAPSHOTS_OF_DEVELOPER_MAX;
      const detail =
        `A developer can have at most ${limit} snapshots; delete one that is no longer ` +
        'needed.';
      return refuse('SNAPSHOT_LIMIT_REACHED', detail, { limit });
    }
    const expiresAt = daysAfter(at, SNAPSHOT_KEPT_DAYS);
    return [{ type: 'SnapshotRequested', ...details, expiresAt }];
  },

  EndSnapshot: ({ snapshotId, bytes }, all) =>
    all.get(snapshotId)?.status === 'creating'
      ? [{ type: 'SnapshotReady', snapshotId, bytes }]
      : [],

  FailSnapshot: ({ snapshotId, reason }, all) =>
    all.get(snapshotId)?.status === 'creating'
      ? [{ type: 'SnapshotFailed', snapshotId, reason }]
      : [],

  DeleteSnapshot: ({ snapshotId }, all, { at }) => {
    const snapshot = all.get(snapshotId);
    if (!snapshot || !isKept(snapshot, at)) return refuse('NOT_FOUND', 'No snapshot has this id.');
    return [{ type: 'SnapshotDeleted', snapshotId }];
  },

  LookAtSnapshot: ({ snapshotId }, all, { at }) => {
    const snapshot = all.get(snapshotId);
    if (!snapshot) return [];
    if (!isKept(snapshot, at)) return [{ type: 'SnapshotExpired', snapshotId }];
    if (snapshot.status === 'creating' && at >= madeUntil(snapshot))
      return [{ type: 'SnapshotFailed', snapshotId, reason: TOOK_TOO_LONG }];
    return [];
  },
});

/** Refuses `SNAPSHOT_LIMIT_REACHED` with `limit`, and `NOT_FOUND` for one that is gone. */
export const snapshotsDecider: Decider<SnapshotCommand, DeveloperSnapshots, SnapshotEvent> = {
  initial: new Map(),
  decide,
  // The actor is only for display: decisions ignore it.
  evolve: (event, all, at) => developerSnapshotsAfter({ event, at, by: ANY_ACTOR }, all),
};

const ANY_ACTOR = { kind: 'system', id: 'snapshots' } as const;

const TOOK_TOO_LONG =
  `The snapshot was not created within ${SNAPSHOT_MAKING_MAX_MS / 60_000} minutes. ` +
  'Delete it and create another one.';
