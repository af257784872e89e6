/** Why there is no connection to the live service. */
import { LiveRefusedError } from './live-items.ts';
import { AtriumUnreachableError, systemCodeOf } from './unreachable.ts';

/** As `socket.io-client` gives it; `description` is what the platform has said. */
export interface ConnectError extends Error {
  readonly data?: unknown;
  readonly description?: unknown;
}

const ASKED = { method: 'GET', path: '/socket.io/' };

/**
 * A refusal of the service, of the server that the connection was asked of, or of the network.
 *
 * @param attempts So far.
 */
export const reasonOf = (error: ConnectError, attempts: number): Error => {
  const { code, detail } = (error.data ?? {}) as { readonly code?: string; detail?: string };
  if (code !== undefined) return new LiveRefusedError(code, detail);
  const cause = causeIn(error);
  const status = /Unexpected server response: (\d{3})/.exec(cause.message)?.[1];
  return status === undefined || status >= '500'
    ? new AtriumUnreachableError(ASKED, attempts, cause)
    : refusedBy(Number(status));
};

/** The connection was there, and has ended. */
export const endedBy = (reason: string, attempts: number): Error =>
  new AtriumUnreachableError(ASKED, attempts, new Error(reason));

/** An event of a WebSocket says more than the error that the library makes of it. */
const causeIn = (error: ConnectError): Error => {
  const event = error.description as { readonly error?: unknown; readonly message?: string } | null;
  if (event?.error instanceof Error) return event.error;
  return event?.message ? new Error(event.message) : error;
};

const refusedBy = (status: number): LiveRefusedError => {
  if (status === 403)
    return new LiveRefusedError(
      'ORIGIN_REFUSED',
      'HTTP 403: the server takes connections of pages only from the origins in its CORS_ORIGINS.',
    );
  return new LiveRefusedError(`HTTP_${status}`, `HTTP ${status} in place of a connection.`);
};

/** What the server may answer otherwise in a while. */
const PASSING: ReadonlySet<string> = new Set([
  'UNAVAILABLE',
  'RATE_LIMITED',
  'INTERNAL',
  'HTTP_408',
  'HTTP_429',
]);

/** Of the system: no address, or no certificate that is trusted. */
const NEVER = /^(ENOTFOUND|ERR_INVALID_URL|ERR_TLS_\w+|CERT_\w+|\w+_CERT\w*|UNABLE_TO_\w+)$/;

/**
 * Whether another attempt would change nothing. Where there was a connection, a name may be back,
 * and a page is that of a proxy while the server is away.
 */
export const isFinal = (reason: unknown, wasConnected: boolean): boolean => {
  if (reason instanceof LiveRefusedError)
    return !PASSING.has(reason.code) && !(wasConnected && reason.code.startsWith('HTTP_'));
  return !wasConnected && NEVER.test(systemCodeOf(reason) ?? '');
};
