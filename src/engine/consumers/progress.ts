/**
 * The progress of long work. `done` and `total` count the phase's unit: positions of the log, rows
 * or indexes. `total` is `null` where the log cannot count.
 */
export interface Progress {
  readonly phase: Phase;
  readonly done: number;
  readonly total: number | null;
  /** The average of this phase. */
  readonly perSecond: number;
  /** Estimate for this phase; `null` if unknown. */
  readonly secondsLeft: number | null;
}

export type Phase = 'reading' | 'writing' | 'indexing' | 'catching up' | 'swapping' | 'comparing';

export interface ProgressMeter {
  readonly now: Progress | null;
  phase(phase: Phase, total: number | null): void;
  done(done: number): void;
}

/** @param ms A monotonic clock, in milliseconds. */
export const progressMeter = (ms: () => number = () => performance.now()): ProgressMeter => {
  let began = ms();
  let at: { phase: Phase; done: number; total: number | null } | null = null;
  return {
    get now() {
      if (at === null) return null;
      const seconds = (ms() - began) / 1_000;
      const perSecond = seconds > 0 ? at.done / seconds : 0;
      const left = at.total === null || perSecond === 0 ? null : (at.total - at.done) / perSecond;
      return {
        ...at,
        perSecond: Math.round(perSecond),
        secondsLeft: left === null ? null : Math.max(0, Math.round(left * 10) / 10),
      };
    },
    phase(phase, total) {
      began = ms();
      at = { phase, done: 0, total };
    },
    done(done) {
      if (at) at = { ...at, done };
    },
  };
};
