/** The requests that the server sends to subscribers: `webhooks` of OpenAPI 3.1. */
import { globalRegistry } from 'zod';
import type { ApiTag } from '../openapi.ts';
import { refTo, type JsonObject } from './json.ts';

const ANSWERS = {
  '2XX': { description: 'Delivered. Any other response counts as a failed attempt.' },
};

/** By the names of their events. */
export const webhooksOf = (tags: readonly ApiTag[]): JsonObject =>
  Object.fromEntries(
    tags.flatMap(({ name: tag, webhooks = [] }) =>
      webhooks.map(({ name, summary, schema }) => {
        const { id } = globalRegistry.get(schema) as { readonly id: string };
        const content = { 'application/json': { schema: { $ref: refTo(id) } } };
        const requestBody = { required: true, content };
        const post = {
          operationId: `send${id}`,
          tags: [tag],
          summary,
          security: [],
          requestBody,
          responses: ANSWERS,
        };
        return [name, { post }];
      }),
    ),
  );
