/**
 * The CORS check of connections: a page whose origin is not listed gets a bare 403, as the
 * interface demands. Servers send no Origin and pass.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Whether its origin is listed exactly, or absent. */
export const comesFrom = (
  { headers }: Pick<IncomingMessage, 'headers'>,
  origins: readonly string[],
): boolean => headers.origin === undefined || origins.includes(headers.origin);

export const refuseOrigin = (response: ServerResponse): void => {
  response.writeHead(403, { 'content-length': 0 }).end();
};
