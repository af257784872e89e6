/** Why an untrusted host gave no answer, with stable names. docs/guides/receive-webhooks.md. */
import { errors } from 'undici';
import { NotConnected } from './pinned-pools.ts';

const requestFailures = [
  /** The current rules do not allow calls to the URL. */
  'url_refused',
  /** The name does not exist, or its name servers did not answer. */
  'dns_error',
  /** The name resolves to an address that must not be reached. */
  'blocked_address',
  'connection_refused',
  'connection_failed',
  /** No TLS, or a certificate of another name or an untrusted issuer. */
  'tls_error',
  /** No status line in time. */
  'timeout',
  'closed_early',
  /** The answer was not HTTP, or had too many headers. */
  'protocol_error',
  /** This process stops; the attempt will be repeated. */
  'interrupted',
] as const;
export type RequestFailure = (typeof requestFailures)[number];

/** An error whose cause its code does not show. */
export class UntrustedHttpError extends Error {
  readonly failure: RequestFailure;

  constructor(failure: RequestFailure, cause?: unknown) {
    super(failure, { cause });
    this.name = 'UntrustedHttpError';
    this.failure = failure;
  }
}

export const failureOf = (error: unknown): RequestFailure => {
  if (error instanceof UntrustedHttpError) return error.failure;
  if (error instanceof NotConnected) return connecting(error.cause as NodeJS.ErrnoException);
  if (error instanceof errors.HTTPParserError) return 'protocol_error';
  if (error instanceof errors.HeadersOverflowError) return 'protocol_error';
  if (error instanceof errors.ResponseContentLengthMismatchError) return 'protocol_error';
  // Undici's messages for an unsolicited or premature response.
  if (error instanceof errors.SocketError && error.message.startsWith('bad '))
    return 'protocol_error';
  return 'closed_early';
};

const connecting = (error: NodeJS.ErrnoException): RequestFailure => {
  const { code = '' } = error;
  if (code === 'ECONNREFUSED') return 'connection_refused';
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return 'timeout';
  return isOfTls(code) ? 'tls_error' : 'connection_failed';
};

const isOfTls = (code: string): boolean =>
  /^ERR_(SSL|TLS)_|CERT|SIGNATURE|^UNABLE_TO_|^EPROTO$|^HOSTNAME_MISMATCH$/.test(code);

/** Another address of the same name may work: nothing was sent to this one. */
export const isUnreached = (error: unknown): boolean =>
  error instanceof NotConnected && unreached.has((error.cause as NodeJS.ErrnoException).code ?? '');

const unreached: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
]);
