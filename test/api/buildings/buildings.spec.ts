import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildingRoutes } from '../../../src/api/buildings/routes.ts';
import { SAMPLE_READS } from '../../../src/api/telemetry/limits.ts';
import { occasionsOf } from '../../../src/api/sessions/authenticate.ts';
import { createServer } from '../../../src/api/http/server.ts';
import type { ImportDocument } from '../../../src/domain/buildings/document.ts';
import { dataLayers } from '../../../src/building/graph/data-layers.ts';
import { planColours } from '../../../src/building/plans/colours.ts';
import { postgresPlans } from '../../../src/building/plans/plans.ts';
import { buildingImports } from '../../../src/building/imports/imports.ts';
import { IMPORTS } from '../../../src/building/imports/limits.ts';
import { IMPORT_BODY_BYTES_MAX } from '../../../src/limits.ts';
import { Unauthenticated, type Caller } from '../../../src/identity/caller.ts';
import { permissions } from '../../../src/identity/permissions.ts';
import { fairSemaphore } from '../../../src/engine/concurrency/fair-semaphore.ts';
import { systemClock } from '../../../src/engine/time/clock.ts';
import { loggerOf } from '../../../src/engine/observe/logging.ts';
import { metricsOf } from '../../../src/engine/observe/metrics.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { authorityOn } from '../../support/log/keys.ts';
import { until } from '../../support/until.ts';
import { freshGraph } from '../../support/postgres/building-graph.ts';
import {
  identifiedBy,
  buildingOf,
  smallBuilding,
  space,
  storey,
} from '../../support/domain/building-documents.ts';
import type { TestGraph } from '../../support/postgres/building-graph.ts';

let test: TestGraph;
let app: FastifyInstance;

/** The token says who: `manager@acme`, `viewer@globex`, `operator`. */
const callerOf = async (token: string): Promise<Caller> => {
  const parts = /^(manager|viewer|operator)(?:@(\w+))?$/.exec(token);
  if (!parts) throw new Unauthenticated('nobody');
  const granted = permissions.filter(
    (permission) => parts[1] !== 'viewer' || permission.endsWith(':read'),
  );
  return {
    actor: { kind: 'user', id: token },
    organisation: parts[2] ?? null,
    roles: [parts[1]!],
    permissions: new Set(granted),
    person: true,
  };
};

const serverWith = (spacesPageMax: number) =>
  createServer(
    {
      identity: {
        issuer: 'http://issuer.test',
        callerOf,
        ready: async () => true as const,
        reachable: () => true,
      },
      keyAuthority: authorityOn(memoryEventStore(), systemClock),
      logger: loggerOf('silent'),
      metrics: metricsOf(),
      publicUrl: 'http://localhost:4000',
      corsOrigins: [],
      trustedProxies: [],
    },
    async (routes) => {
      await routes.register(buildingRoutes, {
        graph: test.graph,
        dataLayers: dataLayers(test.db),
        plans: postgresPlans(test.db),
        planColours: planColours(test.db, () => -Infinity),
        sampleReads: fairSemaphore(SAMPLE_READS),
        queries: { openTicketsOf: async () => [] },
        imports: buildingImports({ databaseUrl: test.url }),
        spacesPageMax,
        occasionOf: occasionsOf(systemClock),
        visibility: {
          near: async () => true,
          isPosition: () => true,
          waitFor: async () => true,
          commandWaitMs: 0,
          readWaitMs: 0,
        },
        stopping: new AbortController().signal,
      });
    },
  );

beforeAll(async () => {
  test = await freshGraph();
  app = await serverWith(1_000);
  await app.listen({ port: 0 });
});
afterAll(async () => {
  await app.close();
  await test.close();
});

const BUILDINGS = '/api/v1/buildings';

interface Init {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Over a real socket, because the shell reads the headers as they were sent. */
const ask = async (server: FastifyInstance, path: string, as: string, init: Init = {}) => {
  const { port } = server.server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${as}`, ...init.headers },
  });
  return { status: answer.status, headers: answer.headers, body: JSON.parse(await answer.text()) };
};

const get = (path: string, as = 'viewer@acme') => ask(app, path, as);

const post = (
  path: string,
  payload: string | object,
  { as = 'manager@acme', ...headers }: Record<string, string> = {},
) =>
  ask(app, path, as, {
    method: 'POST',
    body: typeof payload === 'string' ? payload : JSON.stringify(payload),
    headers: { 'content-type': 'application/json', ...headers },
  });

const made = async (document: ImportDocument = smallBuilding(), as = 'manager@acme') => {
  const { body } = await post(`${BUILDINGS}/import`, document, { as });
  return body.buildingId as string;
};

describe('POST /api/v1/buildings/import', () => {
  it('answers 201 with the Location and the counts of created nodes', async () => {
    const { status, headers, body } = await post(`${BUILDINGS}/import`, smallBuilding());
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`${BUILDINGS}/${body.buildingId}`);
    const none = { storeys: 0, spaces: 0, elements: 0, points: 0 };
    expect(body).toEqual({
      buildingId: expect.any(String),
      outlines: { spaces: 0, without: 3 },
      created: { storeys: 2, spaces: 3, elements: 2, points: 2 },
      updated: none,
      removed: none,
      gone: none,
      storeys: ['00', '01'].map((code, level) => {
        const from = { externalId: `G${level}`, code, name: `Storey ${code}` };
        return { from, to: { ...from, id: expect.any(String) }, by: 'new' };
      }),
      elements: { contained: 1, byGeometry: 0, onStorey: 1 },
      warnings: [],
    });
    const building = await get(headers.get('location')!);
    expect(building.body).toEqual({
      id: body.buildingId,
      externalId: null,
      sourceSystem: null,
      code: 'B',
      name: 'Building',
      site: { id: expect.any(String), code: 'S', name: 'Site' },
      models: [],
    });
  });

  it('creates one building per Idempotency-Key, and marks replays', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const first = await post(`${BUILDINGS}/import`, smallBuilding(), key);
    const second = await post(`${BUILDINGS}/import`, smallBuilding(), key);
    expect(second.status).toBe(201);
    expect(second.body).toEqual(first.body);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  });

  it('answers 422 for the key with another body', async () => {
    const key = { 'idempotency-key': randomUUID() };
    await post(`${BUILDINGS}/import`, smallBuilding(), key);
    const { status, body } = await post(`${BUILDINGS}/import`, buildingOf(), key);
    expect([status, body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  });

  it('accepts bodies over 1 MiB', async () => {
    const spaces = Array.from({ length: 6_000 }, (_, n) =>
      space(`${n}`, { name: 'x'.repeat(150) }),
    );
    const document = buildingOf([storey('S', { spaces })]);
    expect(JSON.stringify(document).length).toBeGreaterThan(1024 * 1024);
    expect((await post(`${BUILDINGS}/import`, document)).status).toBe(201);
  });

  it('needs platform.buildings:write', async () => {
    const { status, body } = await post(`${BUILDINGS}/import`, smallBuilding(), {
      as: 'viewer@acme',
    });
    expect([status, body.code]).toEqual([403, 'PERMISSION_DENIED']);
  });

  it('needs an organisation', async () => {
    const { status, body } = await post(`${BUILDINGS}/import`, smallBuilding(), { as: 'operator' });
    expect([status, body.code]).toEqual([403, 'ORGANISATION_REQUIRED']);
  });

  it('answers 409 for a code that occurs twice, naming the place', async () => {
    const document = buildingOf([storey('0', { spaces: [space('1'), space('1')] })]);
    const { status, body } = await post(`${BUILDINGS}/import`, document);
    expect([status, body.code]).toEqual([409, 'CONFLICT']);
    expect(body.errors).toEqual([
      { path: 'building.storeys[0].spaces[1].code', message: expect.any(String) },
    ]);
  });

  const bad = (change: object) => JSON.stringify(buildingOf([{ ...storey('0'), ...change }]));
  it.each<[string, string, string]>([
    ['malformed JSON', '{"site":', ''],
    ['an array', '[]', ''],
    ['text after the document', `${bad({})} {"site":1}`, ''],
    ['a comma after the document', `${bad({})},`, ''],
    ['a repeated member', bad({ name: 'a' }).replace('"name":"a"', '"name":"a","name":"b"'), ''],
    [
      'a repeated member in another spelling',
      bad({ name: 'a' }).replace('"name":"a"', '"name":"a","n\\u0061me":"b"'),
      '',
    ],
    ['an unknown member', bad({ colour: 'red' }), 'building.storeys[0].colour'],
    ['a blank name', bad({ name: ' ' }), 'building.storeys[0].name'],
    ['an invisible name', bad({ name: '\u200b' }), 'building.storeys[0].name'],
    ['a code that ends with a blank', bad({ code: '00 ' }), 'building.storeys[0].code'],
    [
      'an externalId that begins with one',
      bad({ externalId: '\tX', sourceSystem: 'cad' }),
      'building.storeys[0].externalId',
    ],
    ['a code that is too long', bad({ code: 'x'.repeat(101) }), 'building.storeys[0].code'],
    ['a level that is text', bad({ level: '1' }), 'building.storeys[0].level'],
    ['U+0000', bad({ name: 'a\0b' }), 'building.storeys[0].name'],
    ['a lone surrogate', bad({ name: 'a\ud800b' }), 'building.storeys[0].name'],
    ['half an identity', bad({ externalId: 'X' }), 'building.storeys[0].externalId'],
    ['the other half', bad({ sourceSystem: 'cad' }), 'building.storeys[0].sourceSystem'],
  ])('answers 400 for %s, naming the place', async (_, payload, path) => {
    const { status, body } = await post(`${BUILDINGS}/import`, payload);
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.errors[0].path).toBe(path);
  });

  it('answers 415 for anything but JSON and IFC, naming what it accepts', async () => {
    const headers = { 'content-type': 'text/plain' };
    const { status, body } = await post(`${BUILDINGS}/import`, 'x', headers);
    expect([status, body.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    expect(body.detail).toBe(
      'This route accepts application/json, application/x-step or model/step.',
    );
  });

  it('answers 415 for a compressed body, and for one of no type', async () => {
    const gzip = { 'content-encoding': 'gzip' };
    expect((await post(`${BUILDINGS}/import`, smallBuilding(), gzip)).status).toBe(415);
    const untyped = { 'content-type': '' };
    expect((await post(`${BUILDINGS}/import`, smallBuilding(), untyped)).status).toBe(415);
  });

  it('answers a refused request while its body is still being sent', async () => {
    const hostile = `{"site":[${'1,'.repeat(8 * 1024 * 1024)}`;
    const { status, body } = await post(`${BUILDINGS}/import`, hostile);
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.detail).toMatch(/line 1: a list holds objects alone/);
  });

  it('answers 413 for a Content-Length over the limit, before the body is sent', async () => {
    const { port } = app.server.address() as AddressInfo;
    const sending = request({
      port,
      method: 'POST',
      path: `${BUILDINGS}/import`,
      headers: {
        authorization: 'Bearer manager@acme',
        'content-type': 'application/json',
        'content-length': IMPORT_BODY_BYTES_MAX + 1,
      },
    });
    sending.flushHeaders();
    const [answer] = (await once(sending, 'response')) as [IncomingMessage];
    sending.destroy();
    expect(answer.statusCode).toBe(413);
  });

  it('answers 429 to a caller at the concurrency limit of imports', async () => {
    const { port } = app.server.address() as AddressInfo;
    const held = Array.from({ length: IMPORTS.ofCaller + 1 }, () => {
      const sending = request({
        port,
        method: 'POST',
        path: `${BUILDINGS}/import`,
        headers: { authorization: 'Bearer manager@held', 'content-type': 'application/json' },
      });
      sending.on('error', () => {});
      sending.write('{');
      return sending;
    });
    // The others are not answered before they have sent all of theirs.
    const [answer] = (await Promise.race(held.map((sending) => once(sending, 'response')))) as [
      IncomingMessage,
    ];
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([429, '2']);
    expect((await post(`${BUILDINGS}/import`, smallBuilding())).status).toBe(201);

    for (const sending of held) sending.destroy();
    const again = () => post(`${BUILDINGS}/import`, smallBuilding(), { as: 'manager@held' });
    await until(async () => (await again()).status === 201, 'his places to be given back');
  });

  it('refuses replace', async () => {
    const { status } = await post(`${BUILDINGS}/import?replace=true`, smallBuilding());
    expect(status).toBe(400);
  });
});

describe('POST /api/v1/buildings/{id}/import', () => {
  it('adds without replace, recreates with it', async () => {
    const id = await made();
    const url = `${BUILDINGS}/${id}/import`;
    const before = (await get(`${BUILDINGS}/${id}/spaces`)).body;
    const added = await post(url, smallBuilding());
    expect([added.status, added.body.created.spaces]).toEqual([200, 0]);
    expect((await get(`${BUILDINGS}/${id}/spaces`)).body).toEqual(before);

    const replaced = await post(`${url}?replace=true`, smallBuilding());
    expect(replaced.body).toMatchObject({ created: { spaces: 3 }, removed: { spaces: 3 } });
    const after = (await get(`${BUILDINGS}/${id}/spaces`)).body;
    const external = (page: { items: { externalId: string }[] }) =>
      page.items.map(({ externalId }) => externalId);
    expect(external(after)).toEqual(external(before));
    expect(after.items[0].id).not.toBe(before.items[0].id);
  });

  it('treats replace=true and replace=false under one key as different requests', async () => {
    const id = await made();
    const key = { 'idempotency-key': randomUUID() };
    await post(`${BUILDINGS}/${id}/import?replace=false`, smallBuilding(), key);
    const { status } = await post(`${BUILDINGS}/${id}/import?replace=true`, smallBuilding(), key);
    expect(status).toBe(422);
  });

  it.each(['?replace=yes', '?replace=1', '?Replace=true', '?replace=true&replace=false'])(
    'answers 400 for %s',
    async (query) => {
      const { status } = await post(`${BUILDINGS}/${await made()}/import${query}`, smallBuilding());
      expect(status).toBe(400);
    },
  );

  it("answers 404 for another organisation's building, as for an unknown one", async () => {
    const id = await made(smallBuilding(), 'manager@globex');
    for (const path of [id, randomUUID(), 'nonsense']) {
      const { status, body } = await post(`${BUILDINGS}/${path}/import`, smallBuilding());
      expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
    }
  });
});

describe('GET /api/v1/buildings', () => {
  it("shows the organisation's own alone", async () => {
    const id = await made(smallBuilding(), 'manager@solo');
    const { body } = await get(BUILDINGS, 'viewer@solo');
    expect(body).toMatchObject({ items: [{ id }], limit: 100, offset: 0, total: 1 });
    expect((await get(BUILDINGS, 'viewer@nobody')).body).toMatchObject({ items: [], total: 0 });
  });
});

describe.each(['', '/storeys', '/spaces', '/elements', '/points'])(
  'GET /api/v1/buildings/{id}%s',
  (path) => {
    it("answers 404 for another organisation's building, and for a malformed id", async () => {
      const id = await made(smallBuilding(), 'manager@globex');
      for (const wrong of [id, randomUUID(), 'nonsense', '%00']) {
        const { status, body } = await get(`${BUILDINGS}/${wrong}${path}`);
        expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
      }
    });

    it('answers 400 for a parameter that it does not have', async () => {
      const { status, body } = await get(`${BUILDINGS}/${await made()}${path}?code=001`);
      expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    });

    it('ignores the case of the id', async () => {
      const { status } = await get(`${BUILDINGS}/${(await made()).toUpperCase()}${path}`);
      expect(status).toBe(200);
    });
  },
);

describe.each(['/storeys', '/spaces', '/elements', '/points'])('pages of %s', (path) => {
  it.each(['limit=0', 'limit=1001', 'limit=abc', 'limit=1.5', 'limit=-1', 'limit=', 'offset=-1'])(
    'answer 400 for %s',
    async (query) => {
      const { status, body } = await get(`${BUILDINGS}/${await made()}${path}?${query}`);
      expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
      expect(body.errors[0].path).toBe(query.split('=')[0]);
    },
  );

  it('have at most 1000 rows, and are empty beyond the end with the correct total', async () => {
    const { status, body } = await get(`${BUILDINGS}/${await made()}${path}?limit=1000&offset=500`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ items: [], limit: 1_000, offset: 500 });
    expect(body.total).toBeGreaterThan(0);
  });
});

describe.each([
  ['/elements', ['VAV-1']],
  ['/points', ['T-1']],
])('GET /api/v1/buildings/{id}%s', (path, codes) => {
  it('filters by room', async () => {
    const id = await made();
    const spaces = (await get(`${BUILDINGS}/${id}/spaces`)).body.items;
    const inRoom = async (spaceId: string) =>
      (await get(`${BUILDINGS}/${id}${path}?spaceId=${spaceId}`)).body;
    const { items, total } = await inRoom(spaces[0].id);
    expect([items.map(({ code }: { code: string }) => code), total]).toEqual([codes, 1]);
    for (const other of [spaces[1].id, randomUUID()])
      expect(await inRoom(other)).toMatchObject({ items: [], total: 0 });
  });
});

describe.each(['spaces', 'elements', 'points'])('GET /api/v1/buildings/{id}/%s/{id}', (kind) => {
  it('answers the row of the list', async () => {
    const id = await made();
    const [row] = (await get(`${BUILDINGS}/${id}/${kind}`)).body.items;
    const { status, body } = await get(`${BUILDINGS}/${id}/${kind}/${row.id.toUpperCase()}`);
    expect([status, body]).toEqual([200, row]);
  });

  it('answers 404 for another kind, building and organisation, and where it is not', async () => {
    const [id, other] = [await made(), await made()];
    const [row] = (await get(`${BUILDINGS}/${id}/${kind}`)).body.items;
    const [storey] = (await get(`${BUILDINGS}/${id}/storeys`)).body.items;
    for (const path of [
      `${id}/${kind}/${storey.id}`,
      `${id}/${kind}/${randomUUID()}`,
      `${other}/${kind}/${row.id}`,
    ])
      expect(await get(`${BUILDINGS}/${path}`)).toMatchObject({ status: 404 });
    const stranger = await get(`${BUILDINGS}/${id}/${kind}/${row.id}`, 'viewer@globex');
    expect(stranger).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });
});

describe('GET /api/v1/buildings/{id}/spaces', () => {
  it.each([
    ['', ['001', '002', '101']],
    ['?limit=2', ['001', '002']],
    ['?limit=2&offset=2', ['101']],
    ['?spaceTypeSlug=meeting-room', ['002']],
    ['?isLeasable=true', ['001']],
    ['?isLeasable=false', ['002', '101']],
    ['?status=active', ['001', '002', '101']],
    ['?status=inactive', []],
    ['?isLeasable=false&spaceTypeSlug=office', ['101']],
  ])('%s combines all of its filters', async (query, codes) => {
    const { body } = await get(`${BUILDINGS}/${await made()}/spaces${query}`);
    expect(body.items.map(({ code }: { code: string }) => code)).toEqual(codes);
  });

  it('shows one storey', async () => {
    const id = await made();
    const storeys = (await get(`${BUILDINGS}/${id}/storeys`)).body.items;
    const { body } = await get(`${BUILDINGS}/${id}/spaces?storeyId=${storeys[1].id}`);
    expect(body).toMatchObject({ items: [{ code: '101' }], total: 1 });
    const other = await get(`${BUILDINGS}/${id}/spaces?storeyId=${randomUUID()}`);
    expect(other.body).toMatchObject({ items: [], total: 0 });
  });

  it.each(['storeyId=x', 'status=closed', 'isLeasable=1', 'spaceTypeSlug=A%20B', 'externalId=R1'])(
    'answers 400 for %s',
    async (query) => {
      const { status } = await get(`${BUILDINGS}/${await made()}/spaces?${query}`);
      expect(status).toBe(400);
    },
  );

  it('answers 400 above the cap of a deployment that has one', async () => {
    const id = await made();
    const capped = await serverWith(100);
    await capped.listen({ port: 0 });
    const page = (limit: number) =>
      ask(capped, `${BUILDINGS}/${id}/spaces?limit=${limit}`, 'viewer@acme');
    expect((await page(101)).status).toBe(400);
    expect((await page(100)).status).toBe(200);
    await capped.close();
  });
});

it('is described in the OpenAPI document', async () => {
  const { body } = await get('/openapi.json');
  const described = Object.entries(body.paths as Record<string, object>).flatMap(
    ([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`),
  );
  expect(described).toEqual(
    expect.arrayContaining([
      'get /api/v1/buildings',
      'post /api/v1/buildings/import',
      'get /api/v1/buildings/{buildingId}',
      'post /api/v1/buildings/{buildingId}/import',
      'get /api/v1/buildings/{buildingId}/storeys',
      'get /api/v1/buildings/{buildingId}/spaces',
      'get /api/v1/buildings/{buildingId}/elements',
      'get /api/v1/buildings/{buildingId}/points',
    ]),
  );
});

it('keeps external identifiers of different systems apart', async () => {
  const document = buildingOf([
    storey('0', { spaces: [space('1', identifiedBy('X')), space('2', identifiedBy('X', 'b'))] }),
  ]);
  expect((await post(`${BUILDINGS}/import`, document)).status).toBe(201);
});
