/**
 * Counts connections until they close. Everyone may open one, so those without a session are
 * bounded per source network and in total, apart from those with one: strangers take no place of an
 * admitted client.
 */
import { sourceNetwork } from '../../domain/public-reports/source-network.ts';
import { increment } from '../../engine/concurrency/counts.ts';
import { Problem } from '../http/problems.ts';
import {
  LIVE_CONNECTIONS_MAX,
  LIVE_UNADMITTED_MAX,
  LIVE_UNADMITTED_OF_SOURCE_MAX,
} from './limits.ts';

export interface ConnectionBounds {
  /** Admitted connections. */
  readonly connectionsMax: number;
  readonly unadmittedMax: number;
  readonly unadmittedOfSourceMax: number;
}

const boundsByDefault: ConnectionBounds = {
  connectionsMax: LIVE_CONNECTIONS_MAX,
  unadmittedMax: LIVE_UNADMITTED_MAX,
  unadmittedOfSourceMax: LIVE_UNADMITTED_OF_SOURCE_MAX,
};

export interface Closable {
  once(event: 'close', closed: () => void): unknown;
}

/** A source is the address of a client. */
export interface ConnectionCounts {
  /** Why the source may not open a connection; `null`: it may. */
  refusal(source: string): Problem | null;
  /** Counts a connection as unadmitted. Returns `false`, without counting it, at a bound. */
  open(connection: Closable, source: string): boolean;
  /** Counts it as admitted. Returns `false` if it has closed, or at the bound. Idempotent. */
  admit(connection: Closable): boolean;
}

export const connectionCounts = (bounds: Partial<ConnectionBounds> = {}): ConnectionCounts => {
  const { connectionsMax, unadmittedMax, unadmittedOfSourceMax } = {
    ...boundsByDefault,
    ...bounds,
  };
  /** Source network → unadmitted connections. */
  const ofSource = new Map<string, number>();
  /** Connection → decrements the count of its source. */
  const unadmitted = new Map<Closable, () => void>();
  const admitted = new Set<Closable>();

  const refusal = (source: string): Problem | null => {
    if ((ofSource.get(sourceNetwork(source)) ?? 0) >= unadmittedOfSourceMax)
      return new Problem('RATE_LIMITED', 'Too many connections of one address have no session.');
    if (unadmitted.size >= unadmittedMax)
      return new Problem('UNAVAILABLE', 'Too many connections have no session.');
    if (admitted.size >= connectionsMax)
      return new Problem('UNAVAILABLE', 'Too many clients are connected.');
    return null;
  };

  const leaveUnadmitted = (connection: Closable): boolean => {
    unadmitted.get(connection)?.();
    return unadmitted.delete(connection);
  };

  return {
    refusal,

    open(connection, source) {
      if (refusal(source)) return false;
      unadmitted.set(connection, increment(ofSource, sourceNetwork(source)));
      connection.once('close', () => {
        leaveUnadmitted(connection);
        admitted.delete(connection);
      });
      return true;
    },

    admit(connection) {
      if (admitted.has(connection)) return true;
      if (admitted.size >= connectionsMax || !leaveUnadmitted(connection)) return false;
      admitted.add(connection);
      return true;
    },
  };
};
