import { workId } from '../../engine/consumers/consumer.ts';
import { leasedWorker, type LeasedWork } from '../../engine/consumers/leased-worker.ts';
import type { Lease } from '../../engine/consumers/leases.ts';
import { STALE_LOOK_MS, STALE_REMEMBERED_MAX_MS } from './limits.ts';
import type { Clock } from '../../engine/time/clock.ts';
import type { Logger } from '../../engine/observe/logging.ts';
import type { Signal } from '../../engine/concurrency/signal.ts';
import type { Diagnostics, DueLook } from '../../building/telemetry/diagnostics.ts';
import type { TimerWaker } from '../../engine/timers/timer-waker.ts';

export interface DueFaultsParts {
  readonly diagnostics: Pick<Diagnostics, 'nextDueAt' | 'recordDue'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Woken when a fault may be due earlier than planned. */
  readonly changed: Signal;
  /** Moves announcements to the log. */
  readonly relay: () => Promise<unknown>;
  /** Default {@link STALE_LOOK_MS}. */
  readonly lookMs?: number;
}

/** Records the faults that begin or end without a sample, when they are due, in one process. */
export const dueFaults = (parts: DueFaultsParts): TimerWaker => {
  const { diagnostics, clock, logger, changed, relay, lookMs = STALE_LOOK_MS } = parts;
  const by = { kind: 'system', id: 'work:stale-points' } as const;
  const occasion = () => ({ at: clock.now(), by, origin: 'system' }) as const;

  const start = ({ signal }: Lease): LeasedWork => {
    /** Buildings whose due faults could not be recorded, and until when they are skipped. */
    const resting = new Map<string, number>();

    const restMs = async (look: DueLook): Promise<number> => {
      const due = await diagnostics.nextDueAt(signal, look);
      const untilDue = due === null ? Infinity : Date.parse(due) - Date.parse(clock.now());
      // Changes by other processes send no wakeup here.
      return Math.min(untilDue, lookMs);
    };

    return {
      async work() {
        for (const [buildingId, untilMs] of resting)
          if (untilMs <= performance.now()) resting.delete(buildingId);
        const except = [...resting.keys()];
        const look = { except, rememberedMaxMs: STALE_REMEMBERED_MAX_MS };
        const waitMs = await restMs(look);
        if (waitMs > 0) return waitMs;
        for (const [buildingId, error] of await diagnostics.recordDue(occasion(), signal, look)) {
          resting.set(buildingId, performance.now() + RESTING_MS);
          logger.warn({ err: error, buildingId }, 'due faults of a building failed');
        }
        return 0;
      },
    };
  };

  return {
    ...leasedWorker({
      // Named after its first task: two releases share the lease.
      consumer: workId('stale-points'),
      logger,
      failure: 'due faults cannot be looked for; trying again',
      wakeups: changed,
      start,
    }),
    wake: () => changed.wake(),
    next: () => diagnostics.nextDueAt(new AbortController().signal),

    async fireDue(signal = new AbortController().signal) {
      const failures = await diagnostics.recordDue(occasion(), signal);
      await relay();
      for (const error of failures.values()) throw error;
    },
  };
};

/** A building whose faults could not be recorded is retried after so long. */
const RESTING_MS = 60_000;
