import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { typesOf } from '../../../packages/sdk/scripts/types.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { mapped, refsIn } from '../../../src/api/http/openapi/json.ts';
import { problems } from '../../../src/api/http/problems.ts';
import { isJsonObject } from '../../../src/engine/json-object.ts';
import { testApi } from '../../support/api/api.ts';

interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly security?: readonly unknown[];
  readonly tags?: readonly string[];
  readonly parameters?: readonly { readonly name?: string }[];
  readonly requestBody?: Media;
  readonly responses: Record<string, unknown>;
}

interface Media {
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

interface OpenApi {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, unknown>>;
    readonly securitySchemes: object;
  };
}

const nameIn = ($ref: string): string => $ref.split('/').at(-1)!;

const platform = testApi(() => ({
  generatesDocument: true,
  timeTravel: true,
  urls: {
    publicUrl: 'http://localhost:4000',
    corsOrigins: [],
    sandboxHost: 'sandbox.localhost:4000',
  },
}));
let document: OpenApi;

beforeAll(async () => {
  document = (await platform.as(null).get('/openapi.json')).body;
});

/** Routes for people without an account. */
const WITHOUT_SIGN_IN = /^\/api\/service-desk\/report(\/|$)/;

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

it('is OpenAPI 3.1, and the committed copy is up to date', async () => {
  expect(document.openapi).toBe('3.1.0');
  const printed = `${JSON.stringify(document, null, 2)}\n`;
  await expect(printed).toMatchFileSnapshot('../../../openapi.json');
  // The client's types are of this very document.
  await expect(await typesOf(printed)).toMatchFileSnapshot('../../../packages/sdk/src/openapi.ts');
});

// An added or removed route shows in the committed copy, with its whole description.
it('describes every route of the interface', () => {
  const described = operations().map(({ path, method }) => `${method} ${path}`);
  expect(described).toEqual(
    expect.arrayContaining([
      'get /.well-known/oauth-protected-resource',
      'get /api/service-desk/changes',
      'get /api/service-desk/configuration',
      'put /api/service-desk/configuration',
      'post /api/service-desk/configuration/simulate',
      'get /api/service-desk/requests',
      'post /api/service-desk/requests',
      'get /api/service-desk/requests/export',
      'post /api/service-desk/requests/import',
      'get /api/service-desk/requests/lookup',
      'get /api/service-desk/requests/{id}',
      'patch /api/service-desk/requests/{id}',
      'post /api/service-desk/requests/{id}/assign',
      'post /api/service-desk/requests/{id}/transition',
      'get /api/service-desk/requests/{id}/transitions',
      'get /api/service-desk/requests/{id}/updates',
      'post /api/service-desk/requests/{id}/updates',
      'get /api/v1/buildings',
      'post /api/v1/buildings/import',
      'get /api/v1/buildings/{buildingId}',
      'post /api/v1/buildings/{buildingId}/import',
      'get /api/v1/buildings/{buildingId}/storeys',
      'get /api/v1/buildings/{buildingId}/spaces',
      'post /api/v1/buildings/{buildingId}/spaces',
      'post /api/v1/buildings/{buildingId}/resolve',
      'get /api/v1/buildings/{buildingId}/data-layers',
      'put /api/v1/buildings/{buildingId}/data-layers/{layerSlug}/values',
      'get /api/v1/buildings/{buildingId}/data-layers/{layerSlug}/values',
      'get /api/v1/buildings/{buildingId}/elements',
      'get /api/v1/buildings/{buildingId}/points',
      'get /api/v1/buildings/{buildingId}/spaces/{spaceId}',
      'get /api/v1/buildings/{buildingId}/elements/{elementId}',
      'get /api/v1/buildings/{buildingId}/points/{pointId}',
      'get /api/v1/buildings/{buildingId}/diagnostic-rules',
      'post /api/v1/buildings/{buildingId}/diagnostic-rules',
      'delete /api/v1/buildings/{buildingId}/diagnostic-rules/{ruleId}',
      'post /api/v1/buildings/{buildingId}/diagnostic-rules/dry-run',
      'get /api/v1/buildings/{buildingId}/faults',
      'post /api/v1/buildings/{buildingId}/observations',
      'get /api/v1/buildings/{buildingId}/points/{pointId}/observations',
      'get /api/v1/bus/events',
      'post /api/v1/bus/events',
      'get /api/v1/bus/parked',
      'get /api/v1/clock',
      'post /api/v1/clock',
      'get /api/v1/keys',
      'post /api/v1/keys',
      'delete /api/v1/keys/{keyId}',
      'get /api/v1/keys/audit',
      'get /api/v1/keys/{keyId}/history',
      'get /api/v1/me',
      'get /api/v1/operations/projections',
      'post /api/v1/operations/projections/{name}/rebuild',
      'delete /api/v1/operations/projections/{name}/rebuild',
      'get /api/v1/operations/projections/{name}/requests',
      'get /api/v1/operations/projections/{name}/parked',
      'post /api/v1/operations/projections/{name}/parked/{stream}/retry',
      'post /api/v1/operations/projections/{name}/parked/{stream}/skip',
      'get /api/v1/operations/feed/blocked',
      'post /api/v1/operations/feed/skip',
      'get /api/v1/operations/processes',
      'get /api/v1/operations/processes/{name}/parked',
      'post /api/v1/operations/processes/{name}/retry',
      'post /api/v1/operations/processes/{name}/skip',
      'get /api/v1/sandboxes',
      'get /api/v1/webhooks',
      'post /api/v1/webhooks',
      'get /api/v1/webhooks/{webhookId}',
      'patch /api/v1/webhooks/{webhookId}',
      'delete /api/v1/webhooks/{webhookId}',
      'post /api/v1/webhooks/{webhookId}/rotate-secret',
      'post /api/v1/webhooks/{webhookId}/reset-failures',
      'post /api/v1/webhooks/{webhookId}/test',
      'post /api/v1/webhooks/{webhookId}/recover',
      'get /api/v1/webhooks/{webhookId}/deliveries',
      'post /api/v1/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver',
      'post /api/v1/sandboxes',
      'get /api/v1/sandboxes/{id}',
      'delete /api/v1/sandboxes/{id}',
      'post /api/v1/sandboxes/{id}/extend',
      'post /api/v1/sandboxes/{id}/reset',
      'get /session',
      'get /session/list',
      'delete /session/{sessionId}',
      'get /health/live',
      'get /health/ready',
      'get /metrics',
    ]),
  );
});

describe('every operation', () => {
  it('has a unique name, a summary and a tag', () => {
    const all = operations();
    const names = all.map(({ operation }) => operation.operationId);
    expect(new Set(names).size).toBe(all.length);
    const known = new Set(document.tags.map(({ name }) => name));
    for (const { path, operation } of all) {
      expect(operation.summary).toBeTruthy();
      expect(operation.tags?.length).toBe(1);
      expect(known, path).toContain(operation.tags?.[0]);
    }
  });

  it('declares its credentials: a session, a key too, or none', () => {
    const session = { portalSession: [] };
    for (const { path, operation } of operations()) {
      const cookie = /^\/session(\/|$)/.test(path) ? [{ browserSession: [] }] : [];
      const asked = path.startsWith('/api/') && !WITHOUT_SIGN_IN.test(path) ? [session] : cookie;
      expect(operation.security?.slice(0, 1), path).toEqual(asked);
    }
    const of = (path: string, method: string) => document.paths[path]?.[method]?.security;
    expect(of('/api/v1/keys', 'get')).toEqual([session, { apiKey: [] }]);
    expect(of('/api/v1/keys', 'post')).toEqual([session]);
    const schemes = Object.keys(document.components.securitySchemes);
    expect(schemes).toEqual(['portalSession', 'browserSession', 'apiKey']);
  });

  it('declares its errors, with every code', () => {
    for (const { path, operation } of operations()) {
      if (!path.startsWith('/api/') || WITHOUT_SIGN_IN.test(path)) continue;
      expect(Object.keys(operation.responses), path).toEqual(
        expect.arrayContaining(['400', '401', '403', '500', '503']),
      );
    }
    const { responses } = document.paths['/api/service-desk/requests/{id}/transition']!['post']!;
    const { $ref } = responses['400'] as { $ref: string };
    expect($ref).toBe('#/components/responses/ValidationFailedOrTransitionNotAllowed');
    const { allOf } = document.components.schemas['TransitionNotAllowedProblem'] as {
      allOf: [unknown, { required: string[] }];
    };
    expect(allOf[1].required).toEqual(['status', 'code', 'from', 'to', 'allowed']);
  });

  it('declares the 431 for too large headers', () => {
    for (const { path, operation } of operations())
      expect(operation.responses['431'], path).toEqual({
        $ref: '#/components/responses/HeadersTooLarge',
      });
  });

  it('refuses members that it does not name', () => {
    const bodies = operations().flatMap(({ path, operation }) =>
      Object.entries(operation.requestBody?.content ?? {})
        // A file of another media type has no members.
        .filter(([type]) => type.endsWith('json'))
        .map(([, { schema }]) => ({ path, schema })),
    );
    expect(bodies.length).toBeGreaterThan(5);
    for (const { path, schema } of bodies) {
      const { $ref } = schema as { $ref: string };
      const { additionalProperties } = document.components.schemas[nameIn($ref)] as {
        additionalProperties: unknown;
      };
      expect(additionalProperties, path).toBe(false);
    }
  });

  it('answers only with statuses that its problems have', () => {
    const known = new Set<string>(Object.values(problems).map(({ status }) => String(status)));
    for (const { path, operation } of operations()) {
      const problematic = Object.keys(operation.responses).filter((status) => status >= '400');
      expect(
        problematic.filter((status) => !known.has(status)),
        path,
      ).toEqual([]);
    }
  });
});

describe('every schema', () => {
  it('has a name: bodies and answers refer to components', () => {
    const inline = operations().flatMap(({ path, operation }) =>
      [operation.requestBody, ...Object.values(operation.responses)]
        .flatMap((part) => Object.entries((part as Media | undefined)?.content ?? {}))
        .filter(([type]) => type.includes('json') && !type.includes('ndjson'))
        .filter(([, { schema }]) => !('$ref' in schema))
        .map(() => path),
    );
    expect(inline).toEqual([]);
  });

  it('is defined once, and referenced elsewhere', () => {
    const seen = new Map<string, number>();
    mapped(document, (object) => {
      const { description: _, ...schema } = object;
      const { properties } = schema;
      if (isJsonObject(properties) && Object.keys(properties).length > 1) {
        const printed = JSON.stringify(schema);
        seen.set(printed, (seen.get(printed) ?? 0) + 1);
      }
      return object;
    });
    expect([...seen].filter(([, times]) => times > 1).map(([printed]) => printed)).toEqual([]);

    const { paths, webhooks, components } = document;
    const referred = refsIn({ paths, webhooks, components });
    expect(Object.keys(document.components.schemas).toSorted()).toEqual([...referred].toSorted());
  });

  it('gives whole numbers of a query as such, with bounds and default', () => {
    const { parameters } = document.paths['/api/service-desk/requests']!['get']!;
    const limit = parameters?.find(({ name }) => name === 'limit');
    expect(limit).toMatchObject({
      in: 'query',
      required: false,
      schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
    });
    const state = parameters?.find(({ name }) => name === 'state');
    expect(state).toMatchObject({ schema: { type: 'array' }, style: 'form', explode: false });
  });
});

it('has an example of every body, which fits it; another test sends it', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'openapi');
  const wrong = operations().flatMap(({ path, method, operation }) =>
    Object.entries(operation.requestBody?.content ?? {})
      .filter(([type]) => type === 'application/json')
      .flatMap(([, { schema }]) => {
        const { $ref } = schema as { $ref: string };
        const { examples } = document.components.schemas[nameIn($ref)] as { examples?: unknown[] };
        const example = examples?.[0];
        const fits = example !== undefined && ajv.validate({ $ref: `openapi${$ref}` }, example);
        return fits ? [] : [`${method} ${path}: ${ajv.errorsText()}`];
      }),
  );
  expect(wrong).toEqual([]);
});

it('has the version of the package', () => expect(document.info.version).toBe(manifest.version));

it('is without a finding of redocly, as it is committed', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['node_modules/@redocly/cli/bin/cli.js', 'lint', 'openapi.json', '--format=json'],
    { env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
  ).catch((error: { stdout: string }) => error);
  const { problems: found } = JSON.parse(stdout) as {
    problems: readonly { ruleId: string; location: readonly { pointer: string }[] }[];
  };
  expect(found.map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer}`)).toEqual([]);
});
