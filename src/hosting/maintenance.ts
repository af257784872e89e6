/** What a process does for the sandboxes by itself, now and then. */
import type { SharedLeases } from '../engine/consumers/leases.ts';
import { isMissingTable } from '../engine/postgres/errors.ts';
import type { Instant } from '../engine/aggregates/decider.ts';
import { isThere } from '../domain/sandboxes/view.ts';
import { systemClock, type Clock } from '../engine/time/clock.ts';
import type { Logger } from '../engine/observe/logging.ts';
import type { SandboxQueries } from '../projections/sandboxes/queries.ts';
import type { Sandboxes } from '../use-cases/sandboxes/sandboxes.ts';
import type { ActiveSandboxes } from './active-sandboxes.ts';
import { leaseOf, type Hosted } from './claims.ts';
import { isToBeWoken, type WakeTimes } from './wake-times.ts';

export interface MaintenanceParts {
  readonly sandboxes: Pick<Sandboxes, 'look'>;
  readonly queries: Pick<SandboxQueries, 'ready'>;
  readonly leases: Pick<SharedLeases, 'owners'>;
  readonly wakeTimes: Pick<WakeTimes, 'all'>;
  readonly active: ActiveSandboxes;
  /** The main platform's. */
  readonly clock: Clock;
  readonly logger: Logger;
  readonly idleMaxMs: number;
  /** Until the next time that this is done. */
  readonly lookMs: number;
  readonly signal: AbortSignal;
}

/** Ends what is over, wakes what is due, and lets sleep what nobody uses. */
export const maintenanceOf = (parts: MaintenanceParts): (() => Promise<void>) => {
  const { sandboxes, queries, leases, wakeTimes, active, clock, logger, signal } = parts;
  const { idleMaxMs, lookMs } = parts;

  /** Opens it, so that its timers run; it sleeps again when it is idle. */
  const wake = async (sandboxId: string): Promise<void> => {
    const sandbox = (await sandboxes.look(sandboxId))?.view;
    if (sandbox?.status !== 'ready' || sandbox.ended !== null) return active.end(sandboxId);
    const used = await active.use(sandbox);
    if ('release' in used) used.release();
  };

  /** None while the list is made for the first time. */
  const listed = () =>
    queries.ready(clock.now()).catch((error: unknown) => {
      if (isMissingTable(error)) return [];
      throw error;
    });

  /** What was deleted, or reset in another process, while it was awake here. */
  const endWhatIsOver = async (ready: readonly Hosted[]): Promise<void> => {
    const current = new Map(ready.map(({ sandboxId, generation }) => [sandboxId, generation]));
    for (const { sandboxId, generation } of active.all()) {
      if (current.get(sandboxId) === generation) continue;
      // The list may be behind, and shows none that is being provisioned.
      const view = (await sandboxes.look(sandboxId))?.view;
      const isOver = !view || !isThere(view, clock.now()) || view.status === 'failed';
      if (isOver || view.generation !== generation) await active.end(sandboxId);
    }
  };

  /** Those that have something due, or of which nobody knows: who had them may have been killed. */
  const wakeWhatIsDue = async (ready: readonly Hosted[], now: Instant): Promise<void> => {
    const known = await wakeTimes.all();
    const here = new Set(active.all().map(({ sandboxId }) => sandboxId));
    const due = ready.filter(
      ({ sandboxId, generation }) =>
        !here.has(sandboxId) && isToBeWoken(known.get(sandboxId), generation, now),
    );
    if (due.length === 0) return;
    const owners = await leases.owners(due.map(leaseOf));
    for (const sandbox of due) {
      if (signal.aborted) return;
      const { sandboxId } = sandbox;
      if (owners.get(leaseOf(sandbox)) === 'other') continue;
      // One that cannot be woken keeps no other asleep.
      await wake(sandboxId).catch((error: unknown) => {
        logger.warn({ err: error, sandboxId }, 'a sandbox could not be woken for what is due');
      });
    }
  };

  return async () => {
    const ready = await listed();
    await endWhatIsOver(ready);
    const now = systemClock.now();
    await wakeWhatIsDue(ready, now);
    await active.closeIdle(idleMaxMs, new Date(Date.parse(now) + lookMs).toISOString());
  };
};
