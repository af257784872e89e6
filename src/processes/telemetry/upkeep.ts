import type { ConsumerRunner } from '../../engine/consumers/runtime.ts';
import { workId } from '../../engine/consumers/consumer.ts';
import { TELEMETRY_UPKEEP_MS } from './limits.ts';
import { backoff, pause } from '../../engine/concurrency/backoff.ts';
import type { Clock } from '../../engine/time/clock.ts';
import type { Logger } from '../../engine/observe/logging.ts';
import type { Upkeep } from '../../building/telemetry/upkeep.ts';

/** Seals finished days and takes away what is over its term, now and then, in one process. */
export const telemetryUpkeep = (parts: {
  readonly upkeep: Upkeep;
  readonly clock: Clock;
  readonly logger: Logger;
}): ConsumerRunner => {
  const { upkeep, clock, logger } = parts;
  return {
    consumer: workId('telemetry-upkeep'),

    async run({ signal }) {
      const delays = backoff();
      while (!signal.aborted) {
        try {
          await upkeep(clock.now(), signal);
          delays.reset();
          await pause(TELEMETRY_UPKEEP_MS, signal);
        } catch (error) {
          if (signal.aborted) return;
          logger.warn({ err: error }, 'telemetry cannot be looked after; trying again');
          await delays.pause(signal);
        }
      }
    },

    offer: () => {},
  };
};
