import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { clockCodec, clockDecider, offsetAfter, type ClockOffset } from './virtual-clock.ts';
import { CLOCK_ANSWER_MAX_MS, CLOCK_ATTEMPTS_MAX } from './limits.ts';
import { refuse, type Instant, type Occasion } from '../aggregates/decider.ts';
import { ADVANCE_SETTLE_MAX_MS } from '../limits.ts';
import { backoff } from '../concurrency/backoff.ts';
import { isVirtual, type Clock, type VirtualClock } from '../time/clock.ts';
import type { Logger } from '../observe/logging.ts';
import { withTimeout } from '../concurrency/timeout.ts';
import type { ReadModels } from '../projections/read-models.ts';
import { aggregate, Refused } from '../aggregates/aggregate.ts';
import { LogUnavailable, type EventStore, type Position } from '../log/event-store.ts';
import { historyOf } from '../log/history.ts';
import { streamOf } from '../log/streams.ts';
import type { ProcessControl } from './process-control.ts';
import type { Processes } from '../processes/processes.ts';
import type { Timers } from '../timers/timers.ts';
import { advance, AdvanceUnfinished, type OnTheWay } from './virtual-time.ts';

/** Moves a platform's virtual clock; see {@link timeTravel}. */
export interface TimeTravel {
  readonly isAdvancing: boolean;
  /** @throws `LogUnavailable`. */
  time(): Promise<ClockTime>;
  /**
   * Moves the clock forward by `byMs`: what falls due in between happens in order, each at its own
   * time. Resolves when the target is reached or after {@link CLOCK_ANSWER_MAX_MS}, while the
   * advance continues. A repeated named command continues to its target, and no further.
   *
   * @throws {@link Refused} `CONFLICT` while another advance is under way; `RATE_LIMITED`;
   *   `TIME_TRAVEL_REFUSED` on real time, and where other processes share the work, because they
   *   would stay in the past; `IDEMPOTENCY_KEY_REUSED` for another duration under a used name.
   * @throws {@link AdvanceUnfinished} if the advance stops before its target.
   */
  advance(byMs: number, name?: AdvanceName): Promise<Advanced>;
  /** Resolves when no advance is under way. */
  ended(): Promise<void>;
}

export interface AdvanceName {
  readonly commandId: string;
  /** Only for a command that its caller has named, which may be a repeat. */
  readonly bodyHash?: string;
}

export interface ClockTime {
  readonly now: Instant;
  /** The target of an advance that is under way, or that stopped before it; else `null`. */
  readonly target: Instant | null;
  readonly isAdvancing: boolean;
}

export interface Advanced {
  readonly now: Instant;
  /** `null`: it is reached. */
  readonly target: Instant | null;
  /** The command is a repeat: the clock is not moved twice. */
  readonly repeated: boolean;
}

export interface TimeTravelParts {
  readonly log: EventStore;
  readonly clock: Clock | VirtualClock;
  readonly logger: Logger;
  readonly models: Pick<ReadModels, 'names' | 'ready' | 'waitFor' | 'status'>;
  readonly processes: Pick<Processes, 'waitFor' | 'nextRetryAt' | 'wake'>;
  readonly control: Pick<ProcessControl, 'status'>;
  readonly timers: Pick<Timers, 'earliest' | 'fireDue' | 'wake'>;
  /** What happens during an advance besides due timers. Default: nothing. */
  readonly onTheWay?: OnTheWay;
  /** This process runs every role. */
  readonly runsAll: boolean;
  /** Virtual time that the advances of an hour of real time may cover. Default: no bound. */
  readonly windowMaxMs?: number;
  /** Default {@link CLOCK_ANSWER_MAX_MS}. */
  readonly answerMaxMs?: number;
  /** Waits for the platform's turn in the event loop, before each step. Default: no wait. */
  readonly turn?: () => Promise<void>;
  /** Stops an advance at its next step. */
  readonly stopping: AbortSignal;
}

interface UnderWay {
  readonly name: AdvanceName;
  readonly askedMs: number;
  /** Rejects where the advance is refused. */
  readonly begun: Promise<Begun>;
  readonly done: Promise<Instant>;
}

interface Begun {
  readonly clock: VirtualClock;
  readonly target: Instant;
  /** The command is a repeat. */
  readonly repeated: boolean;
}

export const timeTravel = (parts: TimeTravelParts): TimeTravel => {
  const { log, clock, logger, models, control, runsAll, stopping } = parts;
  const { answerMaxMs = CLOCK_ANSWER_MAX_MS } = parts;
  const { windowMaxMs = null } = parts;
  const moves = aggregate({
    log,
    category: CLOCK,
    codec: clockCodec,
    decider: clockDecider,
    viewAfter: offsetAfter,
  });
  let current: UnderWay | null = null;
  /** The target of `current`, once it is recorded. */
  let target: Instant | null = null;

  const status = async () => [...(await models.status()), ...(await control.status())];

  const isAlone = async (): Promise<boolean> =>
    runsAll && (await status()).every(({ owner }) => owner !== 'other');

  /** Positions past `upTo` are left out: concurrent writes advance those. */
  const standing = async (upTo: Position): Promise<string> => {
    const positions = (await status()).map(({ position }) => position);
    return JSON.stringify(positions.filter((position) => log.compare(position, upTo) < 0));
  };

  /** A timer table that is still being built would hide what falls due. */
  const built = async (): Promise<void> => {
    const deadline = performance.now() + ADVANCE_SETTLE_MAX_MS;
    for (;;) {
      const ready = await models.ready();
      if (ready === true) return;
      if (performance.now() > deadline) throw new AdvanceUnfinished(ready);
      await sleep(READY_LOOK_MS);
    }
  };

  const occasion = (): Occasion => ({
    at: clock.now(),
    by: { kind: 'system', id: 'clock' },
    origin: 'system',
  });

  const begin = async (byMs: number, name: AdvanceName): Promise<Begun> => {
    if (!isVirtual(clock)) throw refused('This server runs on real time.');
    await built();
    if (!(await isAlone())) throw refused('Only a process that runs all roles alone may do this.');
    const command = { type: 'BeginAdvance', byMs, windowMaxMs } as const;
    const { view, replayed } = await moves.give(MAIN, { ...name, command }, occasion());
    target = view.target ?? clock.now();
    return { clock, target, repeated: replayed };
  };

  const run = async (begun: Begun): Promise<Instant> => {
    const step = async (byMs: number) => {
      const command = { type: 'StepClock', byMs } as const;
      await moves.give(MAIN, { commandId: randomUUID(), command }, occasion());
    };
    const delays = backoff();
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await advance({ ...parts, ...begun, standing, record: step, signal: stopping });
      } catch (error) {
        if (!(error instanceof LogUnavailable)) throw error;
        if (attempts === CLOCK_ATTEMPTS_MAX || stopping.aborted)
          throw new AdvanceUnfinished('the event log cannot be reached', error);
        await delays.pause(stopping);
      }
    }
  };

  const start = (byMs: number, name: AdvanceName): UnderWay => {
    const begun = begin(byMs, name);
    const done = begun.then(run).finally(() => {
      current = null;
      target = null;
    });
    return { name, askedMs: performance.now(), begun, done };
  };

  const isSame = (one: UnderWay, name: AdvanceName): boolean =>
    name.bodyHash !== undefined && name.commandId === one.name.commandId;

  const answered = async (one: UnderWay, joined: boolean): Promise<Advanced> => {
    const begun = await one.begun;
    const repeated = begun.repeated || joined;
    const reached = one.done.then((now): Advanced => ({ now, target: null, repeated }));
    const leftMs = answerMaxMs - (performance.now() - one.askedMs);
    const late = () => ({ now: clock.now(), target: begun.target, repeated });
    return withTimeout(reached, Math.max(0, leftMs), late);
  };

  return {
    get isAdvancing() {
      return current !== null;
    },

    async time() {
      const latest = target ?? (await moves.look(MAIN))?.view.target ?? null;
      const now = clock.now();
      const isReached = latest === null || latest <= now;
      return { now, target: isReached ? null : latest, isAdvancing: current !== null };
    },

    async advance(byMs, name = { commandId: randomUUID() }) {
      const under = current;
      if (!under) {
        const started = start(byMs, name);
        current = started;
        started.done.catch((error: unknown) => {
          if (error instanceof Refused) return;
          logger.warn({ err: error }, 'an advance of the clock stopped before its target');
        });
        return answered(started, false);
      }
      if (!isSame(under, name)) throw new Refused(busy(target));
      if (name.bodyHash !== under.name.bodyHash) throw new Refused(reused);
      return answered(under, true);
    },

    async ended() {
      await current?.done.catch(() => null);
    },
  };
};

/** The offset by earlier advances, in milliseconds; 0 without any. */
export const clockOffsetMs = async (log: EventStore): Promise<number> => {
  const facts = await historyOf(log, clockCodec, streamOf(CLOCK, MAIN));
  const offset = facts.reduce<ClockOffset | null>(
    (before, fact) => offsetAfter(fact, before),
    null,
  );
  return offset?.offsetMs ?? 0;
};

const READY_LOOK_MS = 20;
const CLOCK = 'clock';
const MAIN = 'main';

const refused = (why: string) => new Refused(refuse('TIME_TRAVEL_REFUSED', why));

const reused = refuse(
  'IDEMPOTENCY_KEY_REUSED',
  'This Idempotency-Key came with another body before.',
);

const busy = (target: Instant | null) => {
  const to = target === null ? '' : ` to ${target}`;
  return refuse('CONFLICT', `The clock is being advanced${to}: see GET /api/v1/clock.`);
};
