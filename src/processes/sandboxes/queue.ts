/**
 * Begins the provisioning of queued sandboxes in order. The queue is derived from the read model
 * and from newer changes, which are kept in memory. Only the owner of `sandbox-provisioning` runs
 * it.
 */
import { v5 as uuidFrom } from 'uuid';
import type { Instant } from '../../engine/aggregates/decider.ts';
import { SANDBOX_QUEUED_MAX_MS } from '../../domain/sandboxes/limits.ts';
import {
  admitted,
  isQueued,
  isUnderWay,
  type BuildBounds,
  type QueuedSandbox,
} from '../../domain/sandboxes/queue.ts';
import type { SandboxView } from '../../domain/sandboxes/view.ts';
import type { SandboxQueries } from '../../projections/sandboxes/queries.ts';
import type { Sandboxes } from '../../use-cases/sandboxes/sandboxes.ts';
import { keyedMutex } from '../../engine/concurrency/keyed-mutex.ts';
import type { EffectContext } from '../../engine/processes/process.ts';

export interface SandboxQueueParts {
  readonly sandboxes: Sandboxes;
  readonly queries: Pick<SandboxQueries, 'standing'>;
  readonly bounds: BuildBounds;
  /** Bytes of the snapshots, which share the host's space with sandboxes. */
  readonly snapshotBytes: (at: Instant) => Promise<number>;
}

export interface SandboxQueue {
  /**
   * Begins the sandboxes that are next in the queue.
   *
   * @param fresh The changed sandbox, which the read model may lack; `null`: none has changed.
   */
  advance(context: EffectContext, fresh: SandboxView | null): Promise<void>;
  /**
   * Counts the sandbox as being built until {@link free}, also after it was deleted.
   *
   * @param run Ends it when it aborts: another process may clear the sandbox.
   */
  occupy(sandbox: SandboxView, run: AbortSignal): void;
  free(sandboxId: string): void;
}

export const sandboxQueue = (parts: SandboxQueueParts): SandboxQueue => {
  const { sandboxes, queries, bounds, snapshotBytes } = parts;
  const mutex = keyedMutex();
  /** Views that are newer than their rows in the read model. */
  const recent = new Map<string, SandboxView>();
  const occupied = new Map<string, { readonly view: SandboxView; readonly run: AbortSignal }>();
  /** The latest turns of organisations, also with sandboxes that have failed or were deleted. */
  const turns = new Map<string, Instant>();

  const standing = async (at: Instant): Promise<readonly QueuedSandbox[]> => {
    const rows = await queries.standing(at);
    const all = new Map<string, QueuedSandbox>(rows.map((row) => [row.sandboxId, row]));
    for (const [sandboxId, view] of recent) {
      const row = all.get(sandboxId);
      // Without a row, the read model lags, or the sandbox is gone.
      const current = row ? view : (await sandboxes.look(sandboxId))!.view;
      if (row ? stepOf(row) >= stepOf(view) : isOver(current)) recent.delete(sandboxId);
      else if (isOver(current)) all.delete(sandboxId);
      else all.set(sandboxId, current);
    }
    // No event would wake a queue that a lagging row blocks, so the log decides.
    for (const { sandboxId } of [...all.values()].filter(isUnderWay)) {
      const current = (await sandboxes.look(sandboxId))!.view;
      if (isOver(current)) all.delete(sandboxId);
      else all.set(sandboxId, current);
    }
    for (const [sandboxId, { view, run }] of occupied)
      if (run.aborted) occupied.delete(sandboxId);
      else all.set(sandboxId, { ...view, status: 'provisioning', begunAt: view.begunAt ?? at });
    return [...all.values()];
  };

  /** A sandbox fails after {@link SANDBOX_QUEUED_MAX_MS}, so no queued one has waited longer. */
  const forgetOldTurns = (at: Instant) => {
    const oldest = new Date(Date.parse(at) - SANDBOX_QUEUED_MAX_MS).toISOString();
    for (const [organisation, begunAt] of turns) if (begunAt < oldest) turns.delete(organisation);
  };

  /**
   * @param ended Sandboxes found to have ended, which the read model may still list as queued.
   * @returns Whether more of them were found: then others may begin in their place.
   */
  const beginAdmitted = async (
    { at, by, origin }: EffectContext,
    ended: Set<string>,
  ): Promise<boolean> => {
    const before = ended.size;
    const all = (await standing(at)).filter(({ sandboxId }) => !ended.has(sandboxId));
    const hostBytesMax = bounds.hostBytesMax - (await snapshotBytes(at));
    forgetOldTurns(at);
    const next = admitted(all, { ...bounds, hostBytesMax }, turns);
    for (const { sandboxId, organisation, generation } of next) {
      const command = { type: 'BeginProvisioning', generation } as const;
      const commandId = uuidFrom(`${sandboxId}/${generation}`, NAMESPACE);
      const given = { commandId, command, organisation };
      const { view } = await sandboxes.give(sandboxId, given, { at, by, origin });
      recent.set(sandboxId, view);
      if (view.begunAt !== null) turns.set(organisation, view.begunAt);
      if (view.ended !== null || view.status !== 'provisioning') ended.add(sandboxId);
    }
    return ended.size > before;
  };

  return {
    advance: (context, fresh) =>
      mutex.run('queue', async () => {
        if (fresh !== null) recent.set(fresh.sandboxId, fresh);
        const ended = new Set<string>();
        while (await beginAdmitted(context, ended)) context.signal.throwIfAborted();
      }),
    occupy: (view, run) => void occupied.set(view.sandboxId, { view, run }),
    free: (sandboxId) => void occupied.delete(sandboxId),
  };
};

/** Whether it no longer holds a database. */
const isOver = ({ ended, status }: SandboxView): boolean => ended !== null || status === 'failed';

/** Orders the states of one sandbox: the higher is the newer. */
const stepOf = (sandbox: QueuedSandbox & { readonly ended?: SandboxView['ended'] }): number => {
  const isGone = sandbox.status === 'failed' || (sandbox.ended ?? null) !== null;
  const step = isGone ? 3 : isQueued(sandbox) ? 0 : isUnderWay(sandbox) ? 1 : 2;
  return 4 * sandbox.generation + step;
};

const NAMESPACE = '5b0a3a0e-52f7-4c0c-8d7e-9b1d7f0a4c61';
