/** Requests from this machine, also to names that only browsers and curl know. */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { CommandFailed } from '../failures.ts';

/**
 * `fetch`, for addresses below `localhost` too: those are this machine (RFC 6761), as the sandboxes
 * of a server in development are, and Node asks a resolver that may not know them.
 *
 * @throws {@link CommandFailed} if nobody answers.
 */
export const fetchHere = async (request: Request): Promise<Response> => {
  const { hostname, origin, protocol } = new URL(request.url);
  try {
    const isBelowLocalhost = protocol === 'http:' && hostname.endsWith('.localhost');
    return await (isBelowLocalhost ? fetchBelowLocalhost(request) : fetch(request));
  } catch (error) {
    if (request.signal.aborted && !isTimeout(request.signal.reason)) throw error;
    throw new CommandFailed(`no server answers at ${origin}`, error);
  }
};

const isTimeout = (reason: unknown): boolean => (reason as Error | null)?.name === 'TimeoutError';

/** Whatever is below `localhost`, for sockets. */
export const lookUpHere: LookupFunction = (_, options, callback) => {
  if (options.all) callback(null, [{ address: '127.0.0.1', family: 4 }]);
  else callback(null, '127.0.0.1', 4);
};

const fetchBelowLocalhost = async (request: Request): Promise<Response> => {
  const { url, method, headers, signal } = request;
  const body = request.body === null ? null : Buffer.from(await request.arrayBuffer());
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const asked = httpRequest(url, {
      method,
      signal,
      lookup: lookUpHere,
      headers: {
        ...Object.fromEntries(headers),
        ...(body && { 'content-length': body.length }),
      },
    });
    asked.on('response', resolve).on('error', reject);
    asked.end(body ?? undefined);
  });
  const { statusCode = 0 } = answer;
  const hasBody = statusCode !== 204 && statusCode !== 304 && method !== 'HEAD';
  const told = new Headers();
  for (let at = 0; at < answer.rawHeaders.length; at += 2)
    told.append(answer.rawHeaders[at]!, answer.rawHeaders[at + 1]!);
  if (!hasBody) answer.resume();
  return new Response(hasBody ? Readable.toWeb(answer) : null, {
    status: statusCode,
    headers: told,
  });
};
