import { CLOCK_ATTEMPTS_MAX } from './limits.ts';
import type { Instant } from '../aggregates/decider.ts';
import { ADVANCE_SETTLE_MAX_MS, ADVANCE_SETTLE_ROUNDS_MAX, ADVANCE_STEPS_MAX } from '../limits.ts';
import type { VirtualClock } from '../time/clock.ts';
import type { ReadModels } from '../projections/read-models.ts';
import { LogUnavailable, type EventStore, type Position } from '../log/event-store.ts';
import type { Processes } from '../processes/processes.ts';
import type { Timers } from '../timers/timers.ts';

/**
 * Timers due before the target have not fired yet. The clock stays at the position it has reached.
 */
export class AdvanceUnfinished extends Error {
  constructor(reason: string, cause?: unknown) {
    super(`The clock was not advanced to the end: ${reason}. Request the rest again.`, {
      cause,
    });
    this.name = 'AdvanceUnfinished';
  }
}

/** A time at which an advance stops though nothing is due. */
export interface Stop {
  readonly at: Instant;
  /** Lets other events up to then happen. The clock has been moved already. */
  pass(): Promise<void>;
}

/** The stops after `from` and up to `to`, in their order. */
export type OnTheWay = (from: Instant, to: Instant) => Promise<readonly Stop[]>;

export interface AdvanceParts {
  readonly clock: VirtualClock;
  readonly target: Instant;
  readonly timers: Pick<Timers, 'earliest' | 'fireDue' | 'wake'>;
  readonly processes: Pick<Processes, 'waitFor' | 'nextRetryAt' | 'wake'>;
  readonly models: Pick<ReadModels, 'names' | 'waitFor'>;
  readonly log: Pick<EventStore, 'head'>;
  /**
   * A text that changes whenever a read model or a process behind `upTo` has made progress.
   * Default: constant.
   */
  readonly standing?: (upTo: Position) => Promise<string>;
  /** Default: only due timers. */
  readonly onTheWay?: OnTheWay;
  /** Records the move before it takes effect, so that a restart finds it. */
  readonly record: (byMs: number, offsetMs: number) => Promise<unknown>;
  /** Waits for the platform's turn in the event loop. Default: no wait. */
  readonly turn?: () => Promise<void>;
  /** Stops the advance at its next step. Default: it is not stopped. */
  readonly signal?: AbortSignal;
}

/**
 * Moves the virtual clock forward to `target`, so that what falls due in between happens in order,
 * each at its own time, before this resolves: it moves to the earliest due time, fires what is due,
 * waits for the reactions, and repeats. A target in the past changes nothing.
 *
 * Only for a process that runs all roles alone.
 *
 * @returns The clock's time then.
 * @throws {@link AdvanceUnfinished} after {@link ADVANCE_STEPS_MAX} due times, if read models or
 *   processes do not follow and come no further for {@link ADVANCE_SETTLE_MAX_MS}, or when `signal`
 *   aborts; `LogUnavailable`.
 */
export const advance = async (parts: AdvanceParts): Promise<Instant> => {
  const { clock, target, timers, processes, record, turn, signal } = parts;

  const moveTo = async (instant: Instant) => {
    const byMs = Date.parse(instant) - Date.parse(clock.now());
    if (byMs <= 0) return;
    const offsetMs = clock.offsetMs + byMs;
    await record(byMs, offsetMs);
    clock.moveTo(offsetMs);
  };

  await settled(parts);
  const stops = [...((await parts.onTheWay?.(clock.now(), target)) ?? [])];
  for (let steps = 0; ; steps += 1) {
    const [stop] = stops;
    const nextDue = earlierOf(await timers.earliest(), processes.nextRetryAt());
    const due = earlierOf(nextDue, stop?.at ?? null);
    if (due === null || due > target) break;
    if (signal?.aborted) throw new AdvanceUnfinished('the platform stops');
    await turn?.();
    if (steps === ADVANCE_STEPS_MAX)
      throw new AdvanceUnfinished(`more than ${ADVANCE_STEPS_MAX} due times lie on the way`);
    await moveTo(due);
    if (stop && stop.at <= clock.now()) {
      stops.shift();
      await stop.pass();
    }
    processes.wake();
    await fireDue(parts);
    await settled(parts);
  }
  await moveTo(target);
  timers.wake();
  processes.wake();
  return clock.now();
};

const earlierOf = (a: Instant | null, b: Instant | null): Instant | null =>
  a === null || (b !== null && b < a) ? b : a;

/** Timer tables that lag are waited for and fired again, as long as they get further. */
const fireDue = async (parts: AdvanceParts): Promise<void> => {
  const { timers, log, signal } = parts;
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await timers.fireDue(signal);
    } catch (error) {
      if (signal?.aborted) throw new AdvanceUnfinished('the platform stops', error);
      if (!(error instanceof LogUnavailable)) throw error;
      if (attempts === CLOCK_ATTEMPTS_MAX)
        throw new AdvanceUnfinished('what has fallen due is not done yet', error);
      const { position } = await log.head();
      if (position !== null) await followed(parts, position);
    }
  }
};

/**
 * Resolves when read models and processes have handled all events, and the events that these have
 * caused. On a log with constant writes by others there is no end to that, so
 * {@link ADVANCE_SETTLE_ROUNDS_MAX} rounds of such events are enough.
 */
const settled = async (parts: AdvanceParts): Promise<void> => {
  const { log } = parts;
  for (let rounds = 0; rounds < ADVANCE_SETTLE_ROUNDS_MAX; rounds += 1) {
    const { position } = await log.head();
    if (position === null) return;
    await followed(parts, position);
    if ((await log.head()).position === position) return;
  }
};

/** However long it takes, as long as they make progress: thousands of events may be behind. */
const followed = async (
  { models, processes, standing }: AdvanceParts,
  position: Position,
): Promise<void> => {
  for (let before: string | null = null; ;) {
    const deadline = performance.now() + ADVANCE_SETTLE_MAX_MS;
    const follow =
      (await models.waitFor(models.names, position, ADVANCE_SETTLE_MAX_MS)) &&
      (await processes.waitFor(position, deadline - performance.now()));
    if (follow) return;
    const now = (await standing?.(position)) ?? null;
    if (now === null || now === before)
      throw new AdvanceUnfinished('read models or processes are still behind');
    before = now;
  }
};
