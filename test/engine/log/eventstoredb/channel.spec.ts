/** When a channel reports that another server may answer the next call. */
import {
  EventStoreDBClient,
  UnavailableError,
  WrongExpectedVersionError,
  type AppendResult,
} from '@eventstore/db-client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { channelOver } from '../../../../src/engine/log/eventstoredb/channel.ts';
import { noLeaderWatch } from '../../../../src/engine/log/eventstoredb/leader-watch.ts';
import { ClientFailover } from '../../../../src/engine/log/eventstoredb/client-failover.ts';
import {
  LogUnavailable,
  WrongRevision,
  type Channel,
  type ChannelCalls,
} from '../../../../src/engine/log/event-store.ts';

let client: EventStoreDBClient;
let clients: ClientFailover;
let channel: Channel;
beforeEach(() => {
  client = EventStoreDBClient.connectionString('esdb://127.0.0.1:1?tls=false');
  clients = new ClientFailover(() => client, noLeaderWatch);
  channel = channelOver(clients, { username: 'admin', password: 'changeit' });
});
afterEach(() => clients.dispose());

const JOURNAL = 'keyuse-@a.202603';
const appendOver = (calls: ChannelCalls) =>
  calls.append({ stream: JOURNAL, expected: 4, events: [] });

it('reports so when an abandoned call fails', async () => {
  const { promise, reject } = Promise.withResolvers<AppendResult>();
  vi.spyOn(client, 'appendToStream').mockReturnValue(promise);
  await expect(channel.ask('appending', 1, appendOver)).rejects.toBeInstanceOf(LogUnavailable);
  const { connection } = channel;
  reject(new UnavailableError());
  await vi.waitFor(() => expect(channel.connection).not.toBe(connection));
});

it('does not report so when a call is refused', async () => {
  const versions = { streamName: JOURNAL, expected: 4n, current: 5n };
  vi.spyOn(client, 'appendToStream').mockRejectedValue(
    new WrongExpectedVersionError(undefined, versions),
  );
  const { connection } = channel;
  await channel.ask('appending', 1_000, async (calls) => {
    await expect(appendOver(calls)).rejects.toBeInstanceOf(WrongRevision);
  });
  expect(channel.connection).toBe(connection);
});
