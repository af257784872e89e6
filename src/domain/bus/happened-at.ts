import { z } from 'zod';
import type { Instant } from '../../engine/aggregates/decider.ts';
import type { Payload } from './events.ts';

/**
 * When a publisher says that it happened, as far as that can be: within the day before `now`. The
 * same in a repeat after midnight.
 */
export const happenedAt = ({ occurredAt }: Payload, now: Instant): Instant => {
  if (
    typeof occurredAt !== 'string' ||
    !z.iso.datetime({ offset: true }).safeParse(occurredAt).success
  )
    return now;
  // By number: a zone takes the first and the last day of all years to a year of six digits.
  const [atMs, nowMs] = [Date.parse(occurredAt), Date.parse(now)];
  return atMs > nowMs || nowMs - atMs > DAY_MS ? now : new Date(atMs).toISOString();
};

const DAY_MS = 24 * 60 * 60 * 1000;
