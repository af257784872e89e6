/**
 * Every variable that Atrium reads, its default and its meaning: the environment is read here,
 * once, and nowhere else. `docs/reference/environment.md` is checked against this table.
 */
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { developmentIssuerRefusal } from './identity/development/issuer.ts';
import { issuerRefusal } from './identity/oidc/token-check.ts';
import {
  BUS_PREFIX_CHARACTERS_MAX,
  SHUTDOWN_DELAY_DEFAULT_S,
  SHUTDOWN_DELAY_MAX_S,
  SPACES_PAGE_CAPPED_MAX,
  SPACES_PAGE_MAX,
  TELEMETRY_RETENTION_MAX_DAYS,
} from './limits.ts';

export type Environment = 'development' | 'production';
export type Role = 'api' | 'projections' | 'processes' | 'sandboxes';

export interface Config {
  readonly host: string;
  readonly port: number;
  /** Where `/metrics` is served; `null`: on {@link port}, outside production. */
  readonly metricsPort: number | null;
  /** Where other processes reach this one's listener; `null`: nowhere that is known. */
  readonly processUrl: string | null;
  readonly environment: Environment;
  /** Absolute. Embedded Postgres, development issuer's key, secrets key. */
  readonly dataDirectory: string;
  /** 32 bytes each; the first seals, all open. `null`: to be drawn (development only). */
  readonly secretsKeys: readonly Buffer[] | null;
  /** `null`: the embedded Postgres under {@link dataDirectory}. */
  readonly databaseUrl: string | null;
  /** `null`: the log is kept in the database. */
  readonly eventstoreUrl: string | null;
  /** `null`: the development issuer inside this process. */
  readonly oidcIssuer: string | null;
  readonly oidcAudience: string;
  /** Without a trailing slash. */
  readonly publicUrl: string;
  /** What follows the slug in the address of a sandbox, with its port. */
  readonly sandboxHost: string;
  /** `null`: where the platform's own database is. */
  readonly sandboxDatabaseUrl: string | null;
  readonly corsOrigins: readonly string[];
  readonly roles: ReadonlySet<Role>;
  readonly spacesPageMax: number;
  /** Before every subject of the internal bus. */
  readonly busPrefix: string;
  /** `null`: the log is the bus. */
  readonly nats: NatsConfig | null;
  /** `null`: telemetry is kept. */
  readonly telemetryRetentionDays: number | null;
  /** Addresses and networks whose `X-Forwarded-For` counts. */
  readonly trustedProxies: readonly string[];
  /** Webhooks over http, to loopback and to private addresses. Development alone. */
  readonly webhookAllowPrivate: boolean;
  /** `null`: nothing is traced. */
  readonly tracing: TracingConfig | null;
  /** How long a server that stops goes on serving once it is not ready. */
  readonly shutdownDelayMs: number;
  readonly logLevel: string;
}

/** Where the spans of traced requests go. The names of its variables are OpenTelemetry's own. */
export interface TracingConfig {
  /** OTLP over HTTP, as JSON: `http://localhost:4318/v1/traces`. */
  readonly endpoint: string;
  readonly sampling: Sampling;
  readonly serviceName: string;
  /** Spans that wait to be sent; further ones are lost. */
  readonly queueSpansMax: number;
  /** How long they wait for others, unless there are enough for a batch. */
  readonly sendEveryMs: number;
}

export interface Sampling {
  readonly sampler: SamplerName;
  /** 0 to 1: of the samplers by ratio. */
  readonly ratio: number;
}

export type SamplerName =
  | 'always_on'
  | 'always_off'
  | 'traceidratio'
  | 'parentbased_always_on'
  | 'parentbased_always_off'
  | 'parentbased_traceidratio';

/** How NATS is reached. */
export interface NatsConfig {
  readonly servers: readonly string[];
  readonly credentialsFile: string | null;
  readonly caFile: string | null;
  readonly certFile: string | null;
  readonly keyFile: string | null;
  readonly replicas: number;
}

/** A value that stops the start. The message is the one line that names it. */
export class BadConfiguration extends Error {
  constructor(line: string) {
    super(line);
    this.name = 'BadConfiguration';
  }
}

type Env = Readonly<Record<string, string | undefined>>;
type Read<T> = (value: string, env: Env) => T;

interface Variable<T> {
  readonly about: string;
  /** As the documentation shows it. */
  readonly shown: string;
  readonly fallback: (env: Env) => T;
  readonly read: Read<T>;
}

const oneOf =
  <T extends string>(...allowed: readonly T[]): Read<T> =>
  (value) => {
    if ((allowed as readonly string[]).includes(value)) return value as T;
    throw new Error(`must be one of ${allowed.join(', ')}`);
  };

const wholeNumber =
  (min: number, max: number): Read<number> =>
  (value) => {
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= min && number <= max) return number;
    throw new Error(`must be a whole number from ${min} to ${max}`);
  };

const ratio: Read<number> = (value) => {
  if (/^(0|1|0?\.\d+|[01]\.0+)$/.test(value)) return Number(value);
  throw new Error('must be a number from 0 to 1');
};

const address =
  (...protocols: readonly string[]): Read<string> =>
  (value) => {
    if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
      throw new Error(`must be a URL that begins with ${protocols.join('// or ')}//`);
    }
    return value.replace(/\/+$/, '');
  };

/** Several hosts may stand in it, so that it is no URL to a URL parser; its own client reads it. */
const connectionString: Read<string> = (value) => {
  if (
    !/^(esdb|kurrentdb|kurrent)(\+discover)?:\/\/([^@/?#\s]+@)?[^@/?#\s]+\/?(\?\S*)?$/.test(value)
  )
    throw new Error('must be a connection string that begins with esdb:// or kurrentdb://');
  if (!/^[^/]+:\/\/[^@/?:]+:[^@/?]+@/.test(value) && !/[?&]tls=false(&|$)/i.test(value))
    throw new Error('must name user:password@, or say ?tls=false where the server has no TLS');
  return value;
};

const list: Read<readonly string[]> = (value) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

const networks: Read<readonly string[]> = (value, env) => {
  const all = list(value, env);
  for (const network of all) {
    const [ip = '', bits = '', ...rest] = network.split('/');
    const bitsMax = isIP(ip) === 6 ? 128 : 32;
    const whole = bits === '' ? !network.includes('/') : /^\d{1,3}$/.test(bits);
    if (isIP(ip) === 0 || !whole || Number(bits) > bitsMax || rest.length > 0) {
      throw new Error('must be addresses or CIDRs, comma-separated');
    }
  }
  return all;
};

/** An address to which paths are added. */
const baseAddress: Read<string> = (value, env) => {
  const base = address('https:', 'http:')(value, env);
  const { search, hash } = new URL(base);
  if (search !== '' || hash !== '') throw new Error('must have no query and no fragment');
  return base;
};

/** As it stands in a `Host` header. */
const hostAndPort: Read<string> = (value) => {
  if (/^[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/i.test(value)) return value.toLowerCase();
  throw new Error('must be a host name, with a port where it is not the usual one');
};

const roleNames: readonly Role[] = ['api', 'projections', 'processes', 'sandboxes'];

const rolesOf: Read<ReadonlySet<Role>> = (value, env) => {
  const named = list(value, env).map((name) => oneOf(...roleNames)(name, env));
  if (named.length === 0) throw new Error(`must name at least one of ${roleNames.join(', ')}`);
  return new Set(named);
};

/** Words with dots between them, as the subjects of a broker are. */
const subjectPrefix: Read<string> = (value) => {
  if (value.length <= BUS_PREFIX_CHARACTERS_MAX && /^[\w-]+(\.[\w-]+)*$/.test(value)) return value;
  throw new Error(
    `must be words of letters, digits, - and _ with dots between, ` +
      `at most ${BUS_PREFIX_CHARACTERS_MAX} characters`,
  );
};

/** Each by itself a URL; all of them are one cluster, so that one names who we are. */
const natsServers: Read<readonly string[]> = (value, env) => {
  const servers = list(value, env);
  const host = String.raw`(\[[\da-f:]+\]|[\w.-]+)(:\d{1,5})?`;
  const form = new RegExp(`^(nats|tls)://([^@/?#\\s]+@)?${host}/?$`, 'i');
  const fits = (server: string) => form.test(server) && URL.canParse(server);
  if (servers.length > 0 && servers.every(fits)) return servers;
  throw new Error('must be nats:// or tls:// URLs of one cluster, comma-separated');
};

/** What is in it is read when it is needed. */
const path: Read<string> = (value) => resolve(value);

const keysOf: Read<readonly Buffer[]> = (value, env) =>
  list(value, env).map((text) => {
    const key = Buffer.from(text, 'base64');
    if (key.length !== 32) throw new Error('must be 32-byte keys in base64, comma-separated');
    return key;
  });

const environmentOf = (env: Env): Environment =>
  env['NODE_ENV'] === 'production' ? 'production' : 'development';

/** `null` where the port is drawn: it is not known before it listens. */
const processUrlOf = (env: Env): string | null => {
  const host = env['HOST'] || '127.0.0.1';
  const isEverywhere = host === '0.0.0.0' || host === '::';
  const name = isEverywhere ? hostname() : isIP(host) === 6 ? `[${host}]` : host;
  return portOf(env) === 0 ? null : `http://${name}:${portOf(env)}`;
};

const portOf = (env: Env) => Number(env['PORT'] ?? 4000);

const samplerNames: readonly SamplerName[] = [
  'parentbased_always_on',
  'parentbased_traceidratio',
  'parentbased_always_off',
  'always_on',
  'traceidratio',
  'always_off',
];

const otlpEndpoints = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];

/** In the order of the documentation. */
export const variables = {
  HOST: {
    about: 'The address the listener binds.',
    shown: '`127.0.0.1`',
    fallback: () => '127.0.0.1',
    read: (value: string) => value,
  },
  PORT: {
    about: 'The port the listener binds.',
    shown: '`4000`',
    fallback: () => 4000,
    read: wholeNumber(0, 65_535),
  },
  METRICS_PORT: {
    about: 'The port where `/metrics` is served, and nothing else is.',
    shown: 'none: on `PORT`; in production nowhere',
    fallback: () => null,
    read: wholeNumber(1, 65_535),
  },
  ATRIUM_ENV: {
    about: 'What is allowed: `development` or `production`.',
    shown: '`development`; `production` where `NODE_ENV=production`',
    fallback: environmentOf,
    read: oneOf('development', 'production'),
  },
  ATRIUM_DATA: {
    about: "The embedded Postgres, the development issuer's key and the secrets key (0600).",
    shown: '`.atrium`',
    fallback: () => '.atrium',
    read: (value: string) => value,
  },
  ATRIUM_SECRETS_KEY: {
    about: '32-byte keys in base64, comma-separated: the first seals, all open.',
    shown: 'drawn once in development; required in production',
    fallback: () => null,
    read: keysOf,
  },
  DATABASE_URL: {
    about: 'Postgres for read models, graph and, without `EVENTSTORE_URL`, the log.',
    shown: 'the embedded Postgres',
    fallback: () => null,
    read: address('postgres:', 'postgresql:'),
  },
  EVENTSTORE_URL: {
    about: 'Connection string of an EventStoreDB or KurrentDB that keeps the log.',
    shown: 'none: the log is kept in Postgres',
    fallback: () => null,
    read: connectionString,
  },
  OIDC_ISSUER: {
    about: 'The OpenID Connect issuer that signs portal sessions.',
    shown: 'the development issuer; required in production',
    fallback: () => null,
    read: address('https:', 'http:'),
  },
  OIDC_AUDIENCE: {
    about: 'What the `aud` of an access token must contain.',
    shown: '`atrium`',
    fallback: () => 'atrium',
    read: (value: string) => value,
  },
  PUBLIC_URL: {
    about: 'The address told to callers.',
    shown: '`http://localhost:PORT`',
    fallback: (env: Env) => `http://localhost:${portOf(env)}`,
    read: baseAddress,
  },
  SANDBOX_HOST: {
    about: 'Addresses of sandboxes are `http(s)://<slug>.<SANDBOX_HOST>`.',
    shown: '`sandbox.localhost:PORT`',
    fallback: (env: Env) => `sandbox.localhost:${portOf(env)}`,
    read: hostAndPort,
  },
  PROCESS_URL: {
    about: "Where other processes with the role `sandboxes` reach this one's listener.",
    shown: '`http://HOST:PORT`, with the name of the machine where `HOST` is `0.0.0.0` or `::`',
    fallback: processUrlOf,
    read: baseAddress,
  },
  SANDBOX_DATABASE_URL: {
    about: 'Postgres server for the databases of sandboxes; its login needs CREATEDB.',
    shown: '`DATABASE_URL`',
    fallback: () => null,
    read: address('postgres:', 'postgresql:'),
  },
  CORS_ORIGINS: {
    about: 'Origins of browser callers, comma-separated.',
    shown: '`PUBLIC_URL`',
    fallback: () => null,
    read: list,
  },
  ATRIUM_ROLES: {
    about: 'What this process does, comma-separated.',
    shown: '`api,projections,processes,sandboxes`',
    fallback: () => new Set<Role>(roleNames),
    read: rolesOf,
  },
  SPACES_LIMIT_CAP: {
    about: 'Largest page of the spaces list: 1000 or 100.',
    shown: '`1000`',
    fallback: () => SPACES_PAGE_MAX,
    read: (value: string, env: Env) =>
      Number(oneOf(String(SPACES_PAGE_MAX), String(SPACES_PAGE_CAPPED_MAX))(value, env)),
  },
  BUS_PREFIX: {
    about: 'Before every subject of the internal bus.',
    shown: '`atrium`',
    fallback: () => 'atrium',
    read: subjectPrefix,
  },
  NATS_URL: {
    about:
      'NATS as the bus: `nats://` or `tls://` URLs of one cluster, comma-separated; ' +
      '`user:password@` or `token@` may stand before the host.',
    shown: 'none: the log is the bus',
    fallback: () => null,
    read: natsServers,
  },
  NATS_CREDENTIALS: {
    about: 'File with credentials for NATS: a `.creds` file, or the seed of an nkey.',
    shown: 'none',
    fallback: () => null,
    read: path,
  },
  NATS_TLS_CA: {
    about: 'File with the certificates (PEM) of those who sign the certificates of NATS.',
    shown: "Node's own",
    fallback: () => null,
    read: path,
  },
  NATS_TLS_CERT: {
    about: 'File with the certificate (PEM) that NATS is shown.',
    shown: 'none',
    fallback: () => null,
    read: path,
  },
  NATS_TLS_KEY: {
    about: 'File with the key (PEM) of `NATS_TLS_CERT`.',
    shown: 'none',
    fallback: () => null,
    read: path,
  },
  NATS_REPLICAS: {
    about: 'Servers of the cluster that keep the streams, where Atrium makes them: 1, 3 or 5.',
    shown: '`1`',
    fallback: () => 1,
    read: (value: string, env: Env) => Number(oneOf('1', '3', '5')(value, env)),
  },
  TELEMETRY_RETENTION_DAYS: {
    about: 'Observations older than so many days are forgotten, by whole months.',
    shown: 'none: all are kept',
    fallback: () => null,
    read: wholeNumber(1, TELEMETRY_RETENTION_MAX_DAYS),
  },
  TRUSTED_PROXIES: {
    about: 'Addresses or CIDRs, comma-separated, whose `X-Forwarded-For` counts.',
    shown: 'none',
    fallback: () => [] as readonly string[],
    read: networks,
  },
  WEBHOOK_ALLOW_PRIVATE: {
    about: 'Webhooks over http, to loopback and private addresses: development only.',
    shown: '`false`',
    fallback: () => false,
    read: (value: string, env: Env) => oneOf('true', 'false')(value, env) === 'true',
  },
  SHUTDOWN_DELAY_S: {
    about: 'A server that is told to stop serves on for so long, not ready, for load balancers.',
    shown: '`0`; `5` in production',
    fallback: () => null,
    read: wholeNumber(0, SHUTDOWN_DELAY_MAX_S),
  },
  LOG_LEVEL: {
    about: 'pino level.',
    shown: '`info`',
    fallback: () => 'info',
    read: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  },
  OTEL_TRACES_EXPORTER: {
    about: 'Whether requests are traced: `otlp` or `none`.',
    shown: '`otlp` where one of the two next is set, else `none`',
    fallback: (env: Env) => (otlpEndpoints.some((name) => env[name]) ? 'otlp' : 'none'),
    read: oneOf('otlp', 'none'),
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    about: 'The collector that spans are sent to, as JSON over HTTP; `/v1/traces` is added.',
    shown: '`http://localhost:4318`',
    fallback: () => 'http://localhost:4318',
    read: baseAddress,
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
    about: 'The same in full, with nothing added.',
    shown: 'none',
    fallback: () => null,
    read: address('https:', 'http:'),
  },
  OTEL_TRACES_SAMPLER: {
    about: `Which requests are traced: ${samplerNames.map((name) => `\`${name}\``).join(', ')}.`,
    shown: '`parentbased_always_on`',
    fallback: () => 'parentbased_always_on' as const,
    read: oneOf(...samplerNames),
  },
  OTEL_TRACES_SAMPLER_ARG: {
    about: 'The share of them that the samplers by ratio take, from 0 to 1.',
    shown: '`1`',
    fallback: () => 1,
    read: ratio,
  },
  OTEL_SERVICE_NAME: {
    about: 'What the spans say they come from.',
    shown: '`atrium`',
    fallback: () => 'atrium',
    read: (value: string) => value,
  },
  OTEL_BSP_MAX_QUEUE_SIZE: {
    about: 'How many spans wait to be sent; further ones are lost.',
    shown: '`2048`',
    fallback: () => 2_048,
    read: wholeNumber(1, 1_000_000),
  },
  OTEL_BSP_SCHEDULE_DELAY: {
    about: 'How long spans wait for others, in milliseconds, unless there are 512.',
    shown: '`5000`',
    fallback: () => 5_000,
    read: wholeNumber(1, 3_600_000),
  },
  OTEL_SDK_DISABLED: {
    about: 'Traces nothing, whatever the others say.',
    shown: '`false`',
    fallback: () => false,
    read: (value: string, env: Env) => oneOf('true', 'false')(value, env) === 'true',
  },
} as const satisfies Record<string, Variable<unknown>>;

/** Read by the command-line client, not by the server. */
const foreign = new Set(['ATRIUM_URL', 'ATRIUM_TOKEN', 'ATRIUM_PROFILE']);

/**
 * The configuration that `env` describes, frozen.
 *
 * @throws {@link BadConfiguration} naming the first variable that is wrong, or an `ATRIUM_*` one
 *   that nobody reads: a typing error there would otherwise pass for a default.
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
    secretsKeys: valueOf('ATRIUM_SECRETS_KEY', env),
    databaseUrl: valueOf('DATABASE_URL', env),
    eventstoreUrl: valueOf('EVENTSTORE_URL', env),
    oidcIssuer: valueOf('OIDC_ISSUER', env),
    oidcAudience: valueOf('OIDC_AUDIENCE', env),
    publicUrl,
    sandboxHost: valueOf('SANDBOX_HOST', env),
    sandboxDatabaseUrl: valueOf('SANDBOX_DATABASE_URL', env),
    corsOrigins: valueOf('CORS_ORIGINS', env) ?? [publicUrl],
    roles: valueOf('ATRIUM_ROLES', env),
    spacesPageMax: valueOf('SPACES_LIMIT_CAP', env),
    busPrefix: valueOf('BUS_PREFIX', env),
    nats: natsOf(env),
    telemetryRetentionDays: valueOf('TELEMETRY_RETENTION_DAYS', env),
    trustedProxies: valueOf('TRUSTED_PROXIES', env),
    webhookAllowPrivate: valueOf('WEBHOOK_ALLOW_PRIVATE', env),
    tracing: tracingOf(env),
    shutdownDelayMs: shutdownDelayS * 1_000,
    logLevel: valueOf('LOG_LEVEL', env),
  };
  refuseUnsafe(config);
  return Object.freeze(config);
};

/** What is said wrong stops the start also where nothing is traced. */
const tracingOf = (env: Env): TracingConfig | null => {
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

/** Combinations that would open a door by accident. */
const refuseUnsafe = (config: Config): void => {
  if (config.environment === 'production') {
    if (config.secretsKeys === null) {
      throw new BadConfiguration('ATRIUM_SECRETS_KEY: required in production');
    }
    if (config.webhookAllowPrivate) {
      throw new BadConfiguration('WEBHOOK_ALLOW_PRIVATE: only with ATRIUM_ENV=development');
    }
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

type Values = { [K in keyof typeof variables]: ReturnType<(typeof variables)[K]['read']> };
type Fallbacks = { [K in keyof typeof variables]: ReturnType<(typeof variables)[K]['fallback']> };

const valueOf = <K extends keyof typeof variables>(name: K, env: Env): Values[K] | Fallbacks[K] => {
  const variable: Variable<unknown> = variables[name];
  const text = env[name];
  if (text === undefined || text === '') return variable.fallback(env) as Fallbacks[K];
  try {
    return variable.read(text, env) as Values[K];
  } catch (error) {
    throw new BadConfiguration(`${name}: ${(error as Error).message}`);
  }
};

/** Where the embedded Postgres keeps its cluster. */
export const postgresDirectory = (config: Config): string => join(config.dataDirectory, 'postgres');
