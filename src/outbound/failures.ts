/** Why a stranger gave no answer, by a name that stays. docs/guides/receive-webhooks.md. */
import { errors } from 'undici';
import { NotConnected } from './pinned-pools.ts';

export const requestFailures = [
  /** The URL is not one that may be called, by the rules of today. */
  'url_refused',
  /** The name stands for nothing, or its name servers gave no answer. */
  'dns_error',
  /** The name stands for an address that must not be reached. */
  'blocked_address',
  'connection_refused',
  'connection_failed',
  /** No TLS, or a certificate that is not this name's or not to be trusted. */
  'tls_error',
  /** No status line within the time. */
  'timeout',
  'closed_early',
  /** What came was no HTTP, or more headers than anybody needs. */
  'protocol_error',
  /** This process stops; the attempt will be made again. */
  'interrupted',
] as const;
export type RequestFailure = (typeof requestFailures)[number];

/** Thrown, and named, by whoever knows better than an error's code. */
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
  // The library's own words: an answer that nobody has asked for, or one before its time.
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

/** Another address of the same name may do better: nothing was sent to this one. */
export const isUnreached = (error: unknown): boolean =>
  error instanceof NotConnected && unreached.has((error.cause as NodeJS.ErrnoException).code ?? '');

const unreached: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
]);
