import { hash } from 'node:crypto';
import { SESSION_REMEMBERED_MS, SESSIONS_REMEMBERED_MAX } from './limits.ts';
import { lruCache } from '../../engine/concurrency/lru-cache.ts';
import type { Caller, Identity } from '../caller.ts';

interface Remembered {
  readonly caller: Caller;
  readonly sinceMs: number;
  readonly untilMs: number;
}

/**
 * The same identity, which does not check the signature of a token again that it has just found to
 * be right: a portal sends one token with every request, and checking it costs more than answering
 * most of them. A token counts until it expires, and at most {@link SESSION_REMEMBERED_MS} without
 * being checked, so that much later a key is missed that its issuer has withdrawn. API keys are
 * never remembered. What is kept of a token is its digest.
 *
 * @param now Real time in epoch milliseconds. Default `Date.now`.
 */
export const rememberedSessions = (identity: Identity, now: () => number = Date.now): Identity => {
  const kept = lruCache<Remembered>(SESSIONS_REMEMBERED_MAX);
  return {
    issuer: identity.issuer,
    ready: () => identity.ready(),
    reachable: () => identity.reachable(),
    async callerOf(token) {
      const digest = hash('sha256', token, 'base64');
      const nowMs = now();
      const known = kept.get(digest);
      if (known && known.sinceMs <= nowMs && nowMs < known.untilMs) return known.caller;
      const caller = await identity.callerOf(token);
      const expiresMs = Date.parse(caller.expiresAt ?? '');
      const untilMs = Math.min(nowMs + SESSION_REMEMBERED_MS, expiresMs);
      if (untilMs > nowMs) kept.set(digest, { caller, sinceMs: nowMs, untilMs });
      return caller;
    },
  };
};
