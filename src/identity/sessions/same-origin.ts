import type { IncomingMessage } from 'node:http';

/**
 * Whether a page of `origin` itself sent the request. contract.md section 2.
 *
 * A browser that sends no `Sec-Fetch-Site` names the page's origin with everything but navigation.
 */
export const isSameOrigin = (
  { headers }: Pick<IncomingMessage, 'headers'>,
  origin: string,
): boolean => {
  const site = headers['sec-fetch-site'];
  return site === undefined ? headers.origin === origin : site === 'same-origin';
};

/** Whether a request with a session cookie may change nothing, wherever it comes from. */
export const isSafe = (method: string | undefined): boolean =>
  method === 'GET' || method === 'HEAD';
