import { PROGRESS_LINE_MS, PROGRESS_TERMINAL_MS } from '../../limits.ts';

/** What a long piece of work says of itself on standard error. */
export interface Progress {
  /** So many events are done, which is this share (0 to 1) of the work, or an unknown one. */
  at(events: number, share: number | null): void;
  /** A line that stays. */
  say(line: string): void;
}

/**
 * On a terminal one line that is written over; elsewhere a line every
 * {@link PROGRESS_LINE_MS}.
 *
 * @param what For example `exported`.
 */
export const progressOf = (what: string, out: NodeJS.WriteStream = process.stderr): Progress => {
  const everyMs = out.isTTY ? PROGRESS_TERMINAL_MS : PROGRESS_LINE_MS;
  let from: { at: number; events: number; share: number | null } | null = null;
  let shownAt = 0;

  const lineOf = (events: number, share: number | null, now: number) => {
    if (from === null) return '';
    const seconds = (now - from.at) / 1000;
    const rate = `${inThousands((events - from.events) / seconds)} events/s`;
    const done = share === null || from.share === null ? 0 : share - from.share;
    const left =
      share !== null && done > 0
        ? `, ${Math.round(share * 100)} %, ${timeOf((seconds * (1 - share)) / done)} left`
        : '';
    return `${what} ${events.toLocaleString('en')} events, ${rate}${left}`;
  };

  return {
    at(events, share) {
      const now = performance.now();
      if (from === null) {
        from = { at: now, events, share };
        shownAt = now;
      }
      if (now - shownAt < everyMs) return;
      shownAt = now;
      out.write(
        out.isTTY ? `\r${CLEAR}${lineOf(events, share, now)}` : `${lineOf(events, share, now)}\n`,
      );
    },
    say(line) {
      out.write(`${out.isTTY ? `\r${CLEAR}` : ''}${line}\n`);
    },
  };
};

/** To the end of the line. */
const CLEAR = '\u001B[K';

const inThousands = (rate: number): string =>
  rate < 1_000 ? rate.toFixed(0) : `${(rate / 1_000).toFixed(1)} k`;

const timeOf = (seconds: number): string => {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};
