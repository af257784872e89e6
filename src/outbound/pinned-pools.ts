/**
 * Connections to strangers, kept by origin and by the address that was checked: a connection that
 * lies idle is used again only where the name still stands for the address it leads to.
 */
import { buildConnector, Pool } from 'undici';
import {
  HEADER_BYTES_MAX,
  STRANGER_CONNECTIONS_OF_ORIGIN_MAX,
  STRANGER_DEADLINE_MS,
  STRANGER_POOLS_MAX,
} from '../limits.ts';
import type { StrangerUrl } from './url-check.ts';

export interface PinnedPools {
  /** The connections to this address for this origin, and for nothing else. */
  of(url: StrangerUrl, address: string): Pool;
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

/** @param ca Certificates that are trusted instead of the system's, as PEM. */
export const pinnedPools = (ca?: string): PinnedPools => {
  const pools = new Map<string, Pool>();
  const connect = buildConnector({
    allowH2: false,
    // A session that is taken up again would show no certificate.
    maxCachedSessions: 0,
    timeout: STRANGER_DEADLINE_MS,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    ...(ca === undefined ? {} : { ca }),
  });

  const poolFor = (url: StrangerUrl, address: string): Pool =>
    new Pool(url.origin, {
      // The certificate and `Host` are the name's; the socket goes to the address, and nowhere
      // else is anything looked up.
      connect: (options, callback) =>
        connect(
          {
            ...options,
            hostname: address,
            host: address,
            ...(url.isAddress ? {} : { servername: url.host }),
          },
          (...result) => {
            const [error] = result;
            if (error) callback(new NotConnected(error), null);
            else callback(...result);
          },
        ),
      connections: STRANGER_CONNECTIONS_OF_ORIGIN_MAX,
      pipelining: 1,
      maxHeaderSize: HEADER_BYTES_MAX,
      // One deadline over everything is kept elsewhere.
      headersTimeout: 0,
      bodyTimeout: 0,
    });

  const evict = () => {
    for (const [key, pool] of pools) {
      if (pools.size < STRANGER_POOLS_MAX) return;
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
