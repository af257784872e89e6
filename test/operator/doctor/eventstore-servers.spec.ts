/** Findings of the doctor on EventStoreDB servers; test/eventstore queries real ones. */
import { expect, it } from 'vitest';
import type { EventStoreServerState } from '../../../src/engine/log/eventstoredb/server-state.ts';
import { judgedServers } from '../../../src/operator/doctor/eventstore.ts';

const GIB = 1024 ** 3;
const server = (over: Partial<EventStoreServerState> = {}): EventStoreServerState => ({
  place: 'one:2113',
  state: 'Leader',
  isAlive: true,
  disk: { freeBytes: 50 * GIB, totalBytes: 100 * GIB },
  ...over,
});
const ago = (days: number) => new Date(Date.now() - days * 86_400_000 - 60_000).toISOString();
const scavenge = (days: number | null, failure: string | null = null) => ({
  succeededAt: days === null ? null : ago(days),
  failure,
});
const well = { servers: [server()], scavenge: scavenge(3), since: ago(90) };

it('a leader with free disk space, scavenged within a fortnight, is ok', () =>
  expect(judgedServers(well)).toEqual({
    status: 'ok',
    detail: 'one:2113: Leader, 50.0 GiB free, 50 %; scavenged 3 days ago',
  }));

it.each([
  ['no leader', { servers: [server({ state: 'Follower' })] }, 'failed', 'no server leads'],
  [
    'a full disk',
    { servers: [server({ disk: { freeBytes: 4 * GIB, totalBytes: 100 * GIB } })] },
    'failed',
    'one:2113: only 4.0 GiB free, 4 %',
  ],
  [
    'a server that is down',
    { servers: [server(), server({ place: 'two:2113', state: 'Unknown', isAlive: false })] },
    'warned',
    'two:2113 is not alive',
  ],
  ['no scavenge for weeks', { scavenge: scavenge(15) }, 'warned', 'scavenged 15 days ago'],
  ['no scavenge ever', { scavenge: scavenge(null) }, 'warned', 'never scavenged in 90 days'],
  [
    'a scavenge that failed',
    { scavenge: scavenge(1, 'Errored: no room') },
    'warned',
    'the last scavenge has failed: Errored: no room',
  ],
] as const)('%s is reported', (_, over, status, detail) =>
  expect(judgedServers({ ...well, ...over })).toEqual({ status, detail }),
);

it('a new log needs no scavenge, and a login without the permission is no finding', () => {
  const young = judgedServers({ ...well, scavenge: scavenge(null), since: ago(2) });
  expect(young).toMatchObject({ status: 'ok', detail: expect.stringContaining('never scavenged') });
  expect(judgedServers({ ...well, scavenge: null }).status).toBe('ok');
});
