/** The results of probes as metrics. An unknown value is absent. */
import { Gauge } from 'prom-client';
import type { MetricRegistry } from '../../engine/observe/metrics.ts';
import type { NatsUsage } from '../../bus/nats/usage.ts';
import { skewOf, type ClockReading } from './clocks.ts';
import type { CertificateReading } from './certificates.ts';
import type { DatabaseConnections } from './database-connections.ts';
import { sealedKinds, type SealingKeys } from './secret-keys.ts';
import { hasLeader, type EventStoreCondition } from './eventstore-condition.ts';

/** Each method sets a metric; `null`: the value is unknown. */
export interface ConditionMetrics {
  certificates(found: readonly CertificateReading[] | null): void;
  connections(found: DatabaseConnections | null): void;
  eventStore(found: EventStoreCondition | null): void;
  secretKeys(found: SealingKeys | null): void;
  /** The number of lost keys of persons. */
  personKeys(found: number | null): void;
  natsAccount(found: NatsUsage | null): void;
  clock(clock: 'database' | 'issuer', found: ClockReading | null): void;
}

export const conditionMetrics = ({ registry }: MetricRegistry): ConditionMetrics => {
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) => {
    const made = new Gauge({ name, help, labelNames, registers: [registry] });
    // Without labels it would begin at 0.
    if (labelNames.length === 0) made.remove();
    return made;
  };
  const set = (one: Gauge, value: number | null) => {
    if (value === null) one.remove();
    else one.set(value);
  };
  const expiry = gauge(
    'atrium_certificate_expiry_timestamp_seconds',
    'When the first certificate ends that a variable of the configuration leads to, by variable',
    'part',
  );
  const readable = gauge(
    'atrium_certificate_readable',
    '1 if the certificates that a variable of the configuration leads to can be read, else 0',
    'part',
  );
  const connections = gauge(
    'atrium_database_connections',
    'Connections to Postgres of all clients, by the tightest of its bounds',
  );
  const connectionsMax = gauge(
    'atrium_database_connections_max',
    'That bound: of the server, of the database or of the login',
  );
  const leader = gauge('atrium_eventstore_leader', '1 if a server of EventStoreDB leads, else 0');
  const down = gauge('atrium_eventstore_servers_down', 'Servers of EventStoreDB that are down');
  const diskFree = gauge(
    'atrium_eventstore_disk_free_bytes',
    'Free space of the fullest disk of an EventStoreDB server',
  );
  const diskSize = gauge('atrium_eventstore_disk_size_bytes', 'Size of that disk');
  const scavenged = gauge(
    'atrium_eventstore_scavenged_timestamp_seconds',
    'When a scavenge of EventStoreDB last succeeded, else when the log began',
  );
  const scavengeFailed = gauge(
    'atrium_eventstore_scavenge_failed',
    '1 if the last scavenge of EventStoreDB failed, else 0',
  );
  const closed = gauge(
    'atrium_secrets_keys_missing',
    'Keys of ATRIUM_SECRETS_KEY that are missing or wrong, by what they sealed',
    'sealed',
  );
  const lostKeys = gauge(
    'atrium_person_keys_lost',
    'Keys of persons that events refer to and that are gone though no erasure destroyed them',
  );
  const accountBytes = gauge(
    'atrium_bus_account_bytes',
    "Storage of all streams of the broker's account",
  );
  const accountMax = gauge(
    'atrium_bus_account_bytes_max',
    "Limit of the account's storage; absent if unlimited",
  );
  const skew = gauge(
    'atrium_clock_skew_seconds',
    "How far another clock is ahead of this process's, by clock; below 0: behind",
    'clock',
  );

  return {
    certificates(found) {
      for (const gone of [expiry, readable]) gone.reset();
      for (const [part = '', readings] of Map.groupBy(found ?? [], (one) => one.part)) {
        const ends = readings.flatMap(({ endMs }) => endMs ?? []);
        readable.set({ part }, ends.length === readings.length ? 1 : 0);
        if (ends.length > 0) expiry.set({ part }, Math.min(...ends) / 1_000);
      }
    },
    connections(found) {
      set(connections, found && found.used);
      set(connectionsMax, found && found.max);
    },
    eventStore(found) {
      const fullest = found?.servers
        .flatMap(({ disk }) => disk ?? [])
        .toSorted((a, b) => a.freeBytes / a.totalBytes - b.freeBytes / b.totalBytes)[0];
      const since = found?.scavenge && (found.scavenge.succeededAt ?? found.since);
      set(leader, found && Number(hasLeader(found.servers)));
      set(down, found && found.servers.filter(({ isAlive }) => !isAlive).length);
      set(diskFree, fullest?.freeBytes ?? null);
      set(diskSize, fullest?.totalBytes ?? null);
      set(scavenged, since ? Date.parse(since) / 1_000 : null);
      set(scavengeFailed, found?.scavenge ? Number(found.scavenge.failure !== null) : null);
    },
    secretKeys(found) {
      closed.reset();
      if (found === null) return;
      for (const sealed of sealedKinds) closed.set({ sealed }, found[sealed].closed.length);
    },
    personKeys: (found) => set(lostKeys, found),
    natsAccount(found) {
      set(accountBytes, found && found.account.bytes);
      set(accountMax, found && found.account.bytesMax);
    },
    clock(clock, found) {
      if (found === null) skew.remove({ clock });
      else skew.set({ clock }, skewOf(found) / 1_000);
    },
  };
};
