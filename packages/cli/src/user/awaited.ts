import { setTimeout as pause } from 'node:timers/promises';
import { CommandFailed } from '../failures.ts';

export interface Awaiting {
  /** The interval between polls, in milliseconds. */
  readonly everyMs: number;
  /** Gives up after this time. */
  readonly withinMs: number;
  /** The message of the failure when the time is over. */
  readonly late: string;
}

/**
 * Looks until there is something, other than `null`.
 *
 * @throws {@link CommandFailed} where it takes too long; what `look` throws.
 */
export const awaited = async <Result>(
  look: () => Promise<Result | null>,
  { everyMs, withinMs, late }: Awaiting,
): Promise<Result> => {
  const untilMs = performance.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (performance.now() > untilMs) throw new CommandFailed(late);
    await pause(everyMs);
  }
};
