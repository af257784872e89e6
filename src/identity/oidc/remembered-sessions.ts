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
 * Caches verified signatures: a portal sends the same token with every request, and verifying it
 * costs more than answering most requests. A cached token is valid until it expires, and for at
 * most {@link SESSION_REMEMBERED_MS}, which also delays the effect of a withdrawn issuer key. API
 * keys are never cached. Only a token's digest is stored.
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
      const session = kept.get(digest);
      if (session && session.sinceMs <= nowMs && nowMs < session.untilMs) return session.caller;
      const caller = await identity.callerOf(token);
      const expiresMs = Date.parse(caller.expiresAt ?? '');
      const untilMs = Math.min(nowMs + SESSION_REMEMBERED_MS, expiresMs);
      if (untilMs > nowMs) kept.set(digest, { caller, sinceMs: nowMs, untilMs });
      return caller;
    },
  };
};
