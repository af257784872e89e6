/** The results of probes as metrics: absent where they are unknown. */
import { expect, it } from 'vitest';
import { metricsOf } from '../../../src/engine/observe/metrics.ts';
import { buildInfo } from '../../../src/operator/build-info.ts';
import {
  conditionMetrics,
  type ConditionMetrics,
} from '../../../src/operator/conditions/metrics.ts';

const shownBy = async (show: (metrics: ConditionMetrics) => void): Promise<readonly string[]> => {
  const metrics = metricsOf({ process: false });
  show(conditionMetrics(metrics));
  const printed = (await metrics.print()).split('\n');
  const ofConditions =
    /^atrium_(bus_account|certificate|database|eventstore|person_keys|secrets|clock)_\w+[ {]/;
  return printed.filter((line) => ofConditions.test(line)).toSorted();
};

it('has no figure before a probe, nor after a failed one', async () => {
  expect(await shownBy(() => {})).toEqual([]);
  const forgotten = await shownBy((metrics) => {
    metrics.certificates([{ part: 'PUBLIC_URL', place: 'a:443', endMs: 1_000, error: '' }]);
    metrics.certificates(null);
    metrics.connections({ used: 1, max: 2 });
    metrics.connections(null);
    metrics.eventStore({ servers: [], scavenge: null, since: null });
    metrics.eventStore(null);
    metrics.secretKeys({ webhooks: { open: [], closed: [] }, persons: { open: [], closed: [] } });
    metrics.secretKeys(null);
    metrics.personKeys(3);
    metrics.personKeys(null);
    metrics.natsAccount({ streams: [], account: { bytes: 5, bytesMax: 9 } });
    metrics.natsAccount(null);
    metrics.clock('issuer', reading);
    metrics.clock('issuer', null);
  });
  expect(forgotten).toEqual([]);
});

it('has the certificate that expires first, by variable, and the unreadable ones', async () => {
  const at = (part: 'PUBLIC_URL' | 'NATS_URL', place: string, endMs: number | null) => ({
    part,
    place,
    endMs,
    error: endMs === null ? 'it hung up' : '',
  });
  const shown = await shownBy(({ certificates }) =>
    certificates([
      at('PUBLIC_URL', 'a:443', null),
      at('NATS_URL', 'b:4222', 9_000),
      at('NATS_URL', 'c:4222', 8_000),
    ]),
  );
  expect(shown).toEqual([
    'atrium_certificate_expiry_timestamp_seconds{part="NATS_URL"} 8',
    'atrium_certificate_readable{part="NATS_URL"} 1',
    'atrium_certificate_readable{part="PUBLIC_URL"} 0',
  ]);
});

it('has the database connections and their bound', async () =>
  expect(await shownBy(({ connections }) => connections({ used: 20, max: 97 }))).toEqual([
    'atrium_database_connections 20',
    'atrium_database_connections_max 97',
  ]));

const reading = {
  whose: 'the issuer',
  atMs: 100_000,
  afterMs: 107_500,
  beforeMs: 107_600,
  coarseMs: 1_000,
} as const;

it('has the smallest skew of each clock, with its direction', async () => {
  const shown = await shownBy(({ clock }) => {
    clock('issuer', reading);
    clock('database', { ...reading, whose: 'Postgres', atMs: 109_600, coarseMs: 0 });
  });
  expect(shown).toEqual([
    'atrium_clock_skew_seconds{clock="database"} 2',
    'atrium_clock_skew_seconds{clock="issuer"} -6.5',
  ]);
});

it('has the storage of the NATS account, and its bound if any', async () => {
  const shown = (bytesMax: number | null) =>
    shownBy((of) => {
      of.natsAccount({ streams: [], account: { bytes: 7, bytesMax: 11 } });
      of.natsAccount({ streams: [], account: { bytes: 5, bytesMax } });
    });
  expect(await shown(9)).toEqual(['atrium_bus_account_bytes 5', 'atrium_bus_account_bytes_max 9']);
  expect(await shown(null)).toEqual(['atrium_bus_account_bytes 5']);
});

it('has the number of missing secrets keys, by the data they sealed', async () => {
  const shown = await shownBy(({ secretKeys }) =>
    secretKeys({
      webhooks: { open: ['a'], closed: [] },
      persons: { open: ['a'], closed: ['b', 'c'] },
    }),
  );
  expect(shown).toEqual([
    'atrium_secrets_keys_missing{sealed="persons"} 2',
    'atrium_secrets_keys_missing{sealed="webhooks"} 0',
  ]);
});

it('has the fullest disk, unavailable servers, and the last scavenge', async () => {
  const server = (freeBytes: number, isAlive: boolean, state: string) => ({
    place: `${freeBytes}:2113`,
    state,
    isAlive,
    disk: isAlive ? { freeBytes, totalBytes: 100 } : null,
  });
  const servers = [server(40, true, 'Leader'), server(30, true, 'Follower')];
  const since = '1970-01-01T00:00:10.000Z';
  const scavenge = { succeededAt: '1970-01-01T00:01:00.000Z', failure: null };
  expect(await shownBy((of) => of.eventStore({ servers, scavenge, since }))).toEqual([
    'atrium_eventstore_disk_free_bytes 30',
    'atrium_eventstore_disk_size_bytes 100',
    'atrium_eventstore_leader 1',
    'atrium_eventstore_scavenge_failed 0',
    'atrium_eventstore_scavenged_timestamp_seconds 60',
    'atrium_eventstore_servers_down 0',
  ]);
  const down = [server(40, false, 'Leader'), server(30, true, 'Follower')];
  const never = { succeededAt: null, failure: 'Errored' };
  expect(await shownBy((of) => of.eventStore({ servers: down, scavenge: never, since }))).toEqual([
    'atrium_eventstore_disk_free_bytes 30',
    'atrium_eventstore_disk_size_bytes 100',
    'atrium_eventstore_leader 0',
    'atrium_eventstore_scavenge_failed 1',
    'atrium_eventstore_scavenged_timestamp_seconds 10',
    'atrium_eventstore_servers_down 1',
  ]);
  // Neither an empty log nor a login without the permission knows the last scavenge.
  const unknown = await shownBy((of) => {
    of.eventStore({ servers, scavenge, since });
    of.eventStore({ servers, scavenge: null, since });
  });
  expect(unknown.filter((line) => line.includes('scavenge'))).toEqual([]);
});

it('names the release, its commit and the log', async () => {
  const metrics = metricsOf({ process: false });
  buildInfo(metrics, { commit: '4f2a9c1e', eventstoreUrl: 'esdb://log:2113' });
  expect(await metrics.print()).toMatch(
    /^atrium_build_info{version="\d+\.\d+\.\d+",commit="4f2a9c1e",log="eventstoredb"} 1$/m,
  );
});

it('has the number of lost person keys', async () =>
  expect(await shownBy(({ personKeys }) => personKeys(2))).toEqual(['atrium_person_keys_lost 2']));
