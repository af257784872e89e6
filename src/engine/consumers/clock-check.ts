/** What cannot be undone needs two clocks: one alone may jump years ahead for minutes. */
import type { Pool } from 'pg';
import type { ConsumerId } from './consumer.ts';
import { CLOCK_AHEAD_MAX_MS } from '../limits.ts';
import { databaseTimeMs } from '../log/postgres/server-time.ts';
import type { Logger } from '../observe/logging.ts';
import { isVirtual, type Clock, type VirtualClock } from '../time/clock.ts';
import type { Instant } from '../time/instant.ts';

interface Clocks {
  readonly pool: Pick<Pool, 'query'>;
  readonly clock: Clock | VirtualClock;
}

export interface ClockCheckParts extends Clocks {
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
  ({ logger, consumer, ...clocks }: ClockCheckParts): ClockCheck =>
  async (now) => {
    const aheadMs = await aheadMsOf(clocks, now);
    if (aheadMs <= CLOCK_AHEAD_MAX_MS) return true;
    const reason = `${Math.round(aheadMs / 1_000)} s`;
    logger.error(
      { consumer, reason },
      'the clock is ahead of that of Postgres; data past its term is kept',
    );
    return false;
  };

/** The clock's time, or the database's where the clock is too far ahead of it. */
export const trustedNow = async (clocks: Clocks): Promise<Instant> => {
  const now = clocks.clock.now();
  const aheadMs = await aheadMsOf(clocks, now);
  if (aheadMs <= CLOCK_AHEAD_MAX_MS) return now;
  return new Date(Date.parse(now) - aheadMs).toISOString();
};

const aheadMsOf = async ({ pool, clock }: Clocks, now: Instant): Promise<number> => {
  const offsetMs = isVirtual(clock) ? clock.offsetMs : 0;
  return Date.parse(now) - offsetMs - (await databaseTimeMs(pool));
};
