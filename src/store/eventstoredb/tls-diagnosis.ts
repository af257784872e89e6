import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { LOG_TRUST_CHECK_MS } from '../../limits.ts';
import { LogUnavailable } from '../event-store.ts';

/** How the servers are reached over TLS. */
export interface TlsAddress {
  readonly hosts: readonly { readonly host: string; readonly port: number }[];
  /** A file of the certificates that are trusted; `null`: those that Node trusts. */
  readonly caFile: string | null;
}

/**
 * What `work` answers. The client says of a certificate that it does not trust what it says of a
 * server that is down, and of a cluster nothing at all; so where a log over TLS cannot be reached,
 * it is looked up whether that is why.
 *
 * @param tls `null` where the server is reached without TLS.
 * @throws What `work` throws; {@link LogUnavailable} with the reason, if it is the certificate.
 */
export const trusting = async <T>(tls: TlsAddress | null, work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof LogUnavailable) || tls === null) throw error;
    const fault = await certificateFault(tls);
    if (fault === null) throw error;
    throw new LogUnavailable(`${fault}; see tlsCAFile in EVENTSTORE_URL`, error);
  }
};

/** Of the first server whose certificate is refused; `null`: that is not why. */
const certificateFault = async ({ hosts, caFile }: TlsAddress): Promise<string | null> => {
  // The client has read it before; if it is gone since, that is not why.
  const ca = caFile === null ? undefined : await readFile(caFile).catch(() => undefined);
  const faults = await Promise.all(hosts.map((server) => faultOf(server, ca)));
  return faults.find((fault) => fault !== null) ?? null;
};

const faultOf = (
  { host, port }: TlsAddress['hosts'][number],
  ca: Buffer | undefined,
): Promise<string | null> =>
  new Promise((resolve) => {
    const socket = connect({
      host,
      port,
      ...(ca && { ca }),
      // An address is no name to ask a server for.
      ...(isIP(host) === 0 && { servername: host }),
      ALPNProtocols: ['h2'],
      timeout: LOG_TRUST_CHECK_MS,
    });
    const end = (fault: string | null) => {
      socket.destroy();
      resolve(fault);
    };
    socket.once('secureConnect', () => end(null));
    socket.once('timeout', () => end(null));
    socket.on('error', ({ code = '', message }: NodeJS.ErrnoException) => {
      // Node goes on about its own options behind a semicolon.
      const [reason] = message.split(';');
      end(REFUSED.test(code) ? `the certificate of ${host}:${port} is refused: ${reason}` : null);
    });
  });

/** The names of what OpenSSL and Node find wrong with a certificate. */
const REFUSED = /CERT|SIGNATURE|SELF_SIGNED|CRL|INVALID_CA|PATH_LENGTH|HOSTNAME_MISMATCH/;
