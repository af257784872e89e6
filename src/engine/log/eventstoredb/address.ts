import type { Credentials } from '@eventstore/db-client';
import { LOG_GOSSIP_MAX_MS } from '../../limits.ts';
import type { TlsAddress } from './tls-diagnosis.ts';

export interface Host {
  readonly host: string;
  readonly port: number;
}

/** The servers, and the credentials apart from them: no string contains both. */
export interface Address {
  readonly hosts: readonly Host[];
  /** The only host is a DNS name that resolves to all servers. */
  readonly discover: boolean;
  /** A connection string without credentials, for calls that any node may answer. */
  readonly any: string;
  /** The same, for calls that only the leader may answer. */
  readonly leader: string;
  /** Passed to every call. With credentials, the client appends by the unary call. */
  readonly credentials: Credentials;
  /** `null`: without TLS. */
  readonly tls: TlsAddress | null;
}

/**
 * Reads a connection string: `esdb`, `kurrent`, `kurrentdb` and `eventstore` name the same
 * protocol, `+discover` finds the cluster by DNS. Credentials are removed, because the client
 * prints the string under `DEBUG=esdb:connection`.
 *
 * @throws {TypeError} for an invalid connection string, and for a server reached over TLS without
 *   credentials. The message never contains the input.
 */
export const addressOf = (url: string): Address => {
  const parts = CONNECTION.exec(url.trim());
  if (!parts) throw new TypeError('EVENTSTORE_URL is no connection string: esdb://host:port?…');
  const [, discover = '', user, password, hosts = '', query = ''] = parts;
  // Without this setting a refused append is thrown; otherwise it looks like one at revision 1.
  const configured = query
    .split('&')
    .filter((setting) => setting !== '' && !/^throwOnAppendFailure=/i.test(setting));
  // The client's default is 5 s for each server that it asks for the leader, even one that hangs.
  const isAlone = discover === '' && !hosts.includes(',');
  const settings =
    isAlone || configured.some((setting) => /^gossipTimeout=/i.test(setting))
      ? configured
      : [...configured, `gossipTimeout=${LOG_GOSSIP_MAX_MS / 1000}`];
  const plain = settings.some((setting) => /^tls=false$/i.test(setting));
  if (user === undefined && !plain)
    throw new TypeError('EVENTSTORE_URL needs user:password@ where the server is reached over TLS');
  const to = (more: readonly string[]) =>
    `esdb${discover}://${hosts}${more.length > 0 ? `?${more.join('&')}` : ''}`;
  const servers = hosts.split(',').map(hostOf);
  const others = settings.filter((setting) => !/^nodePreference=/i.test(setting));
  return {
    hosts: servers,
    discover: discover !== '',
    any: to(settings),
    leader: to([...others, 'nodePreference=leader']),
    // Not sent to a server without TLS, but without them the client does not use the unary call.
    credentials: credentialsOf(
      decodeURIComponent(user ?? 'nobody'),
      decodeURIComponent(password ?? 'none'),
    ),
    tls: plain ? null : { hosts: servers, caFile: caFileIn(settings) },
  };
};

/**
 * The connection string without one of its hosts, so that a client does not wait for that one when
 * it looks up the leader. Unchanged if fewer than two others would remain: of two, one is always
 * alive where a cluster of three has a leader, and it knows all of them.
 *
 * @param place `host:port`; `null`: all of them stay.
 */
export const withoutHost = (connection: string, place: string | null): string => {
  const [, scheme = '', hosts = '', rest = ''] = /^(\w+:\/\/)([^/?]+)(.*)$/.exec(connection) ?? [];
  const others = hosts.split(',').filter((text) => {
    const { host, port } = hostOf(text);
    return `${host}:${port}` !== place;
  });
  return others.length < 2 ? connection : `${scheme}${others.join(',')}${rest}`;
};

const DEFAULT_PORT = 2113;

const hostOf = (text: string): Host => {
  const [, host = text, port] = /^(.*):(\d+)$/.exec(text) ?? [];
  return { host, port: Number(port ?? DEFAULT_PORT) };
};

const caFileIn = (settings: readonly string[]): string | null => {
  const named = settings.find((setting) => /^tlsCAFile=/i.test(setting));
  return named === undefined ? null : decodeURIComponent(named.slice(named.indexOf('=') + 1));
};

/** The client prints every call's options under `DEBUG=esdb:command`, unless they are hidden. */
const credentialsOf = (username: string, password: string): Credentials =>
  Object.defineProperty({ username, password }, 'password', { enumerable: false });

const SCHEME = /(?:esdb|eventstore|kurrent|kurrentdb)(\+discover)?/.source;
const IDENTITY = /([^:/@?]+):([^@/?]+)@/.source;
const HOSTS = /([^/?#@]+)/.source;
const CONNECTION = new RegExp(`^${SCHEME}://(?:${IDENTITY})?${HOSTS}/?(?:\\?(.*))?$`);
