/** NATS connection options from the environment variables. */
import { readFileSync } from 'node:fs';
import {
  credsAuthenticator,
  nkeyAuthenticator,
  type NodeConnectionOptions,
} from '@nats-io/transport-node';
import { NATS_CONNECT_MAX_MS, NATS_PING_MS } from '../limits.ts';

export interface NatsAddress {
  /** `nats://` or `tls://`, with a user and a password or a token before the first host. */
  readonly servers: readonly string[];
  /** A file with a JWT and a seed (`.creds`), or with the seed of an nkey alone. */
  readonly credentialsFile: string | null;
  /** Certificate authorities of the servers. Default: Node's. */
  readonly caFile: string | null;
  /** The client certificate and its key. */
  readonly certFile: string | null;
  readonly keyFile: string | null;
}

export const serversOf = ({ servers }: NatsAddress): readonly URL[] =>
  servers.map((server) => new URL(server));

/**
 * Reads the files at each connection, so that a rotation takes effect.
 *
 * @param servers The servers of the address to connect to.
 * @throws If a file cannot be read.
 */
export const connectionOptions = (
  address: NatsAddress,
  servers: readonly URL[],
): NodeConnectionOptions => {
  const { caFile, certFile, keyFile } = address;
  const urls = serversOf(address);
  const isTls = urls.some(({ protocol }) => protocol === 'tls:') || caFile || certFile || keyFile;
  return {
    servers: servers.map(({ host }) => host),
    name: 'atrium',
    timeout: NATS_CONNECT_MAX_MS,
    // `natsLink` reconnects itself, with the current contents of the files.
    reconnect: false,
    pingInterval: NATS_PING_MS,
    noAsyncTraces: true,
    ...identityOf(
      address,
      urls.find(({ username }) => username !== ''),
    ),
    ...(isTls ? { tls: tlsOf(address) } : {}),
  };
};

/** For messages to people: never with a password. */
export const hostsOf = (address: NatsAddress): string =>
  serversOf(address)
    .map(({ host }) => host)
    .join(', ');

const identityOf = (
  { credentialsFile }: NatsAddress,
  named: URL | undefined,
): Partial<NodeConnectionOptions> => {
  if (credentialsFile !== null) {
    const secret = readFileSync(credentialsFile);
    const seed = /^\s*(SU[A-Z2-7]{50,})\s*$/.exec(secret.toString())?.[1];
    const authenticator = seed
      ? nkeyAuthenticator(new TextEncoder().encode(seed))
      : credsAuthenticator(new Uint8Array(secret));
    return { authenticator };
  }
  if (named === undefined) return {};
  const [name, password] = [named.username, named.password].map(decodeURIComponent);
  return password === '' ? { token: name! } : { user: name!, pass: password! };
};

const tlsOf = ({ caFile, certFile, keyFile }: NatsAddress) => ({
  ...(caFile === null ? {} : { ca: readFileSync(caFile, 'utf8') }),
  ...(certFile === null ? {} : { cert: readFileSync(certFile, 'utf8') }),
  ...(keyFile === null ? {} : { key: readFileSync(keyFile, 'utf8') }),
});
