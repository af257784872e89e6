/** Facts about a start: printed as lines on a terminal, logged as fields. */
import type { StartFacts } from '../config/banner.ts';
import type { Config } from '../config/config.ts';
import { builtFrom } from './commit.ts';
import { placeOf, placeOfDatabase } from './doctor/secrets.ts';
import manifest from '../../package.json' with { type: 'json' };

/** Addresses in it have neither users nor passwords. */
export const startFacts = (config: Config): StartFacts => {
  const { environment, publicUrl, host, port, metricsPort, roles, oidcIssuer } = config;
  const servesPages = roles.has('api');
  const isDevelopment = environment === 'development';
  return {
    version: manifest.version,
    commit: builtFrom(config),
    node: process.versions.node,
    environment,
    roles: [...roles].join(','),
    listener: `${host}:${port}`,
    log: config.eventstoreUrl === null ? 'in the database' : placeOf(config.eventstoreUrl),
    database:
      config.databaseUrl === null
        ? `embedded Postgres in ${placeOfDatabase(config)}`
        : placeOfDatabase(config),
    data: config.dataDirectory,
    portal: servesPages ? publicUrl : null,
    docs: servesPages ? `${publicUrl}/docs` : null,
    metrics:
      metricsPort !== null
        ? `http://${host}:${metricsPort}/metrics`
        : isDevelopment
          ? `${publicUrl}/metrics`
          : null,
    health: `${publicUrl}/health/ready`,
    issuer: oidcIssuer,
  };
};
