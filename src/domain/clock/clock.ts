/**
 * How far a platform's virtual clock is ahead of real time. It is moved forward, never back, and
 * stays so through a restart because the offset is a fact. contract.md section 10.
 */
import { z } from 'zod';
import { refuse, type Decider } from '../decider.ts';
import { CLOCK_ADVANCE_MAX_MS, CLOCK_OFFSET_MAX_MS } from '../../limits.ts';

export const clockEventSchemas = {
  /** The whole offset from real time, earlier advances included. */
  ClockAdvanced: z.strictObject({
    type: z.literal('ClockAdvanced'),
    offsetMs: z.int().min(0),
  }),
};

export type ClockEvent = z.infer<typeof clockEventSchemas.ClockAdvanced>;

export interface ClockCommand {
  readonly type: 'AdvanceClock';
  /** 1 to {@link CLOCK_ADVANCE_MAX_MS}. */
  readonly byMs: number;
}

export interface ClockOffset {
  readonly offsetMs: number;
}

/** Refuses `VALIDATION_FAILED` for an advance out of its range, or beyond the farthest offset. */
export const clockDecider: Decider<ClockCommand, ClockOffset, ClockEvent> = {
  initial: { offsetMs: 0 },
  decide: ({ byMs }, { offsetMs }) => {
    if (!Number.isInteger(byMs) || byMs < 1 || byMs > CLOCK_ADVANCE_MAX_MS) {
      return refuse('VALIDATION_FAILED', `From 1 to ${CLOCK_ADVANCE_MAX_MS} ms at once.`);
    }
    return offsetMs + byMs > CLOCK_OFFSET_MAX_MS
      ? refuse('VALIDATION_FAILED', `At most ${CLOCK_OFFSET_MAX_MS} ms ahead of real time.`)
      : [{ type: 'ClockAdvanced', offsetMs: offsetMs + byMs }];
  },
  evolve: ({ offsetMs }, before) => ({ offsetMs: Math.max(before.offsetMs, offsetMs) }),
};

/** The offset as of a fact; a stored offset below an earlier one is not gone back to. */
export const offsetAfter = (
  { event }: { readonly event: ClockEvent },
  before: ClockOffset | null,
): ClockOffset => ({ offsetMs: Math.max(before?.offsetMs ?? 0, event.offsetMs) });
