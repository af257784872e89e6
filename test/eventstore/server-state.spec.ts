/** What a real EventStoreDB says of itself to operators. */
import { expect, inject, it } from 'vitest';
import { eventStoreServers, lastScavenge } from '../../src/engine/log/eventstoredb/server-state.ts';
import { eventstoreDbStore } from '../../src/engine/log/eventstoredb/store.ts';
import { eventStoreFinding } from '../../src/operator/doctor/eventstore.ts';
import { until } from '../support/until.ts';

const url = inject('eventstoreUrl');

it('has a leader, and the disk with its log', async () => {
  const servers = await eventStoreServers(url);
  expect(servers).toEqual([
    expect.objectContaining({ place: expect.stringMatching(/:\d+$/), state: 'Leader' }),
  ]);
  const { freeBytes, totalBytes } = servers[0]!.disk!;
  expect(freeBytes).toBeGreaterThan(0);
  expect(totalBytes).toBeGreaterThan(freeBytes);
});

it('remembers when it was scavenged', async () => {
  const before = (await lastScavenge(url))!.succeededAt ?? '';
  const server = url.replace(/^\w+:\/\//, 'http://').replace(/\?.*/, '');
  const asked = await fetch(`${server}/admin/scavenge`, { method: 'POST' });
  expect(asked.ok).toBe(true);
  await until(async () => ((await lastScavenge(url))?.succeededAt ?? '') > before, 'its end');
  const log = eventstoreDbStore({ url });
  try {
    const { detail } = await eventStoreFinding(url, log);
    expect(detail).toMatch(/GiB free/);
    expect(detail).toMatch(/scavenged 0 days ago|only/);
  } finally {
    await log.close();
  }
});

it('that nobody can ask is an error, not a silence', async () => {
  const gone = 'esdb://127.0.0.1:1?tls=false';
  await expect(eventStoreServers(gone)).rejects.toThrow(/REFUSED|promises/i);
});
