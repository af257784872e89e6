/** Parsing of variables, and the messages for invalid ones. */
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { durationMs } from '../engine/time/duration.ts';
import type { SamplerName } from '../engine/observe/sampling.ts';
import { secretsKeyIn } from '../engine/secrets/secrets.ts';
import { s3AddressOf, type S3Address, type ScannerAddress } from '../files/place.ts';
import { BUS_PREFIX_CHARACTERS_MAX } from '../limits.ts';

export type Environment = 'development' | 'production';
export type Role = 'api' | 'projections' | 'processes' | 'sandboxes';

export type Env = Readonly<Record<string, string | undefined>>;
export type Read<T> = (value: string, env: Env) => T;

export const oneOf =
  <T extends string>(...allowed: readonly T[]): Read<T> =>
  (value) => {
    if ((allowed as readonly string[]).includes(value)) return value as T;
    throw new Error(`must be one of ${allowed.join(', ')}`);
  };

export const wholeNumber =
  (min: number, max: number): Read<number> =>
  (value) => {
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= min && number <= max) return number;
    throw new Error(`must be a whole number from ${min} to ${max}`);
  };

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
  TiB: 1024 ** 4,
};

/** `1073741824`, `1024 MiB`, `1GiB`. */
export const byteCount: Read<number> = (value) => {
  const [, digits, unit = ''] = /^(\d+) ?([KMGT]iB)?$/.exec(value) ?? [];
  const bytes = Number(digits) * UNITS[unit]!;
  if (Number.isSafeInteger(bytes) && bytes > 0) return bytes;
  throw new Error('must be a whole number of bytes, or of KiB, MiB, GiB or TiB');
};

export const commitId: Read<string> = (value) => {
  if (/^[0-9a-f]{7,64}$/.test(value)) return value;
  throw new Error('must be a commit id in hexadecimal, of 7 to 64 digits');
};

export const ratio: Read<number> = (value) => {
  if (/^(0|1|0?\.\d+|[01]\.0+)$/.test(value)) return Number(value);
  throw new Error('must be a number from 0 to 1');
};

export const address =
  (...protocols: readonly string[]): Read<string> =>
  (value) => {
    const begins = protocols.some((protocol) => value.toLowerCase().startsWith(`${protocol}//`));
    if (!begins || !URL.canParse(value)) {
      throw new Error(`must be a URL that begins with ${protocols.join('// or ')}//`);
    }
    return value.replace(/\/+$/, '');
  };

/** It may list several hosts, which a URL parser refuses; its own client parses it. */
export const connectionString: Read<string> = (value) => {
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

/** Origins as browsers send them: `https://portal.example.org:8443`; or `*`. */
export const origins: Read<readonly string[]> = (value, env) => {
  const listed = list(value, env).map((text) => (text === '*' ? text : originOf(text)));
  if (listed.length > 0 && listed.every((origin) => origin !== null)) return listed;
  throw new Error('must be origins such as https://portal.example.org, comma-separated');
};

/** `null`: it is none, or has more. `URL.origin` is opaque for schemes of apps. */
const originOf = (text: string): string | null => {
  if (!URL.canParse(text)) return null;
  const { protocol, host, href } = new URL(text);
  const origin = `${protocol}//${host}`;
  return host !== '' && (href === origin || href === `${origin}/`) ? origin : null;
};

export const networks: Read<readonly string[]> = (value, env) => {
  const networks = list(value, env);
  for (const network of networks) {
    const [ip = '', bits = '', ...rest] = network.split('/');
    const bitsMax = isIP(ip) === 6 ? 128 : 32;
    const whole = bits === '' ? !network.includes('/') : /^\d{1,3}$/.test(bits);
    if (isIP(ip) === 0 || !whole || Number(bits) > bitsMax || rest.length > 0) {
      throw new Error('must be addresses or CIDRs, comma-separated');
    }
  }
  return networks;
};

/** A URL to which paths are appended. */
export const baseAddress: Read<string> = (value, env) => {
  const base = address('https:', 'http:')(value, env);
  const { search, hash } = new URL(base);
  if (search !== '' || hash !== '') throw new Error('must have no query and no fragment');
  return base;
};

/** A {@link baseAddress} that answers or the log show. */
export const publicAddress: Read<string> = (value, env) => {
  const base = baseAddress(value, env);
  const { username, password } = new URL(base);
  if (username !== '' || password !== '') throw new Error('must have no user and no password');
  return base;
};

/** A host with an optional port, as in a `Host` header. */
export const hostAndPort: Read<string> = (value) => {
  const isForm = /^[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/i.test(value);
  if (isForm && URL.canParse(`http://${value}`)) return value.toLowerCase();
  throw new Error('must be a host name, with a port where it is not the usual one');
};

export const roleNames: readonly Role[] = ['api', 'projections', 'processes', 'sandboxes'];

export const rolesOf: Read<ReadonlySet<Role>> = (value, env) => {
  const named = list(value, env).map((name) => oneOf(...roleNames)(name, env));
  if (named.length === 0) throw new Error(`must name at least one of ${roleNames.join(', ')}`);
  return new Set(named);
};

/** Tokens separated by dots, as in a broker's subjects. */
export const subjectPrefix: Read<string> = (value) => {
  if (value.length <= BUS_PREFIX_CHARACTERS_MAX && /^[\w-]+(\.[\w-]+)*$/.test(value)) return value;
  throw new Error(
    `must be words of letters, digits, - and _ with dots between, ` +
      `at most ${BUS_PREFIX_CHARACTERS_MAX} characters`,
  );
};

/** A list of URLs of one cluster, so credentials may be in one only. */
export const natsServers: Read<readonly string[]> = (value, env) => {
  const servers = list(value, env);
  const host = String.raw`(\[[\da-f:]+\]|[\w.-]+)(:\d{1,5})?`;
  const form = new RegExp(`^(nats|tls)://([^@/?#\\s]+@)?${host}/?$`, 'i');
  const fits = (server: string) => form.test(server) && URL.canParse(server);
  if (servers.length === 0 || !servers.every(fits))
    throw new Error('must be nats:// or tls:// URLs of one cluster, comma-separated');
  if (!servers.every(isNameDecodable))
    throw new Error('has a user or a password with a % that is not encoded: % itself is %25');
  return servers;
};

const isNameDecodable = (server: string): boolean => {
  const { username, password } = new URL(server);
  try {
    decodeURIComponent(username);
    decodeURIComponent(password);
    return true;
  } catch {
    return false;
  }
};

/** The file is read when it is needed. */
export const path: Read<string> = (value) => resolve(value);

/** A directory, as a path or a URL with the scheme `file`, or a bucket. */
export const filesPlace: Read<string | S3Address> = (value) => {
  if (!URL.canParse(value)) return resolve(value);
  const url = new URL(value);
  if (url.protocol === 's3:') return s3AddressOf(value);
  if (url.protocol !== 'file:') throw new Error('must be a directory, or s3://bucket/prefix');
  return fileURLToPath(url);
};

/** Public keys of age (X25519), comma-separated. */
export const ageRecipients: Read<readonly string[]> = (value, env) => {
  const recipients = list(value, env);
  if (recipients.length > 0 && recipients.every((one) => /^age1[02-9ac-hj-np-z]{58}$/.test(one)))
    return recipients.toSorted();
  throw new Error('must be public keys such as age1…, comma-separated: age-keygen draws a pair');
};

/** Milliseconds of an ISO 8601 duration between two bounds. */
export const interval =
  (minMs: number, maxMs: number): Read<number> =>
  (value) => {
    const ms = durationMs(value);
    if (ms !== null && ms >= minMs && ms <= maxMs) return ms;
    throw new Error('must be a duration such as P1D or PT6H, of 15 minutes to 31 days');
  };

/** Where a `clamd` listens. */
export const scannerAddress: Read<ScannerAddress> = (value) => {
  const url = URL.canParse(value) ? new URL(value) : null;
  const { hostname = '', port = '', pathname = '' } = url ?? {};
  const isHost = hostname !== '' && (pathname === '' || pathname === '/');
  if (url?.protocol === 'clamd:' && url.search === '' && url.username === '') {
    const host = hostname.replaceAll(/[[\]]/g, '');
    if (isHost) return { host, port: Number(port || CLAMD_PORT) };
    if (hostname === '' && pathname.length > 1) return { path: decodeURIComponent(pathname) };
  }
  throw new Error('must be clamd://host:port, or clamd:///path of a socket');
};

const CLAMD_PORT = 3_310;

export const keysOf: Read<readonly Buffer[]> = (value, env) => {
  const keys = list(value, env).map(secretsKeyIn);
  if (keys.length === 0 || !keys.every((key) => key !== null))
    throw new Error('must be 32-byte keys in base64, comma-separated');
  if (keys.some((key) => key.every((byte) => byte === key[0])))
    throw new Error('is one byte repeated: draw a key');
  return keys;
};

export const environmentOf = (env: Env): Environment =>
  env['NODE_ENV'] === 'production' ? 'production' : 'development';

/** `null` for a random port, which is unknown before the server listens. */
export const processUrlOf = (env: Env): string | null => {
  const host = env['HOST'] || '127.0.0.1';
  const isEverywhere = host === '0.0.0.0' || host === '::';
  const name = isEverywhere ? hostname() : isIP(host) === 6 ? `[${host}]` : host;
  return portOf(env) === 0 ? null : `http://${name}:${portOf(env)}`;
};

export const portOf = (env: Env) => Number(env['PORT'] || 4000);

export const samplerNames: readonly SamplerName[] = [
  'parentbased_always_on',
  'parentbased_traceidratio',
  'parentbased_always_off',
  'always_on',
  'traceidratio',
  'always_off',
];
