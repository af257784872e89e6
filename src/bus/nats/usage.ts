/** How full the streams are, over a connection of its own that prepares nothing. */
import { JetStreamApiError, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { connectionOptions, serversOf, type NatsAddress } from './connection.ts';
import type { Layout } from './layout.ts';
import type { StreamUsage } from './nats.ts';
import { reachableServers } from './reachable-servers.ts';

export interface NatsUsage {
  readonly streams: readonly StreamUsage[];
  /** Storage of all streams of the account. */
  readonly account: Pick<StreamUsage, 'bytes' | 'bytesMax'>;
}

/**
 * The existing streams of `layout`, and the account's storage.
 *
 * @throws If no server accepts the login and answers within `withinMs`.
 */
export const natsUsage = async (
  address: NatsAddress,
  layout: Layout,
  withinMs: number,
): Promise<NatsUsage> => {
  const servers = await reachableServers(serversOf(address), AbortSignal.timeout(withinMs));
  const options = connectionOptions(address, servers);
  // A server that greets and hangs up would be waited for until the end.
  const timeout = Math.min(withinMs, options.timeout ?? withinMs);
  const connection = await connect({ ...options, timeout });
  try {
    const jsm = await jetstreamManager(connection, { timeout: withinMs, checkAPI: false });
    const usageOf = async (name: string): Promise<readonly StreamUsage[]> => {
      try {
        const { state, config } = await jsm.streams.info(name);
        return [{ name, bytes: state.bytes, bytesMax: bounded(config.max_bytes) }];
      } catch (error) {
        if (error instanceof JetStreamApiError && error.status === 404) return [];
        throw error;
      }
    };
    const streams = await Promise.all(Object.values(layout).map(({ name }) => usageOf(name)));
    const { storage, limits } = await jsm.getAccountInfo();
    const account = { bytes: storage, bytesMax: bounded(limits.max_storage) };
    return { streams: streams.flat(), account };
  } finally {
    await connection.close();
  }
};

/** NATS reports -1 or 0 if there is no bound. */
const bounded = (bytes: number): number | null => (bytes > 0 ? bytes : null);
