/** The request log of a sandbox's host. contract.md section 4. */
import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { SandboxView } from '../../domain/sandboxes/view.ts';
import type { FairSemaphore } from '../../engine/concurrency/fair-semaphore.ts';
import type { Clock } from '../../engine/time/clock.ts';
import { CURSOR_CHARACTERS_MAX, REQUEST_ANSWER_MAX_MS } from '../../limits.ts';
import type { RequestPage, SandboxRequestRows } from '../../projections/sandboxes/requests.ts';
import { withPermit } from '../http/permits.ts';
import { queryNumber } from '../http/text.ts';
import {
  SANDBOX_REQUESTS_PAGE_DEFAULT,
  SANDBOX_REQUESTS_PAGE_MAX,
  SANDBOX_REQUESTS_WAIT_MAX_S,
} from './limits.ts';
import { SandboxParams } from './schemas.ts';

export interface SandboxRequestRouteOptions {
  /** The sandbox, if the caller may see it. @throws NOT_FOUND otherwise. */
  readonly seen: (request: FastifyRequest, sandboxId: string) => Promise<SandboxView>;
  readonly requests: Pick<SandboxRequestRows, 'page' | 'await' | 'end'>;
  readonly clock: Clock;
  /** Bounds held reads. */
  readonly waits: FairSemaphore;
  /** Aborts when the server stops: held reads are answered. */
  readonly stopping: AbortSignal;
}

const BEGINNING = '0';
/** The cursor after the last request, whichever that is. */
const END = 'end';

const RequestsQuery = z.strictObject({
  after: z
    .string()
    .max(CURSOR_CHARACTERS_MAX)
    .regex(/^(\d{1,15}|end)$/)
    .default(BEGINNING)
    .describe(
      '`nextCursor` of the previous page; `end`: only requests from now on, with an empty ' +
        'first page. Default: from the oldest stored request.',
    ),
  limit: queryNumber(1, SANDBOX_REQUESTS_PAGE_MAX, SANDBOX_REQUESTS_PAGE_DEFAULT),
  wait: queryNumber(0, SANDBOX_REQUESTS_WAIT_MAX_S, 0).describe(
    'Long poll: seconds to wait for a request before an empty page is returned.',
  ),
});

const SandboxRequestBody = z
  .object({
    at: z.iso.datetime(),
    method: z.string(),
    route: z
      .string()
      .describe(
        'The template of the route, such as `/api/v1/buildings/{id}`; `unknown` for a ' +
          'request that matched no route or was refused before routing.',
      ),
    status: z.int(),
    ms: z.number(),
    keyId: z
      .string()
      .nullable()
      .describe(
        'The accepted API key. `null` for another credential, no credential or a refused one.',
      ),
    requestId: z.string().describe('`X-Request-Id` of the response.'),
  })
  .meta({ id: 'SandboxRequest' });

const SandboxRequestPageBody = z
  .object({
    items: z.array(SandboxRequestBody),
    nextCursor: z.string().describe('Cursor for `after`. Always present.'),
  })
  .meta({ id: 'SandboxRequestPage' });

const bodyOf = ({ items, next }: RequestPage): z.input<typeof SandboxRequestPageBody> => ({
  items: [...items],
  nextCursor: String(next),
});

export const sandboxRequestRoutes: FastifyPluginAsyncZod<SandboxRequestRouteOptions> = async (
  app,
  { seen, requests, clock, waits, stopping },
) => {
  app.get(
    '/api/v1/sandboxes/:id/requests',
    {
      config: {
        permission: 'platform.sandboxes:read',
        answerMaxMs: SANDBOX_REQUESTS_WAIT_MAX_S * 1000 + REQUEST_ANSWER_MAX_MS,
      },
      schema: {
        operationId: 'listSandboxRequests',
        tags: ['sandboxes'],
        summary: 'The requests to a sandbox within the last day',
        description:
          'Oldest first, about a second after their responses, at most 10,000. Paths, queries, ' +
          'headers and bodies are not stored. For debugging, not for audits: after a crash and ' +
          'under heavy load, requests are missing.',
        params: SandboxParams,
        querystring: RequestsQuery,
        problems: ['RATE_LIMITED'],
        response: { 200: SandboxRequestPageBody },
      },
    },
    async (request, reply) => {
      const { sandboxId } = await seen(request, request.params.id);
      const { after: cursor, limit, wait } = request.query;
      if (cursor === END) return bodyOf({ items: [], next: await requests.end(sandboxId) });
      const query = { sandboxId, after: Number(cursor), limit, at: clock.now() };
      if (wait === 0) return bodyOf(await requests.page(query));
      const page = await withPermit(waits, request, reply, (gone) =>
        requests.await(query, wait * 1000, AbortSignal.any([gone, stopping])),
      );
      return bodyOf(page);
    },
  );
};
