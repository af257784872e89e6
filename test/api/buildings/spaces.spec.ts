import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ImportDocument } from '../../../src/domain/buildings/document.ts';
import { RESOLVE_KEYS_MAX } from '../../../src/limits.ts';
import { testApi } from '../../support/api/api.ts';
import { lockWaits } from '../../support/postgres/lock-waits.ts';
import { until } from '../../support/until.ts';
import {
  buildingOf,
  element,
  identifiedBy,
  point,
  smallBuilding,
  space,
  storey,
} from '../../support/domain/building-documents.ts';

const api = testApi();
const manager = api.as('manager@acme.test');

const made = async (document: ImportDocument = smallBuilding(), by = manager): Promise<string> => {
  const { body } = await by.post('/api/v1/buildings/import', document);
  return `/api/v1/buildings/${body.buildingId}`;
};
const storeyIn = async (building: string, by = manager): Promise<string> =>
  (await by.get(`${building}/storeys`)).body.items[0].id;

describe('POST /api/v1/buildings/{id}/spaces', () => {
  const given = { code: '003', name: 'Pantry', spaceTypeSlug: 'kitchenette' };

  it('answers 201 with the row that the list shows, both identifiers kept', async () => {
    const building = await made();
    const storeyId = await storeyIn(building);
    const wanted = {
      ...given,
      storeyId,
      areaSqm: 14.5,
      isLeasable: true,
      ...identifiedBy('R-17', 'cafm'),
    };
    const { status, headers, body } = await manager.post(`${building}/spaces`, wanted);
    expect(status).toBe(201);
    expect((await manager.get(headers['location']!)).body).toEqual(body);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      externalId: 'R-17',
      sourceSystem: 'cafm',
      model: null,
      code: '003',
      name: 'Pantry',
      storey: { id: storeyId, code: '00', name: 'Storey 00' },
      spaceType: { slug: 'kitchenette', name: 'Kitchenette' },
      areaSqm: 14.5,
      status: 'active',
      isLeasable: true,
    });
    const listed = await manager.get(`${building}/spaces?spaceTypeSlug=kitchenette`);
    expect(listed.body).toMatchObject({ items: [body], total: 1 });
  });

  it('needs no identifier, area or lease', async () => {
    const building = await made();
    const storeyId = (await storeyIn(building)).toUpperCase();
    const { body } = await manager.post(`${building}/spaces`, { ...given, storeyId });
    expect(body).toMatchObject({
      externalId: null,
      sourceSystem: null,
      areaSqm: null,
      isLeasable: false,
    });
  });

  it.each([
    ['an externalId without its sourceSystem', { externalId: 'X' }, 'externalId'],
    ['a sourceSystem without its externalId', { sourceSystem: 'cafm' }, 'sourceSystem'],
    ['an unknown member', { colour: 'red' }, 'colour'],
    ['a blank code', { code: ' ' }, 'code'],
    ['a code with white space around it', { code: ' 001' }, 'code'],
    ['a type that is no slug', { spaceTypeSlug: 'Meeting Room' }, 'spaceTypeSlug'],
    ['an area below nothing', { areaSqm: -1 }, 'areaSqm'],
    ['a storey that is no id', { storeyId: '00' }, 'storeyId'],
  ])('answers 400 for %s', async (_, change, path) => {
    const building = await made();
    const wanted = { ...given, storeyId: await storeyIn(building), ...change };
    const { status, body } = await manager.post(`${building}/spaces`, wanted);
    expect([status, body.code, body.errors[0].path]).toEqual([400, 'VALIDATION_FAILED', path]);
  });

  it.each([
    ['code', { code: '001' }],
    // Unique over all kinds: these are an element's and a storey's.
    ['code', { code: 'VAV-1' }],
    ['code', { code: '00' }],
    ['externalId', identifiedBy('R1', 'cad')],
    // Unique over all kinds: this is a storey's.
    ['externalId', identifiedBy('G0', 'cad')],
  ])('answers 409 for a %s in use, and creates nothing', async (path, change) => {
    const building = await made();
    const wanted = { ...given, storeyId: await storeyIn(building), ...change };
    const { status, body } = await manager.post(`${building}/spaces`, wanted);
    expect([status, body.code, body.errors[0].path]).toEqual([409, 'CONFLICT', path]);
    expect((await manager.get(`${building}/spaces`)).body.total).toBe(3);
  });

  it('accepts an identifier used by another system or in another building', async () => {
    const building = await made();
    await made(buildingOf([storey('0', { spaces: [space('1', identifiedBy('OTHER'))] })]));
    const storeyId = await storeyIn(building);
    const of = async (change: object) =>
      (await manager.post(`${building}/spaces`, { ...given, storeyId, ...change })).status;
    expect(await of({ code: 'a', ...identifiedBy('R1', 'cafm') })).toBe(201);
    expect(await of({ code: 'b', ...identifiedBy('OTHER') })).toBe(201);
  });

  it.each([
    ["another building's storey", async () => storeyIn(await made())],
    ['a space', async (own: string) => (await manager.get(`${own}/spaces`)).body.items[0].id],
    ['nothing', async () => randomUUID()],
  ])('answers 400 REFERENCE_NOT_FOUND for the id of %s as storey', async (_, idOf) => {
    const building = await made();
    const wanted = { ...given, storeyId: await idOf(building) };
    const { status, body } = await manager.post(`${building}/spaces`, wanted);
    expect([status, body.code]).toEqual([400, 'REFERENCE_NOT_FOUND']);
    expect(body.errors).toEqual([{ path: 'storeyId', message: expect.any(String) }]);
  });

  it('creates one space per Idempotency-Key, also concurrently, and marks replays', async () => {
    const building = await made();
    const wanted = { ...given, storeyId: await storeyIn(building) };
    const key = { 'idempotency-key': randomUUID() };
    const answers = await Promise.all(
      [1, 2, 3].map(() => manager.post(`${building}/spaces`, wanted, key)),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    const replayed = answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true');
    expect(replayed).toHaveLength(2);
    const other = await manager.post(`${building}/spaces`, { ...wanted, code: 'x' }, key);
    expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  });

  it('gives a code to exactly one of many concurrent requests', async () => {
    const building = await made();
    const wanted = { ...given, storeyId: await storeyIn(building) };
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => manager.post(`${building}/spaces`, wanted)),
    );
    // With the reason of an answer that is neither.
    const found = answers.map(({ status, body }) =>
      [201, 409].includes(status) ? `${status}` : `${status} ${body.detail}`,
    );
    expect(found.toSorted()).toEqual(['201', '409', '409', '409']);
  });

  // The constraint is deferrable: each is checked after its insert, in the order of rows on disk.
  it('has no deadlock of requests with one code, whichever row is checked first', async () => {
    const building = await made();
    const wanted = { ...given, storeyId: await storeyIn(building) };
    const first = new Client({ connectionString: api.databaseUrl });
    const gate = new Client({ connectionString: api.databaseUrl });
    await Promise.all([first.connect(), gate.connect()]);
    onTestFinished(async () => void (await Promise.all([first.end(), gate.end()])));
    // So long a row needs a page of its own, after those of the requests, whose room is known.
    await gate.query('alter table graph.node alter name set storage plain');
    await gate.query('vacuum graph.node');
    await gate.query(`create function graph.wait_at_gate() returns trigger language plpgsql as
      'begin perform pg_advisory_xact_lock_shared(1, 1); return null; end'`);
    // Triggers fire in the order of their names: before the one that checks the constraint.
    await gate.query(`create trigger "A" after insert on graph.node for each row
      when (new.name = '${given.name}') execute function graph.wait_at_gate()`);
    await gate.query('begin; select pg_advisory_xact_lock(1, 1)');
    await first.query('begin');
    await first.query(
      `insert into graph.node (id, building_id, kind, code, name) values ($1, $2, 'space', $3, $4)`,
      [randomUUID(), building.split('/').at(-1), given.code, 'x'.repeat(7_500)],
    );
    const answers = Promise.all([1, 2].map(() => manager.post(`${building}/spaces`, wanted)));
    await until(async () => (await lockWaits(gate)) === 2);
    await gate.query('commit');
    await first.query('commit');
    expect((await answers).map(({ status, body }) => [status, body.code])).toEqual([
      [409, 'CONFLICT'],
      [409, 'CONFLICT'],
    ]);
    await gate.query('drop trigger "A" on graph.node');
  });

  it('needs platform.buildings:write, and the own building', async () => {
    const building = await made();
    const wanted = { ...given, storeyId: await storeyIn(building) };
    const denied = await api.as('developer@acme.test').post(`${building}/spaces`, wanted);
    expect([denied.status, denied.body.code]).toEqual([403, 'PERMISSION_DENIED']);
    const foreign = await api.as('manager@globex.test').post(`${building}/spaces`, wanted);
    expect([foreign.status, foreign.body.code]).toEqual([404, 'NOT_FOUND']);
  });

  it('answers 503 while the building is being imported into', async () => {
    const building = await made();
    const wanted = { ...given, storeyId: await storeyIn(building) };
    const importing = new Client({ connectionString: api.databaseUrl });
    await importing.connect();
    await importing.query('begin');
    const id = building.split('/').at(-1);
    await importing.query('select from graph.building where id = $1 for update', [id]);
    const busy = await manager.post(`${building}/spaces`, wanted);
    expect([busy.status, busy.body.code, busy.headers['retry-after']]).toEqual([
      503,
      'UNAVAILABLE',
      '2',
    ]);
    await importing.end();
    expect((await manager.post(`${building}/spaces`, wanted)).status).toBe(201);
  });
});

describe('POST /api/v1/buildings/{id}/resolve', () => {
  it('returns the id and kind of each identifier, and each unknown one once', async () => {
    const building = await made();
    const { status, body } = await manager.post(`${building}/resolve`, {
      sourceSystem: 'cad',
      externalIds: ['R2', 'G0', 'E1', 'P1', 'nowhere', 'nowhere', 'R2'],
    });
    expect(status).toBe(200);
    const kinds = Object.fromEntries(
      body.resolved.map(({ key, kind }: { key: string; kind: string }) => [key, kind]),
    );
    expect(kinds).toEqual({ R2: 'space', G0: 'storey', E1: 'element', P1: 'point' });
    expect(body.resolved).toHaveLength(4);
    expect(body.unmatched).toEqual(['nowhere']);
    const spaces = (await manager.get(`${building}/spaces`)).body.items;
    const { id } = spaces.find(({ externalId }: { externalId: string }) => externalId === 'R2');
    expect(body.resolved).toContainEqual({ key: 'R2', by: 'externalId', kind: 'space', id });
  });

  it('answers codes of nodes of any kind', async () => {
    const building = await made(
      buildingOf([
        storey('S', {
          spaces: [space('R', { elements: [element('E', { points: [point('P')] })] })],
        }),
      ]),
    );
    const { body } = await manager.post(`${building}/resolve`, {
      codes: ['P', 'E', 'S', 'R', 'B'],
    });
    const kinds = body.resolved.map(({ key, kind }: Record<string, string>) => `${key} ${kind}`);
    expect(kinds.toSorted()).toEqual(['E element', 'P point', 'R space', 'S storey']);
    // The building itself is in the path.
    expect(body.unmatched).toEqual(['B']);
  });

  it('answers an identifier of several systems with each, or that of the one named', async () => {
    const building = await made(
      buildingOf([
        storey('0', {
          spaces: [space('1', identifiedBy('X', 'ifc')), space('2', identifiedBy('X', 'cafm'))],
        }),
      ]),
    );
    const of = async (question: object) =>
      (await manager.post(`${building}/resolve`, question)).body.resolved.length;
    expect(await of({ externalIds: ['X'] })).toBe(2);
    expect(await of({ externalIds: ['X'], sourceSystem: 'cafm' })).toBe(1);
  });

  it('narrows identifiers to the named system, and no codes', async () => {
    const building = await made(
      buildingOf([storey('0', { spaces: [space('1', identifiedBy('X', 'ifc')), space('X')] })]),
    );
    const question = { externalIds: ['X'], codes: ['X', '1', '0'], sourceSystem: 'cafm' };
    const { body } = await manager.post(`${building}/resolve`, question);
    const found = body.resolved.map(({ key, by, kind }: Record<string, string>) => [key, by, kind]);
    expect(found.toSorted()).toEqual([
      ['0', 'code', 'storey'],
      ['1', 'code', 'space'],
      ['X', 'code', 'space'],
    ]);
    expect(body.unmatched).toEqual(['X']);
  });

  it(`accepts at most ${RESOLVE_KEYS_MAX} keys in total`, async () => {
    const building = await made();
    const keys = (count: number) => Array.from({ length: count }, (_, n) => `k${n}`);
    const half = RESOLVE_KEYS_MAX / 2;
    const most = { externalIds: keys(half), codes: keys(half) };
    const { status, body } = await manager.post(`${building}/resolve`, most);
    expect([status, body.unmatched.length]).toEqual([200, half]);
    const more = { ...most, codes: keys(half + 1) };
    expect((await manager.post(`${building}/resolve`, more)).status).toBe(400);
    const single = { codes: keys(RESOLVE_KEYS_MAX + 1) };
    expect((await manager.post(`${building}/resolve`, single)).status).toBe(400);
  });

  it('answers an empty list for an empty one', async () => {
    const { body } = await manager.post(`${await made()}/resolve`, {});
    expect(body).toEqual({ resolved: [], unmatched: [] });
  });

  it('is for readers of the own building', async () => {
    const building = await made();
    const viewer = await api.as('viewer@acme.test').post(`${building}/resolve`, { codes: ['00'] });
    expect([viewer.status, viewer.body.resolved.length]).toEqual([200, 1]);
    const foreign = await api.as('manager@globex.test').post(`${building}/resolve`, {});
    expect([foreign.status, foreign.body.code]).toEqual([404, 'NOT_FOUND']);
  });
});
