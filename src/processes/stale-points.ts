import { workId } from '../consumers/consumer.ts';
import { STALE_LOOK_MS } from '../limits.ts';
import { backoff } from '../ops/backoff.ts';
import type { Clock } from '../ops/clock.ts';
import type { Logger } from '../ops/logging.ts';
import type { Wakes } from '../ops/wakes.ts';
import type { Diagnostics } from '../telemetry/diagnostics.ts';
import type { TimerWaker } from './timer-waker.ts';

export interface StalePointsParts {
  readonly diagnostics: Pick<Diagnostics, 'nextStaleAt' | 'findStale'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** A rule was made here. */
  readonly changed: Wakes;
  /** Moves announcements to the log. */
  readonly relay: () => Promise<unknown>;
  /** Default {@link STALE_LOOK_MS}. */
  readonly lookMs?: number;
}

/** Finds points that are heard no more, when their time has come, in one process. */
export const stalePoints = (parts: StalePointsParts): TimerWaker => {
  const { diagnostics, clock, logger, changed, relay, lookMs = STALE_LOOK_MS } = parts;
  const by = { kind: 'system', id: 'work:stale-points' } as const;

  const find = () => diagnostics.findStale({ at: clock.now(), by, origin: 'system' });

  /** How long there is nothing to do, as far as this process knows. */
  const restMs = async (): Promise<number> => {
    const due = await diagnostics.nextStaleAt();
    const untilDue = due === null ? Infinity : Date.parse(due) - Date.parse(clock.now());
    // Rules of other processes, and points that are heard for the first time, are found by looking.
    return Math.min(untilDue, lookMs);
  };

  return {
    consumer: workId('stale-points'),
    wake: () => changed.wake(),
    next: () => diagnostics.nextStaleAt(),

    async fireDue() {
      await find();
      await relay();
    },

    async run({ signal }) {
      const delays = backoff();
      while (!signal.aborted) {
        try {
          const seen = changed.count;
          const rest = await restMs();
          if (rest > 0) await changed.after(seen, signal, rest);
          else await find();
          delays.reset();
        } catch (error) {
          if (signal.aborted) return;
          logger.warn({ err: error }, 'stale points cannot be looked for; trying again');
          await delays.pause(signal);
        }
      }
    },

    offer: () => {},
  };
};
