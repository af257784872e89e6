import type { TLSSocket } from 'node:tls';
import { UNTRUSTED_POOLS_MAX, UNTRUSTED_SESSION_MAX_MS } from './limits.ts';
import { lruCache } from '../engine/concurrency/lru-cache.ts';

/** A session that may be taken up again, and when the certificate behind it was looked at. */
export interface TlsSession {
  readonly session: Buffer;
  readonly lookedAtMs: number;
}

/**
 * TLS sessions by place, an origin and the address that was checked. One that is taken up again
 * costs half of what a new one does, and shows no certificate: that of a place is looked at every
 * {@link UNTRUSTED_SESSION_MAX_MS} all the same, however often its session is renewed.
 */
export interface TlsSessions {
  of(place: string): TlsSession | undefined;
  /** Keeps what `socket`, which has taken up `before` or nothing, is given for the next one. */
  keep(place: string, socket: TLSSocket, before: TlsSession | undefined): void;
}

export const tlsSessions = (maxMs = UNTRUSTED_SESSION_MAX_MS): TlsSessions => {
  const kept = lruCache<TlsSession>(UNTRUSTED_POOLS_MAX);

  return {
    of(place) {
      const known = kept.get(place);
      return known && performance.now() - known.lookedAtMs < maxMs ? known : undefined;
    },

    keep(place, socket, before) {
      const lookedAtMs = before && socket.isSessionReused() ? before.lookedAtMs : performance.now();
      const keep = (session: Buffer) => kept.set(place, { session, lookedAtMs });
      // Of TLS 1.3 sessions come when they like, of 1.2 with the handshake, which is over.
      socket.on('session', keep);
      const session = socket.getProtocol() === 'TLSv1.2' ? socket.getSession() : undefined;
      if (session) keep(session);
    },
  };
};
