/** Requests from Node, also to names that only browsers and curl know. */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { isBelowLocalhost, lookUpHere } from './localhost.ts';

/**
 * `fetch` of the platform, for addresses below `localhost` too, over HTTP: those are this machine
 * (RFC 6761), as the sandboxes of a server in development are, and Node asks a resolver that may
 * not know them. It follows no redirect there.
 *
 * @experimental
 */
export const nodeFetch = async (request: Request): Promise<Response> =>
  isBelowLocalhost(new URL(request.url)) ? fetchBelowLocalhost(request) : fetch(request);

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
  const headersOfAnswer = new Headers();
  for (let at = 0; at < answer.rawHeaders.length; at += 2)
    headersOfAnswer.append(answer.rawHeaders[at]!, answer.rawHeaders[at + 1]!);
  if (!hasBody) {
    answer.resume();
    return new Response(null, { status: statusCode, headers: headersOfAnswer });
  }
  // The same stream, by the declarations of Node and by those of browsers.
  const stream = Readable.toWeb(answer) as Response['body'];
  return new Response(stream, { status: statusCode, headers: headersOfAnswer });
};
