/** The skew between other clocks and this machine's, on which tokens and leases depend. */
import type { Pool } from 'pg';
import { databaseTimeMs } from '../../engine/log/postgres/server-time.ts';
import { systemClock } from '../../engine/time/clock.ts';

/** A reading of another clock, with this clock's time before and after it. */
export interface ClockReading {
  readonly whose: 'Postgres' | 'the issuer';
  readonly atMs: number;
  readonly afterMs: number;
  readonly beforeMs: number;
  /** Resolution of the clock: an HTTP date has no fractions. */
  readonly coarseMs: number;
}

export const nowMs = (): number => Date.parse(systemClock.now());

/** The smallest skew that explains the reading, whose time within the exchange is unknown. */
export const skewOf = ({ atMs, afterMs, beforeMs, coarseMs }: ClockReading): number => {
  if (atMs > beforeMs) return atMs - beforeMs;
  return atMs + coarseMs < afterMs ? atMs + coarseMs - afterMs : 0;
};

/** @throws Errors of the statement. */
export const databaseClock = async (pool: Pick<Pool, 'query'>): Promise<ClockReading> => {
  const afterMs = nowMs();
  const atMs = await databaseTimeMs(pool);
  return { whose: 'Postgres', atMs, afterMs, beforeMs: nowMs(), coarseMs: 0 };
};

/** Resolution of `Date` and `Age`. */
const HTTP_TIME_MS = 1_000;

/**
 * Reads the `Date` header of the issuer's response, and its `Age` if a cache answered; `null`:
 * there is no `Date`.
 *
 * @param afterMs Time of the request.
 */
export const issuerClockOf = (
  { headers }: Pick<Response, 'headers'>,
  afterMs: number,
): ClockReading | null => {
  const sentMs = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(sentMs)) return null;
  const age = Number(headers.get('age') ?? 0) || 0;
  const coarseMs = age === 0 ? HTTP_TIME_MS : 2 * HTTP_TIME_MS;
  const atMs = sentMs + age * 1_000;
  return { whose: 'the issuer', atMs, afterMs, beforeMs: nowMs(), coarseMs };
};

/**
 * Requests only the issuer's discovery document.
 *
 * @throws If there is no response before `signal` aborts. A response of any status has a date.
 */
export const issuerClock = async (
  issuer: string,
  signal: AbortSignal,
): Promise<ClockReading | null> => {
  const afterMs = nowMs();
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await fetch(url, { method: 'HEAD', redirect: 'manual', signal });
  await response.body?.cancel();
  return issuerClockOf(response, afterMs);
};
