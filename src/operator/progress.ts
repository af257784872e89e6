import { PROGRESS_LINE_MS, PROGRESS_TERMINAL_MS } from './limits.ts';

/** Shows progress on standard error. */
export interface ProgressLine {
  /** Overwrites one line on a terminal; elsewhere writes one every {@link PROGRESS_LINE_MS}. */
  show(line: () => string): void;
  /** Writes a permanent line. */
  say(line: string): void;
  clear(): void;
}

/** @param shownAt Time of the last output, by `performance.now()`. Default: never. */
export const progressLine = (shownAt = -Infinity): ProgressLine => {
  const out = process.stderr;
  const everyMs = out.isTTY ? PROGRESS_TERMINAL_MS : PROGRESS_LINE_MS;
  const clear = out.isTTY ? `\r${TO_END_OF_LINE}` : '';
  let last = shownAt;
  return {
    show(line) {
      const now = performance.now();
      if (now - last < everyMs) return;
      last = now;
      out.write(out.isTTY ? `${clear}${line()}` : `${line()}\n`);
    },
    say: (line) => void out.write(`${clear}${line}\n`),
    clear: () => void out.write(clear),
  };
};

const TO_END_OF_LINE = '\u001B[K';

/**
 * Shows the progress of work on events.
 *
 * @param what For example `exported`.
 */
export const eventProgress = (what: string) => {
  let line = progressLine();
  let from: { at: number; events: number; share: number | null } | null = null;
  return {
    /** Reports finished events and their share of the work (0 to 1), if known. */
    at(events: number, share: number | null): void {
      const now = performance.now();
      if (from === null) {
        // Rates are measured from the first call, which therefore shows nothing.
        from = { at: now, events, share };
        line = progressLine(now);
      }
      const start = from;
      line.show(() => {
        const seconds = (now - start.at) / 1000;
        const rate = `${inThousands((events - start.events) / seconds)} events/s`;
        const done = share === null || start.share === null ? 0 : share - start.share;
        const left =
          share !== null && done > 0
            ? `, ${Math.round(share * 100)} %, ${duration((seconds * (1 - share)) / done)} left`
            : '';
        return `${what} ${events.toLocaleString('en')} events, ${rate}${left}`;
      });
    },
    say: (text: string): void => line.say(text),
  };
};

const inThousands = (rate: number): string =>
  rate < 1_000 ? rate.toFixed(0) : `${(rate / 1_000).toFixed(1)} k`;

const duration = (seconds: number): string => {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};
