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
 * The result of `work`. The client reports an untrusted certificate as it reports a server that is
 * down, and for a cluster not at all; so if a log over TLS cannot be reached, the certificates are
 * checked.
 *
 * @param tls `null` where the server is reached without TLS.
 * @throws Errors of `work`; {@link LogUnavailable} with the reason, if a certificate is the cause.
 */
export const withTlsDiagnosis = async <T>(tls: TlsAddress | null, work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof LogUnavailable) || tls === null) throw error;
    const fault = await certificateFault(tls);
    if (fault === null) throw error;
    throw new LogUnavailable(`${fault}; see tlsCAFile in EVENTSTORE_URL`, error);
  }
};

/** The fault of the first refused certificate; `null`: none is refused. */
const certificateFault = async ({ hosts, caFile }: TlsAddress): Promise<string | null> => {
  // The client has read the file before; if it has been removed since, it is not the cause.
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
      // Server names are sent for host names alone, not for addresses.
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
      // Behind a semicolon, Node's message is about its own options.
      const [reason] = message.split(';');
      end(REFUSED.test(code) ? `the certificate of ${host}:${port} is refused: ${reason}` : null);
    });
  });

/** The error codes of OpenSSL and Node for a certificate that is refused. */
const REFUSED = /CERT|SIGNATURE|SELF_SIGNED|CRL|INVALID_CA|PATH_LENGTH|HOSTNAME_MISMATCH/;
