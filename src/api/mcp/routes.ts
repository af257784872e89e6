/**
 * `POST /mcp`: the tools of packages/cli/src/mcp over the streamable HTTP transport of the Model
 * Context Protocol. Each request is answered by itself, as JSON: there are no sessions and no
 * streams, so GET and DELETE are 405, as the protocol allows. docs/decisions/0119.
 */
import type { IncomingMessage } from 'node:http';
import * as http from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import manifest from '../../../package.json' with { type: 'json' };
import { mcpServer } from '../../../packages/cli/src/mcp/server.ts';
import type { Agent } from '../../../packages/cli/src/mcp/tool.ts';
import { createAtrium } from '../../../packages/sdk/src/client.ts';
import type { FairSemaphore } from '../../engine/concurrency/fair-semaphore.ts';
import { rejectedBy } from '../../engine/concurrency/rejected-by.ts';
import { withPermit } from '../http/permits.ts';
import { Problem } from '../http/problems.ts';
import { ProtectedResourceBody, protectedResource } from '../sessions/issuer.ts';
import { REQUEST_ANSWER_LONG_MAX_MS } from '../../limits.ts';
import { comesFrom } from '../live/origins.ts';
import { injectedFetch } from './injected-fetch.ts';
import { MCP_BODY_BYTES_MAX, MCP_BODY_VALUES_MAX } from './limits.ts';

export interface McpRouteOptions {
  /** Concurrent calls. */
  readonly calls: FairSemaphore;
  readonly publicUrl: string;
  /** The address that a request is for, without a trailing slash. */
  readonly addressOf: (request: IncomingMessage) => string;
  /** The issuer of accepted access tokens. */
  readonly issuer: string;
  /** Origins that CORS allows. */
  readonly corsOrigins: readonly string[];
}

const MCP = '/mcp';
/** RFC 9728, for {@link MCP} only: a client compares its `resource` with the address it called. */
const METADATA = `/.well-known/oauth-protected-resource${MCP}`;

/** The protocol no longer has batches. */
const Message = z.record(z.string(), z.unknown());

export const mcpRoutes: FastifyPluginAsyncZod<McpRouteOptions> = async (app, options) => {
  const { calls, publicUrl, addressOf, issuer, corsOrigins } = options;
  const origins = [...corsOrigins, new URL(publicUrl).origin];
  app.get(
    METADATA,
    {
      config: { permission: 'public' },
      schema: { hide: true, response: { 200: ProtectedResourceBody } },
    },
    async ({ raw }) => protectedResource(`${addressOf(raw)}${MCP}`, issuer),
  );
  app.post(
    MCP,
    {
      config: {
        permission: 'authenticated',
        bodyValuesMax: MCP_BODY_VALUES_MAX,
        // As the slowest route of a tool: each has its own deadline.
        answerMaxMs: REQUEST_ANSWER_LONG_MAX_MS,
      },
      bodyLimit: MCP_BODY_BYTES_MAX,
      schema: { hide: true, body: Message },
      // Against DNS rebinding, as the protocol demands.
      onRequest: async (request) => {
        if (!comesFrom(request.raw, origins))
          throw new Problem('CROSS_SITE', 'Pages of this origin may not call tools.');
      },
      // Refers clients to the sign-in, as the protocol's authorization demands.
      onSend: async ({ headers }, reply, payload) => {
        if (reply.statusCode === 401) {
          const wrong = headers.authorization === undefined ? '' : 'error="invalid_token", ';
          const metadata = `resource_metadata="${publicUrl}${METADATA}"`;
          void reply.header('www-authenticate', `Bearer ${wrong}${metadata}`);
        }
        return payload;
      },
    },
    (request, reply) =>
      withPermit(calls, request, reply, async (gone) => {
        const answer = await answered(app, request, gone);
        const text = await answer.text();
        void reply.code(answer.status);
        // A notification is accepted without a body.
        return text === '' ? reply.send() : reply.type('application/json').send(text);
      }),
  );
};

/** The response of an MCP server that is created for the request. Rejects when `gone` aborts. */
const answered = async (
  app: FastifyInstance,
  request: FastifyRequest,
  gone: AbortSignal,
): Promise<Response> => {
  const transport = new http.WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = mcpServer(agentOf(app, request), manifest.version);
  await server.connect(transport);
  try {
    return await Promise.race([
      transport.handleRequest(asWebRequest(request), { parsedBody: request.body }),
      rejectedBy(gone),
    ]);
  } finally {
    await server.close();
  }
};

/** Offers only tools whose routes this platform has. */
const agentOf = (app: FastifyInstance, request: FastifyRequest): Agent => {
  const platform = createAtrium({
    url: 'http://atrium',
    retries: 0,
    timeoutMs: REQUEST_ANSWER_LONG_MAX_MS,
    fetch: injectedFetch(app, request),
  });
  const has = (url: string) => app.hasRoute({ method: 'GET', url });
  return {
    platform,
    control: has('/api/v1/sandboxes') ? platform : null,
    hasClock: has('/api/v1/clock'),
    report: (error) => request.log.error({ err: error }, 'a tool failed'),
  };
};

/** Without a body, which is parsed already: the transport reads only headers. */
const asWebRequest = ({ headers }: FastifyRequest): Request => {
  const names = ['accept', 'content-type', 'mcp-protocol-version'] as const;
  const carried = names.flatMap((name): [string, string][] => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  return new Request(`http://atrium${MCP}`, { method: 'POST', headers: carried });
};
