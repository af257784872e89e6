/** What a real EventStoreDB says of itself to operators. */
import { expect, inject, it } from 'vitest';
import {
  eventStoreServers,
  lastScavenge,
  type EventStoreServerState,
} from '../../src/engine/log/eventstoredb/server-state.ts';
import { eventstoreDbStore } from '../../src/engine/log/eventstoredb/store.ts';
import { metricsOf } from '../../src/engine/observe/metrics.ts';
import { eventStoreCondition } from '../../src/operator/conditions/eventstore.ts';
import { conditionMetrics } from '../../src/operator/conditions/metrics.ts';
import { eventStoreFinding } from '../../src/operator/doctor/eventstore.ts';
import { until } from '../support/until.ts';

const url = inject('eventstoreUrl');

/** The result of `read` once it includes the disk, which a busy server may omit once. */
const onceDiskIsKnown = async <
  State extends { readonly servers: readonly EventStoreServerState[] },
>(
  read: () => Promise<State>,
): Promise<State> => {
  let state = await read();
  await until(async () => {
    if (state.servers.every(({ disk }) => disk !== null)) return true;
    state = await read();
    return false;
  }, 'its disk');
  return state;
};

it('has a leader, and the disk with its log', async () => {
  const { servers } = await onceDiskIsKnown(async () => ({
    servers: await eventStoreServers(url),
  }));
  expect(servers).toEqual([
    expect.objectContaining({ place: expect.stringMatching(/:\d+$/), state: 'Leader' }),
  ]);
  const { freeBytes, totalBytes } = servers[0]!.disk!;
  expect(freeBytes).toBeGreaterThan(0);
  expect(totalBytes).toBeGreaterThan(freeBytes);
});

it('reports its last scavenge', async () => {
  const before = (await lastScavenge(url))!.succeededAt ?? '';
  const server = url.replace(/^\w+:\/\//, 'http://').replace(/\?.*/, '');
  const asked = await fetch(`${server}/admin/scavenge`, { method: 'POST' });
  expect(asked.ok).toBe(true);
  await until(async () => ((await lastScavenge(url))?.succeededAt ?? '') > before, 'its end');
  const log = eventstoreDbStore({ url });
  try {
    // A busy server may omit its disk once.
    const detail = async () => (await eventStoreFinding(url, log)).detail;
    await expect.poll(detail, { timeout: 60_000 }).toMatch(/GiB free.*(scavenged 0 days ago|only)/);
  } finally {
    await log.close();
  }
});

it('is exported as metrics', async () => {
  const metrics = metricsOf({ process: false });
  const log = eventstoreDbStore({ url });
  try {
    const condition = await onceDiskIsKnown(() => eventStoreCondition(url, log));
    conditionMetrics(metrics).eventStore(condition);
    const shown = await metrics.print();
    expect(shown).toMatch(/^atrium_eventstore_leader 1$/m);
    expect(shown).toMatch(/^atrium_eventstore_servers_down 0$/m);
    expect(shown).toMatch(/^atrium_eventstore_disk_free_bytes [1-9]/m);
    expect(shown).toMatch(/^atrium_eventstore_scavenge_failed 0$/m);
  } finally {
    await log.close();
  }
});

it('of an unreachable server is an error', async () => {
  const gone = 'esdb://127.0.0.1:1?tls=false';
  await expect(eventStoreServers(gone)).rejects.toThrow(/REFUSED|promises/i);
});
