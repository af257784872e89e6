/**
 * How far a platform's virtual clock is ahead of real time. It is moved forward, never back, and
 * stays so through a restart because the offset is a fact. contract.md section 10.
 *
 * An advance is recorded when it begins, with its target, and once more for each step on the way,
 * so that an interrupted advance is recognised by its target.
 */
import { z } from 'zod';
import { refuse, type Decider, type Instant, type Refusal } from '../aggregates/decider.ts';
import { codecOf } from '../log/codec.ts';
import { DAY_MS } from '../time/calendar.ts';
import { CLOCK_ADVANCE_MAX_MS, CLOCK_OFFSET_MAX_MS, CLOCK_WINDOW_MS } from './limits.ts';

const clockEventSchemas = {
  /** The whole offset from real time, earlier advances included. */
  ClockAdvanced: z.strictObject({
    type: z.literal('ClockAdvanced'),
    offsetMs: z.int().min(0),
    /** On the first event of an advance: the time that the clock is to reach. */
    target: z.iso.datetime().exactOptional(),
  }),
};

export type ClockEvent = z.infer<typeof clockEventSchemas.ClockAdvanced>;

export const clockCodec = codecOf<ClockEvent>(clockEventSchemas);

export type ClockCommand =
  | {
      readonly type: 'BeginAdvance';
      /** 1 to {@link CLOCK_ADVANCE_MAX_MS}. */
      readonly byMs: number;
      /** The sum of all advances begun within {@link CLOCK_WINDOW_MS}; `null`: unbounded. */
      readonly windowMaxMs: number | null;
    }
  | { readonly type: 'StepClock'; readonly byMs: number };

export interface ClockOffset {
  readonly offsetMs: number;
  /** The target of the latest advance. The clock may have passed it. `null` before the first. */
  readonly target: Instant | null;
}

interface ClockState {
  readonly offsetMs: number;
  /** The advances of the last {@link CLOCK_WINDOW_MS}, oldest first. */
  readonly recent: readonly BegunAdvance[];
}

interface BegunAdvance {
  /** Real time. */
  readonly begunMs: number;
  readonly byMs: number;
}

/**
 * Refuses `VALIDATION_FAILED` for an advance out of its range, or beyond the farthest offset, and
 * `RATE_LIMITED` for one that exceeds the window's sum.
 */
export const clockDecider: Decider<ClockCommand, ClockState, ClockEvent> = {
  initial: { offsetMs: 0, recent: [] },
  decide: (command, state, { at }) => {
    const { byMs } = command;
    const { offsetMs } = state;
    if (!Number.isInteger(byMs) || byMs < 1 || byMs > CLOCK_ADVANCE_MAX_MS) {
      return outOfRange(`must be positive, and at most ${CLOCK_ADVANCE_MAX_MS / DAY_MS} days`);
    }
    if (offsetMs + byMs > CLOCK_OFFSET_MAX_MS) {
      const days = CLOCK_OFFSET_MAX_MS / DAY_MS;
      return outOfRange(`would move the clock more than ${days} days ahead of real time`);
    }
    if (command.type === 'StepClock') {
      return [{ type: 'ClockAdvanced', offsetMs: offsetMs + byMs }];
    }
    const { windowMaxMs } = command;
    const realMs = Date.parse(at) - offsetMs;
    const refusal = windowMaxMs === null ? null : overWindow(byMs, windowMaxMs, realMs, state);
    if (refusal) return refusal;
    const target = new Date(Date.parse(at) + byMs).toISOString();
    return [{ type: 'ClockAdvanced', offsetMs, target }];
  },
  evolve: ({ offsetMs, target }, before, at) => {
    const after = Math.max(before.offsetMs, offsetMs);
    if (target === undefined) return { ...before, offsetMs: after };
    const begunMs = Date.parse(at) - before.offsetMs;
    const begun = { begunMs, byMs: Date.parse(target) - Date.parse(at) };
    return { offsetMs: after, recent: [...within(before.recent, begunMs), begun] };
  },
};

/** The offset as of a fact; a stored offset below an earlier one is ignored. */
export const offsetAfter = (
  { event }: { readonly event: ClockEvent },
  before: ClockOffset | null,
): ClockOffset => ({
  offsetMs: Math.max(before?.offsetMs ?? 0, event.offsetMs),
  target: event.target ?? before?.target ?? null,
});

const outOfRange = (message: string): Refusal =>
  refuse('VALIDATION_FAILED', `advance ${message}.`, { errors: [{ path: 'advance', message }] });

const within = (advances: readonly BegunAdvance[], nowMs: number): readonly BegunAdvance[] =>
  advances.filter(({ begunMs }) => begunMs > nowMs - CLOCK_WINDOW_MS);

const overWindow = (
  byMs: number,
  maxMs: number,
  nowMs: number,
  { recent }: ClockState,
): Refusal | null => {
  const advances = within(recent, nowMs);
  let leftMs = maxMs - advances.reduce((sum, advance) => sum + advance.byMs, 0);
  if (byMs <= leftMs) return null;
  const days = Math.floor(maxMs / DAY_MS);
  const detail = `The advances of one hour cover at most ${days} days. Wait, or ask for less.`;
  for (const advance of advances) {
    leftMs += advance.byMs;
    if (byMs > leftMs) continue;
    const freeAtMs = advance.begunMs + CLOCK_WINDOW_MS;
    return { ...refuse('RATE_LIMITED', detail), retryAfterS: Math.ceil((freeAtMs - nowMs) / 1000) };
  }
  return refuse('RATE_LIMITED', detail);
};
