/** When the certificates end that this installation depends on, as the servers show them. */
import { readFile } from 'node:fs/promises';
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls, type DetailedPeerCertificate } from 'node:tls';
import type { Config } from '../../config/config.ts';
import { addressOf } from '../../engine/log/eventstoredb/address.ts';

/** Variables that can name a server with TLS. */
export const certificateParts = [
  'PUBLIC_URL',
  'OIDC_ISSUER',
  'EVENTSTORE_URL',
  'NATS_URL',
  'FILES_URL',
] as const;

export interface TlsEndpoint {
  /** What names it. */
  readonly part: (typeof certificateParts)[number];
  readonly host: string;
  readonly port: number;
  /** NATS greets in the clear, and then both sides change to TLS. */
  readonly greets?: boolean;
  /** For a server that asks for one; files with PEM. */
  readonly client?: { readonly certFile: string; readonly keyFile: string };
}

export const tlsEndpoints = (config: Config): readonly TlsEndpoint[] => [
  ...httpsAt('PUBLIC_URL', config.publicUrl),
  ...(config.oidcIssuer === null ? [] : httpsAt('OIDC_ISSUER', config.oidcIssuer)),
  ...(config.eventstoreUrl === null ? [] : eventStoreAt(config.eventstoreUrl)),
  ...natsAt(config.nats),
  ...(config.files.kind === 's3' ? httpsAt('FILES_URL', config.files.address.endpoint) : []),
];

const httpsAt = (part: TlsEndpoint['part'], url: string): readonly TlsEndpoint[] => {
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== 'https:') return [];
  return [{ part, host: unbracketed(hostname), port: Number(port) || 443 }];
};

const eventStoreAt = (url: string): readonly TlsEndpoint[] =>
  (addressOf(url).tls?.hosts ?? []).map((server) => ({ part: 'EVENTSTORE_URL', ...server }));

const NATS_PORT = 4222;

const natsAt = (nats: Config['nats']): readonly TlsEndpoint[] => {
  if (nats === null) return [];
  const { servers, caFile, certFile, keyFile } = nats;
  const urls = servers.map((server) => new URL(server));
  const isTls = caFile ?? certFile ?? urls.some(({ protocol }) => protocol === 'tls:');
  if (isTls === false) return [];
  return urls.map(({ hostname, port }) => ({
    part: 'NATS_URL',
    host: unbracketed(hostname),
    port: Number(port) || NATS_PORT,
    greets: true,
    ...(certFile !== null && keyFile !== null ? { client: { certFile, keyFile } } : {}),
  }));
};

export interface CertificateReading extends Pick<TlsEndpoint, 'part'> {
  /** `host:port`. */
  readonly place: string;
  /** Of the first that ends, in milliseconds since 1970; `null`: none can be read. */
  readonly endMs: number | null;
  /** Why; empty where {@link endMs} is there. */
  readonly error: string;
}

/** Reads those of every server in the configuration that uses TLS, each within `withinMs`. */
export const certificatesOf = (
  config: Config,
  withinMs: number,
): Promise<readonly CertificateReading[]> =>
  Promise.all(
    tlsEndpoints(config).map(async (endpoint) => {
      const { part, host, port } = endpoint;
      const found = { part, place: `${host}:${port}` };
      try {
        return { ...found, endMs: await certificateEnd(endpoint, withinMs), error: '' };
      } catch (error) {
        return { ...found, endMs: null, error: (error as Error).message };
      }
    }),
  );

const unbracketed = (host: string): string => host.replaceAll(/[[\]]/g, '');

/**
 * When the first of the certificates ends that the server shows, in milliseconds since 1970.
 *
 * @throws If it shows none within `withinMs`. A certificate that nobody trusts is no reason: it is
 *   read here, and nothing is said to the server.
 */
export const certificateEnd = async (endpoint: TlsEndpoint, withinMs: number): Promise<number> => {
  const { host, port, greets, client } = endpoint;
  const [cert, key] = client
    ? await Promise.all([readFile(client.certFile), readFile(client.keyFile)])
    : [];
  const plain = connectPlain({ host, port });
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const timer = setTimeout(() => reject(new Error('it shows no certificate in time')), withinMs);
  const hungUp = () => reject(new Error('it hung up'));
  plain.on('error', reject).on('close', hungUp);

  const handshake = () => {
    const secure = connectTls({
      socket: plain,
      ...(isIP(host) === 0 && { servername: host }),
      ALPNProtocols: greets ? [] : ['h2', 'http/1.1'],
      // What is not trusted is reported by who uses it; here its dates are read all the same.
      rejectUnauthorized: false,
      ...(cert && key && { cert, key }),
    });
    secure.on('error', reject).on('close', hungUp);
    secure.once('secureConnect', () => resolve(endOf(secure.getPeerCertificate(true))));
  };
  if (greets) void greeting(plain).then(handshake, reject);
  else handshake();
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    plain.destroy();
  }
};

const greeting = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    const take = (chunk: Buffer) => {
      if (!chunk.includes('\r\n')) return;
      // TLS reads from here on.
      socket.off('data', take).pause();
      resolve();
    };
    socket.on('data', take);
  });

/** More than any chain has: one that is signed by itself ends it. */
const CHAIN_MAX = 10;

const endOf = (shown: DetailedPeerCertificate): number => {
  let ends = Infinity;
  let certificate: DetailedPeerCertificate | undefined = shown;
  for (let at = 0; at < CHAIN_MAX && certificate?.valid_to !== undefined; at += 1) {
    ends = Math.min(ends, Date.parse(certificate.valid_to));
    const issuer: DetailedPeerCertificate | undefined = certificate.issuerCertificate;
    certificate = issuer?.fingerprint256 === certificate.fingerprint256 ? undefined : issuer;
  }
  if (ends === Infinity) throw new Error('it shows no certificate');
  return ends;
};
