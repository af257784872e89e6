/**
 * The OpenAPI 3.1 document, generated from the route schemas, and the page that shows it. The
 * committed copy is `openapi.json`; a test fails when the two differ.
 */
import swagger from '@fastify/swagger';
import scalar from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';
import { createJsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { REFERENCE_PAGE } from '../auth/authenticate.ts';
import { problems, type ProblemCode } from './problems.ts';

export const API_VERSION = '1.0.0';

/** Must be registered before the routes that it is to describe. */
export const describeApi = async (app: FastifyInstance, publicUrl: string): Promise<void> => {
  const transform = createJsonSchemaTransform({ skipList: ['/openapi.json'] });
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Atrium',
        version: API_VERSION,
        description:
          'Service-desk tickets and the building graph. Every error is an ' +
          '`application/problem+json`.',
      },
      servers: [{ url: publicUrl }],
      components: {
        securitySchemes: {
          portalSession: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: 'An access token of the OpenID Connect issuer.',
          },
        },
        schemas: { Problem: problemSchema() },
      },
    },
    transform: (route) => {
      const { schema, url } = transform(route);
      const permission = route.route.config?.permission;
      if (permission === undefined || permission === 'public') return { schema, url };
      const refusals = codesOf(route.route.method, route.schema?.params !== undefined);
      return {
        url,
        schema: {
          ...schema,
          security: [{ portalSession: [] }],
          description: [schema.description, `Needs the permission \`${permission}\`.`]
            .filter((part) => part !== undefined)
            .join('\n\n'),
          response: { ...problemResponses(refusals), ...(schema.response as object) },
        },
      };
    },
    transformObject: (document) => inOrder(jsonSchemaTransformObject(document)),
  });
};

/** The schemas by name: else their order is the one in which modules happened to be loaded. */
const inOrder = <Described extends object>(document: Described): Described => {
  const { components } = document as { components?: { schemas?: Record<string, unknown> } };
  if (!components?.schemas) return document;
  const schemas = Object.entries(components.schemas).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { ...document, components: { ...components, schemas: Object.fromEntries(schemas) } };
};

/** `/openapi.json` and `/docs`. */
export const showApi = async (app: FastifyInstance): Promise<void> => {
  app.get(
    '/openapi.json',
    { config: { permission: 'public' }, schema: { hide: true } },
    async (_request, reply) => reply.type('application/json').send(app.swagger()),
  );
  await app.register(scalar, {
    routePrefix: REFERENCE_PAGE,
    configuration: { url: '/openapi.json', withDefaultFonts: false, telemetry: false },
  } as Parameters<typeof scalar>[1]);
};

/** The codes that any route of this kind may answer with, whatever it does. */
const codesOf = (method: string | string[], hasParams: boolean): ProblemCode[] => {
  const writes = ['POST', 'PATCH', 'PUT'].includes(String(method));
  return [
    'VALIDATION_FAILED',
    'UNAUTHENTICATED',
    'PERMISSION_DENIED',
    ...(hasParams ? (['NOT_FOUND'] as const) : []),
    ...(writes ? (['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    'UNAVAILABLE',
  ];
};

const problemResponses = (codes: readonly ProblemCode[]) =>
  Object.fromEntries(
    codes.map((code) => [
      problems[code].status,
      {
        description: `${problems[code].title}: \`${code}\``,
        content: {
          'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
        },
      },
    ]),
  );

const problemSchema = () => ({
  type: 'object' as const,
  description: 'RFC 9457.',
  required: ['type', 'title', 'status', 'code', 'requestId'],
  properties: {
    type: { type: 'string' as const, description: 'A path on this server that explains the code.' },
    title: { type: 'string' as const },
    status: { type: 'integer' as const },
    detail: { type: 'string' as const },
    code: { type: 'string' as const, enum: Object.keys(problems), description: 'Stable.' },
    requestId: { type: 'string' as const },
    errors: {
      type: 'array' as const,
      description: 'With VALIDATION_FAILED: each place and what is wrong with it.',
      items: {
        type: 'object' as const,
        required: ['path', 'message'],
        properties: { path: { type: 'string' as const }, message: { type: 'string' as const } },
      },
    },
  },
});
