import type { Instant } from '../../src/engine/time/instant.ts';
import type { VirtualClock } from '../../src/engine/time/clock.ts';

export interface SetClock extends VirtualClock {
  at: Instant;
  /** How far the clock of the host, beneath the virtual one, is ahead. Default 0. */
  aheadMs: number;
}

/** A virtual clock that stands at `at`, which a test may set. */
export const setClock = (at: Instant): SetClock => {
  const clock: SetClock = {
    at,
    aheadMs: 0,
    now: () => clock.at,
    get offsetMs() {
      return Date.parse(clock.at) - Date.now() - clock.aheadMs;
    },
    moveTo(offsetMs) {
      clock.at = new Date(Date.now() + offsetMs).toISOString();
    },
  };
  return clock;
};
