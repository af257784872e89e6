/** `fetch` against this server itself: without a connection, with the credential of a request. */
import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { MCP_USER_AGENT_CHARACTERS_MAX } from './limits.ts';

/** The headers that identify the caller, its host and the page. */
const CARRIED = ['authorization', 'cookie', 'host', 'origin', 'sec-fetch-site'] as const;

/**
 * Calls routes of `app` as the caller of `request`, with its id: all hooks of the server run as for
 * a direct request. The audit of keys shows `atrium-mcp` and the client's agent.
 */
export const injectedFetch = (
  app: FastifyInstance,
  request: FastifyRequest,
): ((asked: Request) => Promise<Response>) => {
  const { headers } = request;
  const agent = (headers['user-agent'] ?? '').slice(0, MCP_USER_AGENT_CHARACTERS_MAX);
  const carried = Object.fromEntries(
    CARRIED.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  );
  return async (asked) => {
    const url = new URL(asked.url);
    const body = Buffer.from(await asked.arrayBuffer());
    const answer = await app.inject({
      method: asked.method,
      url: url.pathname + url.search,
      headers: {
        ...Object.fromEntries(asked.headers),
        ...carried,
        'user-agent': agent === '' ? 'atrium-mcp' : `atrium-mcp (${agent})`,
        'x-request-id': request.id,
      },
      remoteAddress: request.ip,
      signal: asked.signal,
      ...(body.length === 0 ? {} : { payload: body }),
    });
    const { statusCode: status, rawPayload } = answer;
    return new Response(rawPayload.length === 0 ? null : new Uint8Array(rawPayload), {
      status,
      headers: headersOf(answer.headers),
    });
  };
};

const headersOf = (sent: OutgoingHttpHeaders): Headers => {
  const headers = new Headers();
  for (const [name, value = []] of Object.entries(sent))
    for (const item of [value].flat()) headers.append(name, String(item));
  return headers;
};
