import { z } from 'zod';
import type { Instant } from '../../engine/aggregates/decider.ts';
import { DAY_MS } from '../../engine/time/calendar.ts';
import type { Payload } from './events.ts';

/**
 * The publisher's time of the event, limited to the day before `now`. A repeat after midnight gives
 * the same time.
 */
export const happenedAt = ({ occurredAt }: Payload, now: Instant): Instant => {
  if (
    typeof occurredAt !== 'string' ||
    !z.iso.datetime({ offset: true }).safeParse(occurredAt).success
  )
    return now;
  // Compared as numbers: a zone can shift the first and the last year to six digits.
  const [atMs, nowMs] = [Date.parse(occurredAt), Date.parse(now)];
  return atMs > nowMs || nowMs - atMs > DAY_MS ? now : new Date(atMs).toISOString();
};
