import type { TLSSocket } from 'node:tls';
import { UNTRUSTED_POOLS_MAX, UNTRUSTED_SESSION_MAX_MS } from './limits.ts';
import { lruCache } from '../engine/concurrency/lru-cache.ts';

/** A resumable session, and when its certificate was verified. */
export interface TlsSession {
  readonly session: Buffer;
  readonly lookedAtMs: number;
}

/**
 * TLS sessions by origin and checked address. A resumed session costs half of a new one, but
 * presents no certificate: that is verified again after {@link UNTRUSTED_SESSION_MAX_MS}, however
 * often the session is renewed.
 */
export interface TlsSessions {
  of(place: string): TlsSession | undefined;
  /** Keeps the new session of `socket`, which resumed `before` or none. */
  keep(place: string, socket: TLSSocket, before: TlsSession | undefined): void;
}

export const tlsSessions = (maxMs = UNTRUSTED_SESSION_MAX_MS): TlsSessions => {
  const kept = lruCache<TlsSession>(UNTRUSTED_POOLS_MAX);

  return {
    of(place) {
      const cached = kept.get(place);
      return cached && performance.now() - cached.lookedAtMs < maxMs ? cached : undefined;
    },

    keep(place, socket, before) {
      const lookedAtMs = before && socket.isSessionReused() ? before.lookedAtMs : performance.now();
      const keep = (session: Buffer) => kept.set(place, { session, lookedAtMs });
      // TLS 1.3 sends sessions at any time, 1.2 with the completed handshake.
      socket.on('session', keep);
      const session = socket.getProtocol() === 'TLSv1.2' ? socket.getSession() : undefined;
      if (session) keep(session);
    },
  };
};
