/** The configuration from the environment, read once at the start. */
import { join, resolve } from 'node:path';
import { developmentIssuerRefusal } from '../identity/development/issuer.ts';
import { issuerRefusal } from '../identity/oidc/token-check.ts';
import type { FilesPlace, S3Address, ScannerAddress } from '../files/place.ts';
import { SHUTDOWN_DELAY_DEFAULT_S } from '../limits.ts';
import type { LogFormat } from '../engine/observe/log-destination.ts';
import type { TracingSettings } from '../engine/observe/open-telemetry.ts';
import type { Env, Environment, Role } from './values.ts';
import { unsafeInProduction } from './unsafe.ts';
import { BadConfiguration, valueOf, variables } from './variables.ts';

export interface Config {
  readonly host: string;
  readonly port: number;
  /** Port of `/metrics`; `null`: {@link port}, outside production. */
  readonly metricsPort: number | null;
  /** Where other processes reach this one's listener; `null`: unknown. */
  readonly processUrl: string | null;
  readonly environment: Environment;
  /** Absolute. Embedded Postgres, development issuer's key, secrets key. */
  readonly dataDirectory: string;
  /** 32 bytes each; the first seals, all open. `null`: generated (development only). */
  readonly secretsKeys: readonly Buffer[] | null;
  /** The bytes of attachments. */
  readonly files: FilesPlace;
  readonly backup: BackupConfig;
  /** Pictures keep metadata of place, time and owner. */
  readonly filesKeepMetadata: boolean;
  /** The `clamd` that scans files before they are accepted. `null`: none. */
  readonly filesScanner: ScannerAddress | null;
  /** `null`: the embedded Postgres under {@link dataDirectory}. */
  readonly databaseUrl: string | null;
  /** `null`: the log is stored in the database. */
  readonly eventstoreUrl: string | null;
  /** `null`: the development issuer inside this process. */
  readonly oidcIssuer: string | null;
  readonly oidcAudience: string;
  /** Without a trailing slash. */
  readonly publicUrl: string;
  /** The address of a sandbox after its slug, with the port. */
  readonly sandboxHost: string;
  /** `null`: the server of the platform's own database. */
  readonly sandboxDatabaseUrl: string | null;
  readonly sandboxBytesMax: number;
  readonly sandboxHostBytesMax: number;
  readonly corsOrigins: readonly string[];
  readonly roles: ReadonlySet<Role>;
  readonly spacesPageMax: number;
  /** Prefix of every subject of the internal bus. */
  readonly busPrefix: string;
  /** `null`: the log is the bus. */
  readonly nats: NatsConfig | null;
  /** `null`: telemetry is kept for ever. */
  readonly telemetryRetentionDays: number | null;
  /** Addresses and networks whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  /** Allows webhooks over http, to loopback and to private addresses. Development only. */
  readonly webhookAllowPrivate: boolean;
  /** Whether agents call tools at `/mcp`. */
  readonly servesMcp: boolean;
  /** `null`: no tracing. */
  readonly tracing: TracingSettings | null;
  /** How long a stopping server continues to serve while it is not ready. */
  readonly shutdownDelayMs: number;
  readonly logLevel: string;
  readonly logFormat: LogFormat;
  /** The commit that this release was built from. `null`: read where there is a checkout. */
  readonly commit: string | null;
}

/** Destination and schedule of backups. */
export interface BackupConfig {
  /** `null`: no backups. */
  readonly place: FilesPlace | null;
  /** Public keys of age, sorted. */
  readonly recipients: readonly string[];
  /** Interval of the server's own backups; `null`: it makes none. */
  readonly everyMs: number | null;
  /** Number of backups that are kept. */
  readonly kept: number;
}

/** How NATS is reached. */
export interface NatsConfig {
  readonly servers: readonly string[];
  readonly credentialsFile: string | null;
  readonly caFile: string | null;
  readonly certFile: string | null;
  readonly keyFile: string | null;
  readonly replicas: number;
}

/** Read by the command-line client and the SDK, not by the server. */
const foreign = new Set([
  'ATRIUM_URL',
  'ATRIUM_TOKEN',
  'ATRIUM_PROFILE',
  'ATRIUM_SANDBOX_URL',
  'ATRIUM_TEST_SEED',
]);

/**
 * The configuration of `env`, frozen.
 *
 * @throws {@link BadConfiguration} naming the first invalid variable, or an unknown `ATRIUM_*` one:
 *   a typing error would otherwise silently use the default.
 */
export const configOf = (env: Env): Config => {
  const unknown = Object.keys(env).find(
    (name) => name.startsWith('ATRIUM_') && !(name in variables) && !foreign.has(name),
  );
  if (unknown !== undefined) throw new BadConfiguration(`${unknown}: no such variable`);

  const environment = valueOf('ATRIUM_ENV', env);
  const publicUrl = valueOf('PUBLIC_URL', env);
  const shutdownDelayDefaultS = environment === 'production' ? SHUTDOWN_DELAY_DEFAULT_S : 0;
  const shutdownDelayS = valueOf('SHUTDOWN_DELAY_S', env) ?? shutdownDelayDefaultS;
  const config: Config = {
    host: valueOf('HOST', env),
    port: valueOf('PORT', env),
    metricsPort: valueOf('METRICS_PORT', env),
    processUrl: valueOf('PROCESS_URL', env),
    environment,
    dataDirectory: resolve(valueOf('ATRIUM_DATA', env)),
    files: filesOf(env),
    backup: backupOf(env),
    secretsKeys: valueOf('ATRIUM_SECRETS_KEY', env),
    filesKeepMetadata: valueOf('FILES_KEEP_METADATA', env),
    filesScanner: valueOf('FILES_SCANNER', env),
    databaseUrl: valueOf('DATABASE_URL', env),
    eventstoreUrl: valueOf('EVENTSTORE_URL', env),
    oidcIssuer: valueOf('OIDC_ISSUER', env),
    oidcAudience: valueOf('OIDC_AUDIENCE', env),
    publicUrl,
    sandboxHost: valueOf('SANDBOX_HOST', env),
    sandboxDatabaseUrl: valueOf('SANDBOX_DATABASE_URL', env),
    sandboxBytesMax: valueOf('SANDBOX_BYTES_MAX', env),
    sandboxHostBytesMax: valueOf('SANDBOX_HOST_BYTES_MAX', env),
    corsOrigins: valueOf('CORS_ORIGINS', env) ?? [new URL(publicUrl).origin],
    roles: valueOf('ATRIUM_ROLES', env),
    spacesPageMax: valueOf('SPACES_LIMIT_CAP', env),
    busPrefix: valueOf('BUS_PREFIX', env),
    nats: natsOf(env),
    telemetryRetentionDays: valueOf('TELEMETRY_RETENTION_DAYS', env),
    trustedProxies: valueOf('TRUSTED_PROXIES', env),
    webhookAllowPrivate: valueOf('WEBHOOK_ALLOW_PRIVATE', env),
    servesMcp: valueOf('ATRIUM_MCP', env),
    tracing: tracingOf(env),
    shutdownDelayMs: shutdownDelayS * 1_000,
    logLevel: valueOf('LOG_LEVEL', env),
    logFormat: valueOf('LOG_FORMAT', env),
    commit: valueOf('ATRIUM_COMMIT', env),
  };
  refuseUnsafe(config);
  return Object.freeze(config);
};

/** Invalid settings stop the start even if tracing is off. */
const tracingOf = (env: Env): TracingSettings | null => {
  const base = valueOf('OTEL_EXPORTER_OTLP_ENDPOINT', env);
  const tracing = {
    endpoint: valueOf('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', env) ?? `${base}/v1/traces`,
    sampling: {
      sampler: valueOf('OTEL_TRACES_SAMPLER', env),
      ratio: valueOf('OTEL_TRACES_SAMPLER_ARG', env),
    },
    serviceName: valueOf('OTEL_SERVICE_NAME', env),
    queueSpansMax: valueOf('OTEL_BSP_MAX_QUEUE_SIZE', env),
    sendEveryMs: valueOf('OTEL_BSP_SCHEDULE_DELAY', env),
  };
  const isOff = valueOf('OTEL_SDK_DISABLED', env);
  return valueOf('OTEL_TRACES_EXPORTER', env) === 'otlp' && !isOff ? tracing : null;
};

const filesOf = (env: Env): FilesPlace =>
  placeOf(
    'FILES_URL',
    valueOf('FILES_URL', env) ?? join(resolve(valueOf('ATRIUM_DATA', env)), 'files'),
    env,
  );

const placeOf = (name: string, place: string | S3Address, env: Env): FilesPlace => {
  if (typeof place === 'string') return { kind: 'directory', directory: place };
  const accessKeyId = valueOf('AWS_ACCESS_KEY_ID', env);
  const secretAccessKey = valueOf('AWS_SECRET_ACCESS_KEY', env);
  if (accessKeyId === null || secretAccessKey === null)
    throw new BadConfiguration(`${name}: s3:// needs AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY`);
  return { kind: 's3', address: place, credentials: { accessKeyId, secretAccessKey } };
};

const backupOf = (env: Env): BackupConfig => {
  const url = valueOf('BACKUP_URL', env);
  const backup = {
    place: url === null ? null : placeOf('BACKUP_URL', url, env),
    recipients: valueOf('BACKUP_RECIPIENT', env) ?? [],
    everyMs: valueOf('BACKUP_SCHEDULE', env),
    kept: valueOf('BACKUP_KEEP', env),
  };
  if (backup.everyMs !== null && (backup.place === null || backup.recipients.length === 0))
    throw new BadConfiguration('BACKUP_SCHEDULE: needs BACKUP_URL and BACKUP_RECIPIENT');
  return backup;
};

const natsOf = (env: Env): NatsConfig | null => {
  const servers = valueOf('NATS_URL', env);
  const nats = {
    credentialsFile: valueOf('NATS_CREDENTIALS', env),
    caFile: valueOf('NATS_TLS_CA', env),
    certFile: valueOf('NATS_TLS_CERT', env),
    keyFile: valueOf('NATS_TLS_KEY', env),
    replicas: valueOf('NATS_REPLICAS', env),
  };
  if ((nats.certFile === null) !== (nats.keyFile === null))
    throw new BadConfiguration('NATS_TLS_CERT: needs NATS_TLS_KEY, and NATS_TLS_KEY needs it');
  return servers && { servers, ...nats };
};

/** Refuses combinations that would expose the server by accident. */
const refuseUnsafe = (config: Config): void => {
  if (config.environment === 'production') {
    const unsafe = unsafeInProduction(config);
    if (unsafe !== null) throw new BadConfiguration(unsafe);
  }
  if (config.metricsPort === config.port)
    throw new BadConfiguration('METRICS_PORT: must be another port than PORT');
  const { environment, host, oidcIssuer } = config;
  const refusal =
    oidcIssuer === null
      ? developmentIssuerRefusal({ environment, host })
      : issuerRefusal(oidcIssuer, environment);
  if (refusal !== null) throw new BadConfiguration(refusal);
};

/** Directory of the embedded Postgres's cluster. */
export const postgresDirectory = (config: Config): string => join(config.dataDirectory, 'postgres');

/** File of the development key that seals secrets. */
export const secretsKeyFile = ({ dataDirectory }: Pick<Config, 'dataDirectory'>): string =>
  join(dataDirectory, 'secrets.key');
