/** What cannot be undone needs two clocks: one alone may jump years ahead for minutes. */
import type { Pool } from 'pg';
import type { ConsumerId } from '../consumers/consumer.ts';
import { CLOCK_AHEAD_MAX_MS } from '../limits.ts';
import { databaseTimeMs } from '../log/postgres/server-time.ts';
import type { Logger } from '../observe/logging.ts';
import { isVirtual, type Clock, type VirtualClock } from '../time/clock.ts';
import type { Instant } from '../time/instant.ts';

export interface ClockCheckParts {
  readonly pool: Pick<Pool, 'query'>;
  readonly clock: Clock | VirtualClock;
  readonly logger: Pick<Logger, 'error'>;
  /** Named in the log line. */
  readonly consumer: ConsumerId;
}

/**
 * Whether a reading of the clock, without the offset of a virtual one, is at most
 * {@link CLOCK_AHEAD_MAX_MS} ahead of the database's clock. Logs an error if it is not.
 */
export type ClockCheck = (now: Instant) => Promise<boolean>;

export const clockCheck =
  ({ pool, clock, logger, consumer }: ClockCheckParts): ClockCheck =>
  async (now) => {
    const offsetMs = isVirtual(clock) ? clock.offsetMs : 0;
    const aheadMs = Date.parse(now) - offsetMs - (await databaseTimeMs(pool));
    if (aheadMs <= CLOCK_AHEAD_MAX_MS) return true;
    const reason = `${Math.round(aheadMs / 1_000)} s`;
    logger.error(
      { consumer, reason },
      'the clock is ahead of that of Postgres; data past its term is kept',
    );
    return false;
  };
