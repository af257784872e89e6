/** Periodic maintenance of the sandboxes of a process. */
import { pause } from '../engine/concurrency/backoff.ts';
import { forEachConcurrently } from '../engine/concurrency/semaphore.ts';
import type { SharedLeases } from '../engine/consumers/leases.ts';
import { isMissingTable } from '../engine/postgres/errors.ts';
import type { Instant } from '../engine/aggregates/decider.ts';
import { isThere } from '../domain/sandboxes/view.ts';
import { systemClock, type Clock } from '../engine/time/clock.ts';
import type { Logger } from '../engine/observe/logging.ts';
import type { SandboxQueries } from '../projections/sandboxes/queries.ts';
import type { Sandboxes } from '../use-cases/sandboxes/sandboxes.ts';
import type { ActiveSandboxes } from './active-sandboxes.ts';
import { copyLeaseOf, leaseOf, type Hosted } from './claims.ts';
import { SANDBOX_GIVEN_WAY_MAX_MS, SANDBOXES_WOKEN_AT_ONCE_MAX } from './limits.ts';
import { isToBeWoken, type WakeTimes } from './wake-times.ts';

export interface MaintenanceParts {
  readonly sandboxes: Pick<Sandboxes, 'look'>;
  readonly queries: Pick<SandboxQueries, 'ready'>;
  readonly leases: Pick<SharedLeases, 'owners' | 'holderOf'>;
  readonly wakeTimes: Pick<WakeTimes, 'all'>;
  readonly active: ActiveSandboxes;
  /** The main platform's. */
  readonly clock: Clock;
  readonly logger: Logger;
  readonly idleMaxMs: number;
  /** Time until the next maintenance. */
  readonly lookMs: number;
  readonly signal: AbortSignal;
}

const GIVEN_WAY_LOOK_MS = 100;

/**
 * Closes ended and idle sandboxes and those that another process copies, and opens those with due
 * timers.
 */
export const maintenanceOf = (parts: MaintenanceParts): (() => Promise<void>) => {
  const { sandboxes, queries, leases, wakeTimes, active, clock, logger, signal } = parts;
  const { idleMaxMs, lookMs } = parts;

  /** Opens it, so that its timers run; it is closed again when idle. */
  const wake = async (sandboxId: string): Promise<void> => {
    const sandbox = (await sandboxes.look(sandboxId))?.view;
    if (sandbox?.status !== 'ready' || sandbox.ended !== null) return active.end(sandboxId);
    const used = await active.use(sandbox);
    if ('release' in used) used.release();
  };

  /** Empty during the first build of the list. */
  const listed = () =>
    queries.ready(clock.now()).catch((error: unknown) => {
      if (isMissingTable(error)) return [];
      throw error;
    });

  /**
   * Closes sandboxes that were deleted, or reset by another process, while they were active here.
   */
  const endWhatIsOver = async (ready: readonly Hosted[]): Promise<void> => {
    const current = new Map(ready.map(({ sandboxId, generation }) => [sandboxId, generation]));
    for (const { sandboxId, generation } of active.all()) {
      if (current.get(sandboxId) === generation) continue;
      // The list may lag, and omits sandboxes that are being provisioned.
      const view = (await sandboxes.look(sandboxId))?.view;
      const isOver = !view || !isThere(view, clock.now()) || view.status === 'failed';
      if (isOver || view.generation !== generation) await active.end(sandboxId);
    }
  };

  /**
   * Opens sandboxes with a due timer, or without a known due time: their last process may have been
   * killed.
   */
  const wakeWhatIsDue = async (ready: readonly Hosted[], now: Instant): Promise<void> => {
    const stored = await wakeTimes.all();
    const here = new Set(active.all().map(({ sandboxId }) => sandboxId));
    const due = ready.filter(
      ({ sandboxId, generation }) =>
        !here.has(sandboxId) && isToBeWoken(stored.get(sandboxId), generation, now),
    );
    if (due.length === 0) return;
    const owners = await leases.owners(due.map(leaseOf));
    await forEachConcurrently(due, SANDBOXES_WOKEN_AT_ONCE_MAX, async (sandbox) => {
      const { sandboxId } = sandbox;
      if (signal.aborted || owners.get(leaseOf(sandbox)) === 'other') return;
      // A sandbox that fails to open must not stop the others.
      await wake(sandboxId).catch((error: unknown) => {
        logger.warn({ err: error, sandboxId }, 'a sandbox could not be woken for its due timers');
      });
    });
  };

  /** Closes sandboxes that another process is about to copy, and yields their leases to it. */
  const giveWay = async (): Promise<void> => {
    const here = active.all();
    if (here.length === 0) return;
    const copiers = await leases.owners(here.map(copyLeaseOf));
    for (const sandbox of here) {
      if (signal.aborted) return;
      if (copiers.get(copyLeaseOf(sandbox)) !== 'other') continue;
      await active.giveWay(sandbox.sandboxId, async () => {
        const deadline = performance.now() + SANDBOX_GIVEN_WAY_MAX_MS;
        const isFree = async () => (await leases.holderOf(leaseOf(sandbox))) === null;
        while (performance.now() < deadline && !signal.aborted && (await isFree()))
          await pause(GIVEN_WAY_LOOK_MS, signal);
      });
    }
  };

  return async () => {
    await giveWay();
    const ready = await listed();
    await endWhatIsOver(ready);
    const now = systemClock.now();
    await wakeWhatIsDue(ready, now);
    await active.closeIdle(idleMaxMs, new Date(Date.parse(now) + lookMs).toISOString());
  };
};
