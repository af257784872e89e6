import { variables } from '../../config/variables.ts';
import type { Env } from '../command-logger.ts';

/** Shown unchanged: each is an enumerated word, a number or a commit. */
const PLAIN: ReadonlySet<string> = new Set([
  'ATRIUM_ENV',
  'ATRIUM_ROLES',
  'ATRIUM_COMMIT',
  'ATRIUM_MCP',
  'PORT',
  'METRICS_PORT',
  'LOG_LEVEL',
  'LOG_FORMAT',
  'SPACES_LIMIT_CAP',
  'NATS_REPLICAS',
  'SHUTDOWN_DELAY_S',
  'TELEMETRY_RETENTION_DAYS',
  'SANDBOX_BYTES_MAX',
  'SANDBOX_HOST_BYTES_MAX',
  'FILES_KEEP_METADATA',
  'WEBHOOK_ALLOW_PRIVATE',
  'OTEL_TRACES_EXPORTER',
]);

/** Shown as scheme, hosts and ports. */
const ADDRESSES: ReadonlySet<string> = new Set([
  'DATABASE_URL',
  'SANDBOX_DATABASE_URL',
  'EVENTSTORE_URL',
  'OIDC_ISSUER',
  'PUBLIC_URL',
  'PROCESS_URL',
]);

/** Every variable: whether it is set and, unless it is secret, its value. */
export const configurationSection = (env: Env): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.keys(variables).map((name) => [name, redacted(name, env[name] ?? '')]));

const redacted = (name: string, value: string): string => {
  if (value === '') return 'not set';
  if (PLAIN.has(name) && /^[\w., ]{1,100}$/.test(value)) return value;
  // The only list of addresses: in others a comma may be part of a password.
  if (name === 'NATS_URL') return value.split(',').map(hostsIn).join(',');
  return ADDRESSES.has(name) ? hostsIn(value) : 'set';
};

/** Hosts follow the last `@`, because a password may contain one; one in a query is a secret. */
const hostsIn = (url: string): string => {
  const [, scheme, hosts] = /^\s*([a-z+]+:\/\/)(?:[^?#]*@)?([\w.:[\],-]+)[^@]*$/.exec(url) ?? [];
  return scheme === undefined ? 'set' : `${scheme}${hosts}`;
};
