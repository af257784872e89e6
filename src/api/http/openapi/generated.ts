/**
 * The OpenAPI 3.1 document, generated from the route schemas. Servers serve its committed copy,
 * `openapi.json`; a test fails when the two differ.
 */
import swagger from '@fastify/swagger';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { createJsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import manifest from '../../../../package.json' with { type: 'json' };
import { isJsonObject } from '../../../engine/json-object.ts';
import { isOptionalBody } from '../bodies.ts';
import type { ApiTag } from '../openapi.ts';
import type { JsonObject } from './json.ts';
import { isOwn } from '../../sessions/requesters.ts';
import { isSafe } from '../../../identity/sessions/same-origin.ts';
import { completed, headerComponents, withRefusals, type RouteFacts } from './operations.ts';
import { webhooksOf } from './webhooks.ts';
import { problemSchemas } from './problem-schemas.ts';
import { once, plain } from './schemas.ts';

/**
 * Must be registered before the routes that it describes.
 *
 * @param tags In their order in the document.
 * @param isSandbox Whether the routes are served at the addresses of sandboxes.
 */
export const describeApi = async (
  app: FastifyInstance,
  tags: readonly ApiTag[],
  isSandbox: boolean,
): Promise<void> => {
  const transform = createJsonSchemaTransform({ skipList: ['/openapi.json'] });
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Atrium',
        version: manifest.version,
        description:
          'Service-desk tickets, the building graph, API keys and sandboxes. Every error is an ' +
          '`application/problem+json` with a stable `code`. The name of a duration ends in its ' +
          'unit; instants are ISO 8601 in UTC.',
        contact: { name: 'Atrium' },
        license: { name: manifest.license, identifier: manifest.license },
      },
      // Relative, because one document is served at many addresses.
      servers: [{ url: '/', description: 'The server that serves this document' }],
      tags: tags.map(({ name, description }) => ({ name, description })),
      components: { securitySchemes },
    },
    transform: (route) => {
      const { schema, url } = transform(route);
      const further = furtherIn(schema?.['querystring']);
      const facts: RouteFacts = { ...factsOf(route.route), further, isSandbox };
      return { url, schema: { ...schema, [FACTS]: facts } };
    },
    transformObject: (document) => {
      return finished(jsonSchemaTransformObject(document), webhooksOf(tags), isSandbox);
    },
  });
};

const securitySchemes = {
  portalSession: {
    type: 'http' as const,
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'An access token of the OpenID Connect issuer. Pages of this server use the cookie ' +
      'of a browser session instead.',
  },
  browserSession: {
    type: 'apiKey' as const,
    in: 'cookie',
    name: '__Host-atrium',
    description: 'The cookie of a signed-in browser. It is named `atrium` over http on loopback.',
  },
  apiKey: {
    type: 'http' as const,
    scheme: 'bearer',
    bearerFormat: 'atr_…',
    description:
      'An API key of the organisation, with a scope that allows the operation. On the host ' +
      'of a sandbox of that organisation, any key allows every operation.',
  },
};

/** Passes a route's facts to the completion of its operation. */
const FACTS = 'x-route';

/** The members of a query that its schema does not list; the plugin describes listed ones only. */
const furtherIn = (query: unknown): RouteFacts['further'] => {
  if (!isJsonObject(query) || !isJsonObject(query['additionalProperties'])) return null;
  const { description, maxProperties, properties } = query;
  const listed = Object.keys(isJsonObject(properties) ? properties : {}).length;
  return { description: String(description), max: Number(maxProperties) - listed };
};

const factsOf = ({
  config = {},
  schema = {},
  method,
}: RouteOptions): Omit<RouteFacts, 'further' | 'isSandbox'> => ({
  permission: config.permission ?? 'public',
  ownPermission: [config.ownPermission, config.permission].find(isOwn) ?? null,
  portal: config.portal === true,
  person: config.person === true,
  session: config.session === true,
  changes: [method].flat().some((one) => !isSafe(one)),
  conventions: schema.conventions ?? [],
  problems: schema.problems ?? [],
  files: schema.files ?? {},
  ...(schema.form ? { form: formSchemaOf(schema.form) } : {}),
  takesPath: schema.params !== undefined,
  hasOptionalBody: isOptionalBody(schema.body),
});

const formSchemaOf = (form: z.ZodType): JsonObject => {
  const { $schema: _, id: __, ...schema } = z.toJSONSchema(form, { io: 'input' }) as JsonObject;
  return schema;
};

const finished = (document: JsonObject, sent: JsonObject, isSandbox: boolean): JsonObject => {
  const { components, paths, ...rest } = plain(document) as {
    readonly components: JsonObject;
    readonly paths: Readonly<Record<string, JsonObject>>;
  };
  const described = Object.entries(paths).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, operation]) => [method, operationOf(operation)]),
    ),
  ]);
  const all = { ...(components['schemas'] as JsonObject), ...problemSchemas(isSandbox) };
  const { schemas, referring } = once(all, {
    ...withRefusals(Object.fromEntries(described)),
    webhooks: sent,
  });
  const { responses, webhooks } = referring;
  return {
    ...rest,
    components: { ...components, ...headerComponents(), responses, schemas },
    paths: referring.paths,
    webhooks,
  };
};

const operationOf = (operation: unknown): unknown => {
  if (!isJsonObject(operation)) return operation;
  const { [FACTS]: facts, ...printed } = operation;
  return facts === undefined ? printed : completed(printed, facts as RouteFacts);
};
