import type { Instant } from './instant.ts';

/** The one source of time that rules see. Injected; never read from a database or a global. */
export interface Clock {
  now(): Instant;
}

export const systemClock: Clock = { now: () => new Date().toISOString() };

/** A clock that its owner can move forward, never back. Real time goes on beneath it. */
export interface VirtualClock extends Clock {
  readonly offsetMs: number;
  /** Sets the offset; a smaller one than before is ignored. */
  moveTo(offsetMs: number): void;
}

export const isVirtual = (clock: Clock | VirtualClock): clock is VirtualClock => 'moveTo' in clock;

export const virtualClock = (real: Clock = systemClock, offsetMs = 0): VirtualClock => {
  let offset = offsetMs;
  return {
    get offsetMs() {
      return offset;
    },
    now: () => new Date(Date.parse(real.now()) + offset).toISOString(),
    moveTo(next) {
      offset = Math.max(offset, next);
    },
  };
};
