import { configOf, type Config } from '../../config.ts';
import { clockOffsetMs } from '../../processes/time-travel.ts';
import type { EventStore } from '../../store/event-store.ts';
import { openLog } from '../adapters.ts';
import { commandLogger, type Env } from '../command-logger.ts';
import { systemClock, virtualClock, type Clock } from '../../ops/clock.ts';

/** Why a command on keys or their audit was not carried out; the message is one line. */
export class KeysRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'KeysRefused';
  }
}

/** What the commands on keys work with. */
export interface Opened {
  readonly config: Config;
  readonly log: EventStore;
  /** As the server has it: in development it may have been moved. */
  readonly clock: Clock;
}

/** Opens the log of the server, running or not, for `work`. */
export const onLog = async <T>(env: Env, work: (opened: Opened) => Promise<T>): Promise<T> => {
  const config = configOf(env);
  const { log, close } = await openLog(config, commandLogger(env, config));
  try {
    return await work({ config, log, clock: await clockOf(config, log) });
  } finally {
    await close();
  }
};

/** The server's time: real time and, in development, how far it was moved ahead. */
export const clockOf = async ({ environment }: Config, log: EventStore): Promise<Clock> =>
  environment === 'development' ? virtualClock(systemClock, await clockOffsetMs(log)) : systemClock;
