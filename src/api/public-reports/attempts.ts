/**
 * The rate limit of the routes without sign-in, per process: counts requests of a source within a
 * minute, before the body is read and without the database. contract.md section 1.
 */
import type { FastifyRequest } from 'fastify';
import { sourceNetwork } from '../../domain/public-reports/source-network.ts';
import { lruCache } from '../../engine/concurrency/lru-cache.ts';
import { MINUTE_MS } from '../../engine/time/calendar.ts';
import type { Clock } from '../../engine/time/clock.ts';
import { Problem } from '../http/problems.ts';
import { ATTEMPTS_OF_MINUTE_MAX, SOURCES_KEPT_MAX } from './limits.ts';

export interface Attempts {
  /** @throws {@link Problem} `RATE_LIMITED` with the seconds until the next minute. */
  take(source: string): void;
}

export const attemptsOf = (clock: Clock): Attempts => {
  const counts = lruCache<{ readonly minute: number; count: number }>(SOURCES_KEPT_MAX);
  return {
    take(source) {
      const nowMs = Date.parse(clock.now());
      const minute = Math.floor(nowMs / MINUTE_MS);
      const kept = counts.get(source);
      const counted = kept?.minute === minute ? kept : { minute, count: 0 };
      counted.count += 1;
      counts.set(source, counted);
      if (counted.count <= ATTEMPTS_OF_MINUTE_MAX) return;
      const leftS = Math.ceil(((minute + 1) * MINUTE_MS - nowMs) / 1_000);
      throw new Problem('RATE_LIMITED', 'Too many requests from one address.', {}, leftS);
    },
  };
};

/** From the listener, or from the proxies of `TRUSTED_PROXIES` only. */
export const sourceOf = ({ ip }: Pick<FastifyRequest, 'ip'>): string => sourceNetwork(ip);
