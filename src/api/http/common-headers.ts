/** The headers of every answer, for those that the hooks of the server do not reach. */
import type { IncomingHttpHeaders } from 'node:http';
import { requestIdOf } from './request-id.ts';
import { securityHeaders } from './security-headers.ts';

export interface CommonHeaders {
  readonly requestId: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** @param corsOrigins Pages of these origins can read the answer. */
export const commonHeaders = (
  request: IncomingHttpHeaders,
  corsOrigins: readonly string[],
): CommonHeaders => {
  const { origin } = request;
  const requestId = requestIdOf(request);
  const isKnown = origin !== undefined && corsOrigins.includes(origin);
  const headers = {
    ...securityHeaders,
    'x-request-id': requestId,
    vary: 'Origin',
    'access-control-expose-headers': EXPOSED_HEADERS.join(', '),
    ...(isKnown ? { 'access-control-allow-origin': origin } : {}),
  };
  return { requestId, headers };
};

/** Those that pages of other origins can read. */
export const EXPOSED_HEADERS = [
  'Content-Disposition',
  'ETag',
  'Location',
  'Retry-After',
  'X-Request-Id',
  'X-Atrium-Position',
  'X-Atrium-Stale',
  'Idempotent-Replayed',
];
