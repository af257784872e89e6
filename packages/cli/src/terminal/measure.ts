/** Progress beside a spinner: count and rate, and a bar with the time left if the end is known. */
import type { Progress, Terminal } from './terminal.ts';

export interface Measure {
  /** So many are done, which is this share (0 to 1) of them, or an unknown one. */
  at(count: number, share: number | null): void;
  end(): void;
}

const SHOWN_EVERY_MS = 100;
const BAR_CELLS = 24;

/** @param what For example `imported`. */
export const measured = async (terminal: Terminal, what: string): Promise<Measure> => {
  const progress: Progress = await terminal.progress(what);
  const began = performance.now();
  let shown = began;
  return {
    at(count, share) {
      const now = performance.now();
      if (now - shown < SHOWN_EVERY_MS) return;
      shown = now;
      progress.say(measureOf(what, count, share, (now - began) / 1_000));
    },
    end: () => progress.end(),
  };
};

/** `imported ██████░░░░░░ 50 %  50,000 tickets, 1,204/s, 42 s left` */
export const measureOf = (
  what: string,
  count: number,
  share: number | null,
  seconds: number,
): string => {
  const rate = Math.round(count / seconds).toLocaleString('en');
  const counted = `${count.toLocaleString('en')} tickets, ${rate}/s`;
  if (share === null || share <= 0) return `${what}  ${counted}`;
  const full = Math.min(BAR_CELLS, Math.floor(share * BAR_CELLS));
  const bar = '█'.repeat(full) + '░'.repeat(BAR_CELLS - full);
  const left = Math.ceil((seconds * (1 - share)) / share);
  return `${what} ${bar} ${Math.floor(share * 100)} %  ${counted}, ${left} s left`;
};
