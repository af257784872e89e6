/** The probes of a server, as far as its configuration has the dependency. */
import type { Pool } from 'pg';
import { layoutOf } from '../../bus/nats/layout.ts';
import type { Config, NatsConfig } from '../../config/config.ts';
import type { EventStore } from '../../engine/log/event-store.ts';
import type { Logger } from '../../engine/observe/logging.ts';
import type { Secrets } from '../../engine/secrets/secrets.ts';
import { lostPersonKeys } from '../../projections/erasures/missing-keys.ts';
import {
  CERTIFICATES_LOOK_MS,
  CERTIFICATE_TIME_SHARE,
  CLOCKS_LOOK_MS,
  CONNECTIONS_LOOK_MS,
  EVENTSTORE_LOOK_MS,
  NATS_LOOK_MS,
  PERSON_KEYS_LOOK_MS,
  PROBE_MAX_MS,
  SECRET_KEYS_LOOK_MS,
} from '../limits.ts';
import { certificatesOf } from './certificates.ts';
import { databaseClock, issuerClock } from './clocks.ts';
import { databaseConnections } from './database-connections.ts';
import type { ConditionMetrics } from './metrics.ts';
import { probe, type AnyProbe } from './probes.ts';
import { sealingKeys } from './secret-keys.ts';

export interface ConditionParts {
  readonly config: Config;
  readonly pool: Pool;
  readonly log: Pick<EventStore, 'readAll'>;
  readonly secrets: Secrets;
  readonly metrics: ConditionMetrics;
  readonly logger: Pick<Logger, 'error'>;
}

/** The checks of `atrium doctor`, made by this process. */
export const conditionProbes = (parts: ConditionParts): readonly AnyProbe[] => {
  const { config, pool, log, secrets, metrics, logger } = parts;
  const { eventstoreUrl, nats, oidcIssuer } = config;
  const certificates = probe({
    name: 'certificates',
    everyMs: CERTIFICATES_LOOK_MS,
    look: () => certificatesOf(config, PROBE_MAX_MS * CERTIFICATE_TIME_SHARE),
    show: metrics.certificates,
  });
  const connections = probe({
    name: 'database-connections',
    everyMs: CONNECTIONS_LOOK_MS,
    look: () => databaseConnections(pool),
    show: metrics.connections,
  });
  const ownClock = probe({
    name: 'database-clock',
    everyMs: CLOCKS_LOOK_MS,
    look: () => databaseClock(pool),
    show: (found) => metrics.clock('database', found),
  });
  const secretKeys = probe({
    name: 'secrets-keys',
    everyMs: SECRET_KEYS_LOOK_MS,
    look: () => sealingKeys(pool, secrets),
    show: metrics.secretKeys,
  });
  const personKeys = probe({
    name: 'person-keys',
    everyMs: PERSON_KEYS_LOOK_MS,
    async look() {
      const lost = await lostPersonKeys(pool, log);
      if (lost > 0) logger.error({ lost }, 'keys of persons are lost');
      return lost;
    },
    show: metrics.personKeys,
  });
  return [
    certificates,
    connections,
    ownClock,
    secretKeys,
    personKeys,
    // The development issuer uses this process's clock.
    ...(oidcIssuer === null ? [] : [issuerProbe(oidcIssuer, metrics)]),
    ...(nats === null ? [] : [natsProbe(nats, config, metrics)]),
    ...(eventstoreUrl === null ? [] : [eventStoreProbe(eventstoreUrl, log, metrics)]),
  ];
};

const issuerProbe = (issuer: string, metrics: ConditionMetrics): AnyProbe =>
  probe({
    name: 'issuer-clock',
    everyMs: CLOCKS_LOOK_MS,
    look: (signal) => issuerClock(issuer, signal),
    show: (found) => metrics.clock('issuer', found),
  });

const natsProbe = (nats: NatsConfig, { busPrefix }: Config, metrics: ConditionMetrics): AnyProbe =>
  probe({
    name: 'nats-account',
    everyMs: NATS_LOOK_MS,
    async look() {
      // Loaded on demand, because the client takes long to load.
      const { natsUsage } = await import('../../bus/nats/usage.ts');
      return natsUsage(nats, layoutOf(busPrefix), PROBE_MAX_MS);
    },
    show: metrics.natsAccount,
  });

const eventStoreProbe = (
  url: string,
  log: ConditionParts['log'],
  metrics: ConditionMetrics,
): AnyProbe =>
  probe({
    name: 'eventstore',
    everyMs: EVENTSTORE_LOOK_MS,
    async look() {
      // Loaded on demand, because the client takes long to load.
      const { eventStoreCondition } = await import('./eventstore.ts');
      return eventStoreCondition(url, log);
    },
    show: metrics.eventStore,
  });
