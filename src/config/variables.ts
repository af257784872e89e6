/** Every variable that Atrium reads: `docs/reference/environment.md` is generated from this. */
import {
  SANDBOX_BYTES_MAX_DEFAULT,
  SANDBOX_HOST_BYTES_MAX_DEFAULT,
} from '../domain/sandboxes/limits.ts';
import { logFormats } from '../engine/observe/log-destination.ts';
import {
  BACKUP_INTERVAL_MAX_MS,
  BACKUP_INTERVAL_MIN_MS,
  BACKUPS_KEPT_MAX,
  SHUTDOWN_DELAY_MAX_S,
  SPACES_PAGE_CAPPED_MAX,
  SPACES_PAGE_MAX,
  TELEMETRY_RETENTION_MAX_DAYS,
} from '../limits.ts';
import {
  type Env,
  type Read,
  type Role,
  address,
  ageRecipients,
  baseAddress,
  byteCount,
  commitId,
  connectionString,
  filesPlace,
  environmentOf,
  hostAndPort,
  interval,
  keysOf,
  natsServers,
  networks,
  oneOf,
  origins,
  path,
  portOf,
  processUrlOf,
  publicAddress,
  ratio,
  roleNames,
  rolesOf,
  samplerNames,
  scannerAddress,
  subjectPrefix,
  wholeNumber,
} from './values.ts';

/** An invalid value, which stops the start. The message names it in one line. */
export class BadConfiguration extends Error {
  constructor(line: string) {
    super(line);
    this.name = 'BadConfiguration';
  }
}

interface Variable<T> {
  readonly about: string;
  /** The default as in the documentation. */
  readonly shown: string;
  readonly fallback: (env: Env) => T;
  readonly read: Read<T>;
}

const otlpEndpoints = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];

/** All variables, in the order of the documentation. */
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
    about: 'The mode: `development` or `production`.',
    shown: '`development`; `production` where `NODE_ENV=production`',
    fallback: environmentOf,
    read: oneOf('development', 'production'),
  },
  ATRIUM_DATA: {
    about:
      "The embedded Postgres, attachments, the development issuer's key, the secrets key (0600).",
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
    about:
      'Postgres for read models, graph and, without `EVENTSTORE_URL`, the log: ' +
      '[what it needs](../operating/your-own-postgres.md).',
    shown: 'the embedded Postgres',
    fallback: () => null,
    read: address('postgres:', 'postgresql:'),
  },
  FILES_URL: {
    about:
      'Attachments: a directory that all processes share, or `s3://bucket/prefix`, with ' +
      '`?endpoint=`, `region=` and `pathStyle=`.',
    shown: '`files` in `ATRIUM_DATA`',
    fallback: () => null,
    read: filesPlace,
  },
  AWS_ACCESS_KEY_ID: {
    about: 'The access key for a bucket of `FILES_URL`. Temporary and machine roles are not read.',
    shown: 'none; required with `s3://`',
    fallback: () => null,
    read: (value: string) => value,
  },
  AWS_SECRET_ACCESS_KEY: {
    about: 'Its secret.',
    shown: 'none; required with `s3://`',
    fallback: () => null,
    read: (value: string) => value,
  },
  BACKUP_URL: {
    about: 'Where backups go: a directory that is there, or a bucket as in `FILES_URL`.',
    shown: 'none',
    fallback: () => null,
    read: filesPlace,
  },
  BACKUP_RECIPIENT: {
    about: 'Public keys of age (`age1…`), comma-separated: the holder of any can restore.',
    shown: 'none; required with `BACKUP_URL`',
    fallback: () => null,
    read: ageRecipients,
  },
  BACKUP_SCHEDULE: {
    about: 'Time between two backups that the server makes, such as `P1D` or `PT6H`.',
    shown: 'none: by `atrium backup create` alone',
    fallback: () => null,
    read: interval(BACKUP_INTERVAL_MIN_MS, BACKUP_INTERVAL_MAX_MS),
  },
  BACKUP_KEEP: {
    about: 'Backups that are kept; older ones are removed with each new one.',
    shown: '`14`',
    fallback: () => 14,
    read: wholeNumber(1, BACKUPS_KEPT_MAX),
  },
  FILES_KEEP_METADATA: {
    about: 'Pictures are stored with what they say of place, time, device and owner.',
    shown: '`false`: it is removed',
    fallback: () => false,
    read: (value: string, env: Env) => oneOf('true', 'false')(value, env) === 'true',
  },
  FILES_SCANNER: {
    about:
      'Scans files before they are accepted: `clamd://host:port`, or `clamd:///path` of a socket.',
    shown: 'none: files are not scanned',
    fallback: () => null,
    read: scannerAddress,
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
    read: publicAddress,
  },
  OIDC_AUDIENCE: {
    about: 'A required value in the `aud` of access tokens.',
    shown: '`atrium`',
    fallback: () => 'atrium',
    read: (value: string) => value,
  },
  PUBLIC_URL: {
    about: 'The public address, as in answers.',
    shown: '`http://localhost:PORT`; required in production',
    fallback: (env: Env) => `http://localhost:${portOf(env)}`,
    read: publicAddress,
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
    read: publicAddress,
  },
  SANDBOX_DATABASE_URL: {
    about:
      'Postgres server for the databases of sandboxes; its login needs CREATEDB and ' +
      "[the log's roles](../operating/your-own-postgres.md).",
    shown: '`DATABASE_URL`',
    fallback: () => null,
    read: address('postgres:', 'postgresql:'),
  },
  SANDBOX_BYTES_MAX: {
    about: 'Estimated size of one sandbox: bytes, or a number of `KiB`, `MiB`, `GiB` or `TiB`.',
    shown: '`1 GiB`',
    fallback: () => SANDBOX_BYTES_MAX_DEFAULT,
    read: byteCount,
  },
  SANDBOX_HOST_BYTES_MAX: {
    about: 'Estimated size of all sandboxes together.',
    shown: '`20 GiB`',
    fallback: () => SANDBOX_HOST_BYTES_MAX_DEFAULT,
    read: byteCount,
  },
  CORS_ORIGINS: {
    about: 'Origins of browser callers, comma-separated.',
    shown: '`PUBLIC_URL`',
    fallback: () => null,
    read: origins,
  },
  ATRIUM_ROLES: {
    about: 'What this process does, comma-separated.',
    shown: '`api,projections,processes,sandboxes`',
    fallback: () => new Set<Role>(roleNames),
    read: rolesOf,
  },
  ATRIUM_MCP: {
    about: 'Serves tools for agents at `/mcp`, on the hosts of sandboxes too.',
    shown: '`false`',
    fallback: () => false,
    read: (value: string, env: Env) => oneOf('true', 'false')(value, env) === 'true',
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
      '`user:password@` or `token@` may precede the host.',
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
    about: 'File with the client certificate (PEM) for NATS.',
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
    about:
      'Days after which observations, by whole months, and closed faults without a ticket are ' +
      'deleted.',
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
    about: 'Seconds that a stopping server still serves, not ready, for load balancers.',
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
  LOG_FORMAT: {
    about:
      'The form of log lines: `json`, `pretty` for people, or `auto`, which is `pretty` on a ' +
      'terminal.',
    shown: '`auto`',
    fallback: () => 'auto' as const,
    read: oneOf(...logFormats),
  },
  ATRIUM_COMMIT: {
    about: 'The commit that an image was built from, named at its start.',
    shown: 'that of the checkout, if it is one',
    fallback: () => null,
    read: commitId,
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
    about: 'The ratio of the samplers by ratio, from 0 to 1.',
    shown: '`1`',
    fallback: () => 1,
    read: ratio,
  },
  OTEL_SERVICE_NAME: {
    about: 'The service name of the spans.',
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
    about: 'Disables tracing.',
    shown: '`false`',
    fallback: () => false,
    read: (value: string, env: Env) => oneOf('true', 'false')(value, env) === 'true',
  },
} as const satisfies Record<string, Variable<unknown>>;

type Values = { [K in keyof typeof variables]: ReturnType<(typeof variables)[K]['read']> };
type Fallbacks = { [K in keyof typeof variables]: ReturnType<(typeof variables)[K]['fallback']> };

export const valueOf = <K extends keyof typeof variables>(
  name: K,
  env: Env,
): Values[K] | Fallbacks[K] => {
  const variable: Variable<unknown> = variables[name];
  const text = env[name];
  if (text === undefined || text === '') return variable.fallback(env) as Fallbacks[K];
  try {
    return variable.read(text, env) as Values[K];
  } catch (error) {
    throw new BadConfiguration(`${name}: ${(error as Error).message}`);
  }
};
