import type { IncomingMessage } from 'node:http';

/**
 * Whether a page of `origin` itself sent the request. contract.md section 2.
 *
 * A browser without `Sec-Fetch-Site` sends the page's origin with all requests but navigation.
 */
export const isSameOrigin = (
  { headers }: Pick<IncomingMessage, 'headers'>,
  origin: string,
): boolean => {
  const site = headers['sec-fetch-site'];
  return site === undefined ? headers.origin === origin : site === 'same-origin';
};

/** Whether the method changes nothing, so that a session cookie is accepted from any origin. */
export const isSafe = (method: string | undefined): boolean =>
  method === 'GET' || method === 'HEAD';
