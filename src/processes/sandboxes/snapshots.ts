/**
 * Makes each requested snapshot by an idempotent effect, which is repeated after a kill. Removes
 * snapshots that failed, were deleted or have expired. contract.md section 4.
 */
import { pause } from '../../engine/concurrency/backoff.ts';
import type { Recorded } from '../../engine/log/codec.ts';
import type { Logger } from '../../engine/observe/logging.ts';
import { commandsTo, type CommandEffect } from '../../engine/processes/effects.ts';
import { done, ignore } from '../../engine/processes/outcome.ts';
import type { EffectContext, Process } from '../../engine/processes/process.ts';
import { isFailure } from '../../engine/processes/reaction.ts';
import type { ClockCheck } from '../../engine/consumers/clock-check.ts';
import type { DueTable, TimerTable } from '../../engine/timers/timer-table.ts';
import { snapshotCodec } from '../../domain/sandboxes/codecs.ts';
import type { SnapshotEvent } from '../../domain/sandboxes/snapshots/events.ts';
import { developerKeyIn } from '../../domain/sandboxes/snapshots/ids.ts';
import type { SnapshotCommand } from '../../domain/sandboxes/snapshots/snapshots.ts';
import { isKept, type SnapshotView } from '../../domain/sandboxes/snapshots/view.ts';
import { snapshotList, type SnapshotListRow } from '../../projections/sandboxes/snapshot-list.ts';
import { snapshotBytesMax, type HostRoom } from '../../use-cases/sandboxes/host-room.ts';
import { lookAtSnapshot, type Snapshots } from '../../use-cases/sandboxes/snapshots.ts';
import { CannotBuild } from './cannot-build.ts';
import { SNAPSHOT_ATTEMPTS_MAX, SNAPSHOT_RETRY_MS } from './limits.ts';

/** Makes and removes snapshots; implemented by hosting. Each is idempotent. */
export interface SnapshotBuilder {
  /**
   * Copies the sandbox, which sleeps meanwhile.
   *
   * @param bytesMax Upper bound of its database, read just before it is copied.
   * @returns The bytes of the copy's database.
   * @throws {@link CannotBuild} where another attempt would fail as well.
   */
  make(
    snapshot: SnapshotView,
    bytesMax: () => Promise<number>,
    signal: AbortSignal,
  ): Promise<number>;
  remove(snapshotId: string): Promise<void>;
}

interface Make {
  readonly kind: 'make';
  readonly snapshotId: string;
}

interface Remove {
  readonly kind: 'remove';
  readonly snapshotId: string;
}

/** Its name, also where this process hosts no sandboxes and another runs it. */
export const SANDBOX_SNAPSHOTS = 'sandbox-snapshots';

export interface SandboxSnapshotsParts extends HostRoom {
  readonly snapshots: Snapshots;
  readonly builder: SnapshotBuilder;
  readonly logger: Logger;
}

export const sandboxSnapshots = (
  parts: SandboxSnapshotsParts,
): Process<SnapshotEvent, undefined, Make | Remove> => {
  const { snapshots, builder, logger } = parts;
  const give = commandsTo(snapshots);

  /** The command that records the outcome of the work. */
  const made = async (
    snapshot: SnapshotView,
    { at, signal }: EffectContext,
  ): Promise<SnapshotCommand> => {
    const { snapshotId } = snapshot;
    const bytesMax = () => snapshotBytesMax(parts, snapshot.bytes, at);
    for (let attempt = 1; ; attempt += 1) {
      try {
        const bytes = await builder.make(snapshot, bytesMax, signal);
        return { type: 'EndSnapshot', snapshotId, bytes };
      } catch (error) {
        const isHopeless = error instanceof CannotBuild;
        // The runner retries failures of log and database until the snapshot is out of time.
        if (signal.aborted || (isFailure(error) && !isHopeless)) throw error;
        logger.warn({ err: error, snapshotId, attempt }, 'a snapshot could not be made');
        if (isHopeless) return { type: 'FailSnapshot', snapshotId, reason: error.message };
        if (attempt === SNAPSHOT_ATTEMPTS_MAX)
          return { type: 'FailSnapshot', snapshotId, reason: BROKEN };
        await pause(SNAPSHOT_RETRY_MS, signal);
      }
    }
  };

  return {
    name: SANDBOX_SNAPSHOTS,
    categories: ['snapshots'],
    codec: snapshotCodec,
    on: {
      SnapshotRequested: ({ event: { snapshotId } }) => [{ kind: 'make', snapshotId }],
      SnapshotFailed: removal,
      SnapshotExpired: removal,
      SnapshotDeleted: removal,
    },
    effects: {
      make: async ({ snapshotId }, context) => {
        const snapshot = (await lookAtSnapshot(snapshots, snapshotId))?.view ?? null;
        if (snapshot?.status !== 'creating' || !isKept(snapshot, context.at))
          return ignore(`${snapshotId} is not wanted any more, or is there`);
        const command = await made(snapshot, context);
        return give({ id: developerKeyIn(snapshotId), command }, context);
      },

      remove: async ({ snapshotId }) => {
        await builder.remove(snapshotId);
        return done;
      },
    },
  };
};

const removal = ({ event }: Recorded<{ readonly type: string; readonly snapshotId: string }>) =>
  [{ kind: 'remove', snapshotId: event.snapshotId }] as const;

const BROKEN =
  "The sandbox could not be copied; the server's log has the cause. Delete the " +
  'snapshot and create another one.';

export const snapshotDue = {
  name: 'snapshot-due',
  projection: snapshotList,
  dueAt: 'dueAt',
} as const satisfies DueTable;

interface AboutSnapshot extends CommandEffect<SnapshotCommand> {
  readonly kind: 'snapshot';
}

/** The timers of a snapshot: its creation timeout and its expiry. */
export const snapshotTimes = (
  snapshots: Pick<Snapshots, 'give'>,
  isTrusted: ClockCheck,
): TimerTable<SnapshotListRow, AboutSnapshot> => ({
  ...snapshotDue,
  isTrusted,
  fire: ({ snapshotId, organisation }) => ({
    kind: 'snapshot',
    id: developerKeyIn(snapshotId),
    organisation,
    command: { type: 'LookAtSnapshot', snapshotId },
  }),
  effects: { snapshot: commandsTo(snapshots) },
});
