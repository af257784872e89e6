/** Ctrl-C and SIGTERM. */
import { exitCodes } from '../exit-codes.ts';
import { reportFailure } from '../failure-report.ts';
import { interrupted } from '../failures.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
export type EndingSignal = (typeof SIGNALS)[number];

export interface Interruption {
  /** Aborted at the first of them. */
  readonly signal: AbortSignal;
  /** The first of them; `null`: none has come. */
  readonly by: () => EndingSignal | null;
  /** Leaves the signals to others again. */
  readonly release: () => void;
}

/** For a command that has something to end in order; a second Ctrl-C ends the process at once. */
export const interruption = (): Interruption => {
  const stopped = new AbortController();
  let first: EndingSignal | null = null;
  const stop = (by: EndingSignal) => {
    first ??= by;
    stopped.abort();
  };
  for (const name of SIGNALS) process.once(name, stop);
  return {
    signal: stopped.signal,
    by: () => first,
    release: () => {
      for (const name of SIGNALS) process.off(name, stop);
    },
  };
};

const SHOW_CURSOR = '\u001B[?25h';

/**
 * Does `work`; Ctrl-C ends it with exit code 130, unless the work has its own way to end.
 *
 * @param json Whether an interruption is reported as JSON.
 */
export const interruptible = async (work: () => Promise<void>, json: boolean): Promise<void> => {
  const exit = () => {
    if (process.listenerCount('SIGINT') > 1) return;
    if (process.stderr.isTTY) process.stderr.write(`${SHOW_CURSOR}\n`);
    if (json) reportFailure(interrupted('interrupted'), json);
    process.exit(exitCodes.interrupted);
  };
  process.on('SIGINT', exit);
  try {
    await work();
  } finally {
    process.off('SIGINT', exit);
  }
};
