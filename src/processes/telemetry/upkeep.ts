import type { ConsumerRunner } from '../../engine/consumers/runtime.ts';
import { workId } from '../../engine/consumers/consumer.ts';
import { leasedWorker } from '../../engine/consumers/leased-worker.ts';
import { TELEMETRY_UPKEEP_MS } from './limits.ts';
import type { Clock } from '../../engine/time/clock.ts';
import type { Logger } from '../../engine/observe/logging.ts';
import type { Upkeep } from '../../building/telemetry/upkeep.ts';

export const TELEMETRY_UPKEEP = workId('telemetry-upkeep');

/** Seals finished days and deletes expired ones, every {@link TELEMETRY_UPKEEP_MS}. */
export const telemetryUpkeep = (parts: {
  readonly upkeep: Upkeep;
  readonly clock: Clock;
  readonly logger: Logger;
}): ConsumerRunner => {
  const { upkeep, clock, logger } = parts;
  return leasedWorker({
    consumer: TELEMETRY_UPKEEP,
    logger,
    failure: 'telemetry cannot be looked after; trying again',
    start: ({ signal }) => ({
      async work() {
        await upkeep(clock.now(), signal);
        return TELEMETRY_UPKEEP_MS;
      },
    }),
  });
};
