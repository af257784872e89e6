import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { clockDecider, offsetAfter, type ClockOffset } from '../domain/clock/clock.ts';
import { isRefusal, refuse, type Instant, type Occasion } from '../domain/decider.ts';
import { ADVANCE_SETTLE_MAX_MS } from '../limits.ts';
import type { Clock, VirtualClock } from '../ops/clock.ts';
import type { ReadModels } from '../projections/read-models.ts';
import { aggregate, Refused } from '../store/aggregate.ts';
import { clockCodec } from '../store/codecs.ts';
import type { EventStore, Position } from '../store/event-store.ts';
import { historyOf } from '../store/history.ts';
import { streamOf } from '../store/streams.ts';
import type { ProcessControl } from './process-control.ts';
import type { Processes } from './processes.ts';
import type { Timers } from './timers.ts';
import { advance, AdvanceUnfinished, type OnTheWay } from './virtual-time.ts';

/** Moves the clock; see {@link timeTravel}. */
export type TimeTravel = (byMs: number, name?: AdvanceName) => Promise<Advanced>;

export interface AdvanceName {
  readonly commandId: string;
  /** Only of a command that its caller has named, so that it may have come before. */
  readonly bodyHash?: string;
}

export interface Advanced {
  readonly now: Instant;
  /** The command was known: the clock is where it was to go, and was not moved twice. */
  readonly repeated: boolean;
}

export interface TimeTravelParts {
  readonly log: EventStore;
  readonly clock: Clock | VirtualClock;
  readonly models: Pick<ReadModels, 'names' | 'ready' | 'waitFor' | 'status'>;
  readonly processes: Pick<Processes, 'waitFor' | 'nextRetryAt' | 'wake'>;
  readonly control: Pick<ProcessControl, 'status'>;
  readonly timers: Pick<Timers, 'earliest' | 'fireDue' | 'wake'>;
  /** What goes on beside what is due. Default: nothing. */
  readonly onTheWay?: OnTheWay;
  /** This process runs every role. */
  readonly runsAll: boolean;
}

/**
 * Moves the platform's virtual clock forward by so many milliseconds; what falls due in between
 * has happened when it resolves. The offset is a fact, so that it stays through a restart. A named
 * command that comes again goes on to where it was to go, and no further.
 *
 * Throws {@link Refused} `TIME_TRAVEL_REFUSED` on real time, and where other processes share the
 * work: they would go on in the past. `IDEMPOTENCY_KEY_REUSED` for another duration under a name
 * that is known.
 */
export const timeTravel = (parts: TimeTravelParts): TimeTravel => {
  const { log, clock, models, control, runsAll } = parts;
  const moves = aggregate({
    log,
    category: CLOCK,
    codec: clockCodec,
    decider: clockDecider,
    viewAfter: offsetAfter,
  });
  let last: Promise<unknown> = Promise.resolve();

  const status = async () => [...(await models.status()), ...(await control.status())];

  const isAlone = async (): Promise<boolean> =>
    runsAll && (await status()).every(({ owner }) => owner !== 'other');

  /** What others do meanwhile takes those further that are past it already. */
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

  /** When a named command began; `null`: it has not come before. */
  const begunAt = async (byMs: number, name: AdvanceName): Promise<Instant | null> => {
    if (name.bodyHash === undefined) return null;
    const facts = await historyOf(log, clockCodec, streamOf(CLOCK, MAIN));
    const first = facts.find(({ commandId }) => commandId === name.commandId);
    if (!first) return null;
    // Known, so that nothing is recorded: it is refused where it was another duration.
    await moves.give(MAIN, { ...name, command: { type: 'AdvanceClock', byMs } }, occasion());
    return first.at;
  };

  const move = async (byMs: number, name: AdvanceName): Promise<Advanced> => {
    if (!isVirtual(clock)) throw refused('This server runs on real time.');
    await built();
    if (!(await isAlone())) throw refused('Only a process that runs all roles alone may do this.');
    // As a whole, and before the first step: each step alone might be one that is allowed.
    const { offsetMs } = clock;
    const decision = clockDecider.decide({ type: 'AdvanceClock', byMs }, { offsetMs }, occasion());
    if (isRefusal(decision)) throw new Refused(decision);
    const begun = await begunAt(byMs, name);
    let step = begun === null ? name : { commandId: randomUUID() };
    const now = await advance({
      ...parts,
      clock,
      standing,
      target: new Date(Date.parse(begun ?? clock.now()) + byMs).toISOString(),
      record: async (ms) => {
        // The first step carries the name of the command.
        const command = { type: 'AdvanceClock', byMs: ms } as const;
        await moves.give(MAIN, { ...step, command }, occasion());
        step = { commandId: randomUUID() };
      },
    });
    return { now, repeated: begun !== null };
  };

  return (byMs, name = { commandId: randomUUID() }) => {
    // One at a time: two advances at once would race for the same due times.
    const mine = last.then(() => move(byMs, name));
    last = mine.catch(() => {});
    return mine;
  };
};

/** The offset that earlier advances have left, in milliseconds; 0 without any. */
export const clockOffsetMs = async (log: EventStore): Promise<number> => {
  const facts = await historyOf(log, clockCodec, streamOf(CLOCK, MAIN));
  return facts.reduce<ClockOffset>((offset, fact) => offsetAfter(fact, offset), { offsetMs: 0 })
    .offsetMs;
};

const READY_LOOK_MS = 20;
const CLOCK = 'clock';
const MAIN = 'main';

const isVirtual = (clock: Clock | VirtualClock): clock is VirtualClock => 'moveTo' in clock;

const refused = (why: string) => new Refused(refuse('TIME_TRAVEL_REFUSED', why));
