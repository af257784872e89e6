import { beforeAll, describe, expect, it } from 'vitest';
import { problems } from '../../../src/api/http/problems.ts';
import { testApi } from '../../support/api/api.ts';

interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly security?: unknown;
  readonly tags?: readonly string[];
  readonly requestBody?: { content: Record<string, { schema: Record<string, unknown> }> };
  readonly responses: Record<string, unknown>;
}

const platform = testApi(() => ({
  timeTravel: true,
  urls: { publicUrl: 'http://localhost:4000', corsOrigins: [] },
}));
let document: { openapi: string; paths: Record<string, Record<string, Operation>> };

beforeAll(async () => {
  document = (await platform.as(null).get('/openapi.json')).body;
});

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

it('is OpenAPI 3.1, and the committed copy is up to date', async () => {
  expect(document.openapi).toBe('3.1.0');
  const printed = `${JSON.stringify(document, null, 2)}\n`;
  await expect(printed).toMatchFileSnapshot('../../../openapi.json');
});

it('describes every route of this release', () =>
  expect(
    operations()
      .map(({ path, method }) => `${method} ${path}`)
      .sort(),
  ).toEqual(
    [
      'get /api/service-desk/changes',
      'get /api/service-desk/configuration',
      'put /api/service-desk/configuration',
      'post /api/service-desk/configuration/simulate',
      'get /api/service-desk/requests',
      'post /api/service-desk/requests',
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
      'get /api/v1/buildings/{buildingId}/elements',
      'get /api/v1/buildings/{buildingId}/points',
      'post /api/v1/buildings/{buildingId}/observations',
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
      'get /api/v1/operations/projections',
      'post /api/v1/operations/projections/{name}/rebuild',
      'delete /api/v1/operations/projections/{name}/rebuild',
      'get /api/v1/operations/projections/{name}/requests',
      'get /api/v1/operations/projections/{name}/parked',
      'post /api/v1/operations/projections/{name}/parked/{stream}/retry',
      'post /api/v1/operations/projections/{name}/parked/{stream}/skip',
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
      'get /health/live',
      'get /health/ready',
      'get /metrics',
    ].sort(),
  ));

describe('every operation', () => {
  it('has a name of its own, a summary and a tag', () => {
    const all = operations();
    const names = all.map(({ operation }) => operation.operationId);
    expect(new Set(names).size).toBe(all.length);
    for (const { operation } of all) {
      expect(operation.summary).toBeTruthy();
      expect(operation.tags?.length).toBe(1);
    }
  });

  it('says that it wants a credential, and how it says no', () => {
    for (const { path, operation } of operations()) {
      if (!path.startsWith('/api/')) continue;
      expect(operation.security, path).toEqual([{ portalSession: [] }]);
      expect(Object.keys(operation.responses), path).toEqual(
        expect.arrayContaining(['400', '401', '403', '503']),
      );
    }
  });

  it('takes no member that it does not name', () => {
    const bodies = operations().flatMap(({ path, operation }) => {
      const schema = operation.requestBody?.content['application/json']?.schema;
      return schema ? [{ path, schema: JSON.stringify(schema) }] : [];
    });
    expect(bodies.length).toBeGreaterThan(5);
    for (const { path, schema } of bodies) {
      expect(schema, path).toMatch(/"additionalProperties":false|"\$ref"/);
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
