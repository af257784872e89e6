/**
 * Connections to untrusted hosts, pooled by origin and checked address: an idle connection is
 * reused only while the name still resolves to its address.
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
  /** The connections to this address for this origin only. */
  of(url: CheckedUrl, address: string): Pool;
  /** Ends every connection of the origin, even during requests. */
  forget(origin: string): void;
  close(): Promise<void>;
}

/** No connection was made, so nothing of the request was sent. */
export class NotConnected extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause });
    this.name = 'NotConnected';
  }
}

export interface PinnedPoolsParts {
  /** Certificates trusted instead of the system's, as PEM. */
  readonly ca?: string | undefined;
  /** How long a TLS session is resumed. Default {@link UNTRUSTED_SESSION_MAX_MS}. */
  readonly sessionMaxMs?: number | undefined;
}

export const pinnedPools = ({ ca, sessionMaxMs }: PinnedPoolsParts = {}): PinnedPools => {
  const pools = new Map<string, Pool>();
  const sessions = tlsSessions(sessionMaxMs);
  // Created once: it costs as much as a handshake.
  const secureContext = createSecureContext({
    minVersion: 'TLSv1.2',
    ...(ca === undefined ? {} : { ca }),
  });
  const connectorFor = (session: Buffer | undefined) =>
    buildConnector({
      allowH2: false,
      // The library would cache sessions by name without a time limit.
      maxCachedSessions: 0,
      timeout: UNTRUSTED_DEADLINE_MS,
      rejectUnauthorized: true,
      secureContext,
      ...(session === undefined ? {} : { session }),
    });
  const connect = connectorFor(undefined);

  const poolFor = (url: CheckedUrl, address: string): Pool =>
    new Pool(url.origin, {
      // The certificate and `Host` are the name's; the socket connects to the address, without
      // another look-up.
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
      // The caller has one deadline over everything.
      headersTimeout: 0,
      bodyTimeout: 0,
    });

  const evict = () => {
    for (const [key, pool] of pools) {
      if (pools.size < UNTRUSTED_POOLS_MAX) return;
      pools.delete(key);
      // Lets requests in flight finish.
      void pool.close();
    }
  };

  return {
    of(url, address) {
      const key = keyOf(url.origin, address);
      const existing = pools.get(key);
      if (!existing) evict();
      const pool = existing ?? poolFor(url, address);
      // Evicts in LRU order.
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
