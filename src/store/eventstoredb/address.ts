import type { Credentials } from '@eventstore/db-client';
import type { TlsAddress } from './tls-diagnosis.ts';

/** Where the server is, and the credentials apart from it: no string holds both. */
export interface Address {
  /** A connection string without credentials, for calls that any node may answer. */
  readonly any: string;
  /** The same, for calls that only the leader may answer. */
  readonly leader: string;
  /** Given to every call. With them, the client appends by the unary call. */
  readonly credentials: Credentials;
  /** `null`: without TLS. */
  readonly tls: TlsAddress | null;
}

/**
 * Reads a connection string: `esdb`, `kurrent`, `kurrentdb` and `eventstore` name the same
 * protocol, `+discover` finds the cluster by DNS. Credentials are taken out, because the client
 * prints what it is given under `DEBUG=esdb:connection`.
 *
 * @throws {TypeError} for what is no connection string, and for a server reached over TLS without
 *   credentials. The text never shows what was given.
 */
export const addressOf = (url: string): Address => {
  const parts = CONNECTION.exec(url.trim());
  if (!parts) throw new TypeError('EVENTSTORE_URL is no connection string: esdb://host:port?…');
  const [, discover = '', user, password, hosts = '', query = ''] = parts;
  // Without this setting a refused append is thrown; otherwise it looks like one at revision 1.
  const settings = query
    .split('&')
    .filter((setting) => setting !== '' && !/^throwOnAppendFailure=/i.test(setting));
  const plain = settings.some((setting) => /^tls=false$/i.test(setting));
  if (user === undefined && !plain)
    throw new TypeError('EVENTSTORE_URL needs user:password@ where the server is reached over TLS');
  const to = (more: readonly string[]) =>
    `esdb${discover}://${hosts}${more.length > 0 ? `?${more.join('&')}` : ''}`;
  const others = settings.filter((setting) => !/^nodePreference=/i.test(setting));
  return {
    any: to(settings),
    leader: to([...others, 'nodePreference=leader']),
    // A server without TLS is sent none, but the client needs some to append by the unary call.
    credentials: credentialsOf(
      decodeURIComponent(user ?? 'nobody'),
      decodeURIComponent(password ?? 'none'),
    ),
    tls: plain ? null : { hosts: hosts.split(',').map(hostOf), caFile: caFileIn(settings) },
  };
};

const DEFAULT_PORT = 2113;

const hostOf = (text: string) => {
  const [, host = text, port] = /^(.*):(\d+)$/.exec(text) ?? [];
  return { host, port: Number(port ?? DEFAULT_PORT) };
};

const caFileIn = (settings: readonly string[]): string | null => {
  const named = settings.find((setting) => /^tlsCAFile=/i.test(setting));
  return named === undefined ? null : decodeURIComponent(named.slice(named.indexOf('=') + 1));
};

/** The client prints every call's options under `DEBUG=esdb:command`, but not what is hidden. */
const credentialsOf = (username: string, password: string): Credentials =>
  Object.defineProperty({ username, password }, 'password', { enumerable: false });

const SCHEME = /(?:esdb|eventstore|kurrent|kurrentdb)(\+discover)?/.source;
const IDENTITY = /([^:/@?]+):([^@/?]+)@/.source;
const HOSTS = /([^/?#@]+)/.source;
const CONNECTION = new RegExp(`^${SCHEME}://(?:${IDENTITY})?${HOSTS}/?(?:\\?(.*))?$`);
