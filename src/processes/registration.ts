import { backoff } from '../ops/backoff.ts';
import type { Clock } from '../ops/clock.ts';
import type { Logger } from '../ops/logging.ts';
import { WrongRevision, type EventStore } from '../store/event-store.ts';
import { placeOf } from './process-position.ts';

/** What is recorded once it is done is the business of all processes, whenever they first run. */
export interface Registration {
  /** `true`, or why nobody should be served yet: a process could miss what they do. */
  ready(): true | string;
  /** Resolves when all are registered in the log, or `signal` has aborted. */
  register(signal: AbortSignal): Promise<void>;
}

export interface RegistrationParts {
  readonly names: readonly string[];
  readonly log: EventStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * A process begins where it registered. Left to its own first run, it would begin after whatever
 * other processes had served before.
 */
export const registration = ({ names, log, clock, logger }: RegistrationParts): Registration => {
  let done = false;

  return {
    ready: () => done || 'the processes are not registered in the log yet',

    async register(signal) {
      const delays = backoff();
      while (!signal.aborted && !done) {
        try {
          await Promise.all(names.map((name) => registerProcess(name, log, clock)));
          done = true;
        } catch (error) {
          logger.warn({ err: error }, 'the processes cannot be registered; trying again');
          await delays.pause(signal);
        }
      }
    },
  };
};

/**
 * Whatever is recorded from now on is the business of the process `name`. Doing it twice is doing
 * it once.
 *
 * @throws {@link LogUnavailable} if the log cannot be reached.
 */
export const registerProcess = async (
  name: string,
  log: EventStore,
  clock: Clock,
): Promise<void> => {
  try {
    await placeOf(name, log, clock).find();
  } catch (error) {
    // Another process has just done it.
    if (!(error instanceof WrongRevision)) throw error;
  }
};
