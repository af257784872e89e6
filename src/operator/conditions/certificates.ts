/** The expiry of the certificates that this installation depends on, as the servers send them. */
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls, type DetailedPeerCertificate } from 'node:tls';
import type { Config } from '../../config/config.ts';
import {
  certificateFiles,
  tlsEndpoints,
  type CertificateFile,
  type CertificatePart,
  type TlsEndpoint,
} from './certificate-places.ts';

export interface CertificateReading {
  readonly part: CertificatePart;
  /** `host:port`, or a file. */
  readonly place: string;
  /** Earliest expiry, in milliseconds since 1970; `null`: no certificate can be read. */
  readonly endMs: number | null;
  /** Why {@link endMs} is `null`; else empty. */
  readonly error: string;
}

/** Reads all certificates of the configuration; `withinMs` is the timeout of each server. */
export const certificatesOf = (
  config: Config,
  withinMs: number,
): Promise<readonly CertificateReading[]> =>
  Promise.all([
    ...tlsEndpoints(config).map((endpoint) => {
      const place = `${endpoint.host}:${endpoint.port}`;
      return readingOf(endpoint.part, place, certificateEnd(endpoint, withinMs));
    }),
    ...certificateFiles(config).map((one) => readingOf(one.part, one.file, fileEnd(one))),
  ]);

const readingOf = async (
  part: CertificatePart,
  place: string,
  end: Promise<number>,
): Promise<CertificateReading> => {
  try {
    return { part, place, endMs: await end, error: '' };
  } catch (error) {
    return { part, place, endMs: null, error: (error as Error).message };
  }
};

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

const fileEnd = async ({ file, isOfAuthorities }: CertificateFile): Promise<number> => {
  const found = (await readFile(file, 'utf8')).match(PEM) ?? [];
  if (found.length === 0) throw new Error('it has no certificate');
  const ends = found.map((pem) => new X509Certificate(pem).validToDate.getTime());
  return isOfAuthorities ? Math.max(...ends) : Math.min(...ends);
};

/**
 * Earliest expiry in the server's certificate chain, in milliseconds since 1970.
 *
 * @throws If the server sends no certificate within `withinMs`. Untrusted certificates are read
 *   too: no data is sent to the server.
 */
const certificateEnd = async (endpoint: TlsEndpoint, withinMs: number): Promise<number> => {
  const { host, port, opening, client } = endpoint;
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
      ALPNProtocols: opening ? [] : ['h2', 'http/1.1'],
      // Only the dates are read here; an untrusted certificate fails where it is used.
      rejectUnauthorized: false,
      ...(cert && key && { cert, key }),
    });
    secure.on('error', reject).on('close', hungUp);
    secure.once('secureConnect', () => resolve(endOf(secure.getPeerCertificate(true))));
  };
  if (opening) void opened(plain, opening).then(handshake, reject);
  else handshake();
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    plain.destroy();
  }
};

/** `SSLRequest` of Postgres's protocol: length, then code. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/** A NATS server sends an `INFO` line first; Postgres answers an `SSLRequest` with `S`. */
const opened = (socket: Socket, opening: 'nats' | 'postgres'): Promise<void> =>
  new Promise((resolve, reject) => {
    const isAnswer = (chunk: Buffer) => opening === 'postgres' || chunk.includes('\r\n');
    const take = (chunk: Buffer) => {
      if (!isAnswer(chunk)) return;
      // TLS reads from here on.
      socket.off('data', take).pause();
      if (opening === 'postgres' && chunk.toString() !== 'S') reject(new Error('it has no TLS'));
      else resolve();
    };
    socket.on('data', take);
    if (opening === 'postgres') socket.write(SSL_REQUEST);
  });

/** Longer than any chain, which ends with a self-signed certificate. */
const CHAIN_MAX = 10;

const endOf = (leaf: DetailedPeerCertificate): number => {
  let ends = Infinity;
  let certificate: DetailedPeerCertificate | undefined = leaf;
  for (let at = 0; at < CHAIN_MAX && certificate?.valid_to !== undefined; at += 1) {
    ends = Math.min(ends, Date.parse(certificate.valid_to));
    const issuer: DetailedPeerCertificate | undefined = certificate.issuerCertificate;
    certificate = issuer?.fingerprint256 === certificate.fingerprint256 ? undefined : issuer;
  }
  if (ends === Infinity) throw new Error('it shows no certificate');
  return ends;
};
