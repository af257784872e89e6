/**
 * Connections to strangers, kept by origin and by the address that was checked: a connection that
 * lies idle is used again only where the name still stands for the address it leads to.
 */
import { createSecureContext, TLSSocket } from 'node:tls';
import { buildConnector, Pool } from 'undici';
import { HEADER_BYTES_MAX } from '../limits.ts';
import {
  UNTRUSTED_CONNECTIONS_OF_ORIGIN_MAX,
  UNTRUSTED_DEADLINE_MS,
  UNTRUSTED_POOLS_MAX,
} from './limits.ts';
import { tlsSessions } from './tls-sessions.ts';
import type { CheckedUrl } from './url-check.ts';

export interface PinnedPools {
  /** The connections to this address for this origin, and for nothing else. */
  of(url: CheckedUrl, address: string): Pool;
  /** Ends every connection of the origin, whatever goes on over it. */
  forget(origin: string): void;
  close(): Promise<void>;
}

/** A connection was not made, so that nothing of the request was sent. */
export class NotConnected extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause });
    this.name = 'NotConnected';
  }
}

export interface PinnedPoolsParts {
  /** Certificates that are trusted instead of the system's, as PEM. */
  readonly ca?: string | undefined;
  /** How long a TLS session is taken up again. Default {@link UNTRUSTED_SESSION_MAX_MS}. */
  readonly sessionMaxMs?: number | undefined;
}

export const pinnedPools = ({ ca, sessionMaxMs }: PinnedPoolsParts = {}): PinnedPools => {
  const pools = new Map<string, Pool>();
  const sessions = tlsSessions(sessionMaxMs);
  // Made once: making it costs as much as a handshake does.
  const secureContext = createSecureContext({
    minVersion: 'TLSv1.2',
    ...(ca === undefined ? {} : { ca }),
  });
  const connectorFor = (session: Buffer | undefined) =>
    buildConnector({
      allowH2: false,
      // The library would keep sessions by name, for as long as it likes.
      maxCachedSessions: 0,
      timeout: UNTRUSTED_DEADLINE_MS,
      rejectUnauthorized: true,
      secureContext,
      ...(session === undefined ? {} : { session }),
    });
  const connect = connectorFor(undefined);

  const poolFor = (url: CheckedUrl, address: string): Pool =>
    new Pool(url.origin, {
      // The certificate and `Host` are the name's; the socket goes to the address, and nowhere
      // else is anything looked up.
      connect: (options, callback) => {
        const place = keyOf(url.origin, address);
        const before = sessions.of(place);
        (before ? connectorFor(before.session) : connect)(
          {
            ...options,
            hostname: address,
            host: address,
            ...(url.isAddress ? {} : { servername: url.host }),
          },
          (...result) => {
            const [error, socket] = result;
            if (socket instanceof TLSSocket) sessions.keep(place, socket, before);
            if (error) callback(new NotConnected(error), null);
            else callback(...result);
          },
        );
      },
      connections: UNTRUSTED_CONNECTIONS_OF_ORIGIN_MAX,
      pipelining: 1,
      maxHeaderSize: HEADER_BYTES_MAX,
      // One deadline over everything is kept elsewhere.
      headersTimeout: 0,
      bodyTimeout: 0,
    });

  const evict = () => {
    for (const [key, pool] of pools) {
      if (pools.size < UNTRUSTED_POOLS_MAX) return;
      pools.delete(key);
      // Requests under way are finished.
      void pool.close();
    }
  };

  return {
    of(url, address) {
      const key = keyOf(url.origin, address);
      const known = pools.get(key);
      if (!known) evict();
      const pool = known ?? poolFor(url, address);
      // The one used last is the last to go.
      pools.delete(key);
      pools.set(key, pool);
      return pool;
    },

    forget(origin) {
      for (const [key, pool] of pools) {
        if (!key.startsWith(keyOf(origin, ''))) continue;
        pools.delete(key);
        void pool.destroy();
      }
    },

    async close() {
      const all = [...pools.values()];
      pools.clear();
      await Promise.all(all.map((pool) => pool.destroy()));
    },
  };
};

const keyOf = (origin: string, address: string): string => `${origin}|${address}`;
