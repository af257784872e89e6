import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import type { ImportDocument } from '../../../src/domain/buildings/document.ts';
import { LAYER_VALUES_MAX } from '../../../src/domain/buildings/limits.ts';
import { testApi } from '../../support/api/api.ts';
import {
  buildingOf,
  identifiedBy,
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
const roomsOf = (...rooms: Parameters<typeof space>[]) =>
  buildingOf([storey('0', { spaces: rooms.map((room) => space(...room)) })]);
const path = (building: string) => `${building}/data-layers/desk-count/values`;
const put = (building: string, values: readonly object[], more: object = {}) =>
  manager.put(path(building), { values, ...more });
const RULE = 'must have only lower-case letters, digits and -';
const SLUG_TOO_LONG = 'must not have more than 64 characters';
const spacesOf = async (building: string) =>
  (await manager.get(`${building}/spaces`)).body.items as { id: string; code: string }[];
/** Code of the room → its value. */
const shown = async (building: string) => {
  const { body } = await manager.get(path(building));
  const codes = new Map((await spacesOf(building)).map(({ id, code }) => [id, code]));
  return Object.fromEntries(
    body.items.map(({ spaceId, value }: { spaceId: string; value: unknown }) => [
      codes.get(spaceId),
      value,
    ]),
  );
};

describe('PUT …/data-layers/{layerSlug}/values', () => {
  it('writes values to rooms by externalId, of every type', async () => {
    const building = await made();
    const { status, body } = await put(building, [
      { key: 'R1', value: 12.5 },
      { key: 'R2', value: 'busy' },
      { key: 'R3', value: false },
    ]);
    expect([status, body]).toEqual([200, { written: 3, unmatched: [] }]);
    expect(await shown(building)).toEqual({ '001': 12.5, '002': 'busy', '101': false });
    expect((await put(building, [{ key: 'R1', value: null }])).body.written).toBe(1);
    expect(await shown(building)).toEqual({ '001': null, '002': 'busy', '101': false });
  });

  it('writes by id with keyBy=id', async () => {
    const building = await made();
    const [first] = await spacesOf(building);
    const { body } = await put(building, [{ key: first!.id.toUpperCase(), value: 1 }], {
      keyBy: 'id',
    });
    expect(body).toEqual({ written: 1, unmatched: [] });
    expect(await shown(building)).toEqual({ '001': 1 });
  });

  it('accepts either identifier with any keyBy; the last value of a room wins', async () => {
    const building = await made();
    const [first, second] = await spacesOf(building);
    for (const keyBy of ['externalId', 'id']) {
      const { body } = await put(
        building,
        [
          { key: 'R1', value: 'by externalId' },
          { key: first!.id, value: 'by id, later' },
          { key: second!.id, value: 'by id' },
          { key: 'R2', value: 'by externalId, later' },
        ],
        { keyBy },
      );
      expect(body).toEqual({ written: 2, unmatched: [] });
      expect(await shown(building)).toEqual({
        '001': 'by id, later',
        '002': 'by externalId, later',
      });
    }
  });

  it('counts a repeated room once, and stores its last value', async () => {
    const building = await made();
    const values = Array.from({ length: 100 }, (_, value) => ({ key: 'R1', value }));
    expect((await put(building, values)).body).toEqual({ written: 1, unmatched: [] });
    expect(await shown(building)).toEqual({ '001': 99 });
  });

  it('lists the keys that found no room once, in their order, and writes the rest', async () => {
    const building = await made();
    const { status, body } = await put(building, [
      { key: 'zzz', value: 1 },
      { key: 'R1', value: 2 },
      { key: 'aaa', value: 3 },
      { key: 'zzz', value: 4 },
      // A storey is no room.
      { key: 'G0', value: 5 },
    ]);
    expect(status).toBe(200);
    expect(body).toEqual({ written: 1, unmatched: ['zzz', 'aaa', 'G0'] });
  });

  describe('for an externalId that several source systems gave', () => {
    const ofThreeSystems = () =>
      made(
        roomsOf(
          ['a', identifiedBy('X', 'cafm')],
          ['b', identifiedBy('X', 'ifc')],
          ['c', identifiedBy('Y', 'cafm')],
          ['d', identifiedBy('Y', 'zzz')],
          ['e', identifiedBy('Z', 'zzz')],
        ),
      );
    const ambiguous = (...keys: string[]) => ({ reason: 'AMBIGUOUS_KEYS', keys });

    it('writes none of its rooms, and reports the key once, in upload order', async () => {
      const building = await ofThreeSystems();
      const keys = ['Y', 'Z', 'none', 'X', 'Y'];
      const { status, body } = await put(
        building,
        keys.map((key, value) => ({ key, value })),
      );
      expect([status, body]).toEqual([
        200,
        { written: 1, unmatched: ['none'], diagnostics: ambiguous('Y', 'X') },
      ]);
      expect(await shown(building)).toEqual({ e: 1 });
    });

    it('reports it also when no value is written', async () => {
      const building = await ofThreeSystems();
      const { body } = await put(building, [
        { key: 'X', value: 1 },
        { key: 'none', value: 2 },
      ]);
      expect(body).toEqual({ written: 0, unmatched: ['none'], diagnostics: ambiguous('X') });
    });

    it.each([
      ['cafm', { a: 1, c: 2 }],
      ['zzz', { d: 2, e: 3 }],
    ])(
      'narrowed to the sourceSystem %s, writes the room of that system',
      async (sourceSystem, to) => {
        const building = await ofThreeSystems();
        const values = ['X', 'Y', 'Z'].map((key, at) => ({ key, value: at + 1 }));
        const { body } = await put(building, values, { sourceSystem });
        const unmatched = sourceSystem === 'cafm' ? ['Z'] : ['X'];
        expect(body).toEqual({ written: 2, unmatched });
        expect(await shown(building)).toEqual(to);
      },
    );

    it.each(['externalId', 'id'])('narrows no ids, with keyBy %s', async (keyBy) => {
      const building = await ofThreeSystems();
      const [first] = await spacesOf(building);
      const { body } = await put(building, [{ key: first!.id, value: 1 }], {
        keyBy,
        sourceSystem: 'zzz',
      });
      expect(body).toEqual({ written: 1, unmatched: [] });
    });

    it('reports the reason when a sourceSystem has no identifiers', async () => {
      const building = await ofThreeSystems();
      const { body } = await put(building, [{ key: 'X', value: 1 }], { sourceSystem: 'none' });
      expect(body).toEqual({
        written: 0,
        unmatched: ['X'],
        diagnostics: { reason: 'IDENTIFIERS_NOT_IN_BUILDING' },
      });
    });

    it(`reports up to ${LAYER_VALUES_MAX} keys, and writes them with a sourceSystem`, async () => {
      const keys = Array.from({ length: LAYER_VALUES_MAX }, (_, n) => `room-${n}`);
      const spaces = ['cafm', 'ifc'].flatMap((system) =>
        keys.map((key) => space(`${system}-${key}`, identifiedBy(key, system))),
      );
      const building = await made(buildingOf([storey('0', { spaces })]));
      const values = keys.map((key, value) => ({ key, value }));
      const { body } = await put(building, values);
      expect(body).toEqual({ written: 0, unmatched: [], diagnostics: ambiguous(...keys) });
      const narrowed = await put(building, values, { sourceSystem: 'ifc' });
      expect(narrowed.body).toEqual({ written: LAYER_VALUES_MAX, unmatched: [] });
    });
  });

  it.each<[string, ImportDocument, object, string]>([
    ['a building without rooms', buildingOf([storey('0')]), {}, 'BUILDING_HAS_NO_SPACES'],
    ['a building without rooms, by id', buildingOf(), { keyBy: 'id' }, 'BUILDING_HAS_NO_SPACES'],
    [
      'rooms without an externalId',
      roomsOf(['a'], ['b']),
      { keyBy: 'externalId' },
      'BUILDING_HAS_NO_EXTERNAL_IDS',
    ],
    [
      'rooms without an externalId, by id',
      roomsOf(['a'], ['b']),
      { keyBy: 'id' },
      'IDENTIFIERS_NOT_IN_BUILDING',
    ],
    ['others', roomsOf(['a', identifiedBy('R7')], ['b']), {}, 'IDENTIFIERS_NOT_IN_BUILDING'],
  ])('reports the reason for no match: %s', async (_, document, more, reason) => {
    const building = await made(document);
    const { status, body } = await put(building, [{ key: 'R1', value: 1 }], more);
    expect(status).toBe(200);
    expect(body).toEqual({ written: 0, unmatched: ['R1'], diagnostics: { reason } });
  });

  it('finds nothing by the ids of another building', async () => {
    const building = await made();
    const values = (await spacesOf(await made())).map(({ id }) => ({ key: id, value: 1 }));
    const { body } = await put(building, values, { keyBy: 'id' });
    expect(body).toEqual({
      written: 0,
      unmatched: values.map(({ key }) => key),
      diagnostics: { reason: 'IDENTIFIERS_NOT_IN_BUILDING' },
    });
  });

  it('accepts an empty upload, without diagnostics', async () => {
    const building = await made(buildingOf());
    expect((await put(building, [])).body).toEqual({ written: 0, unmatched: [] });
  });

  it(`accepts at most ${LAYER_VALUES_MAX} values`, async () => {
    const spaces = Array.from({ length: LAYER_VALUES_MAX }, (_, n) =>
      space(`${n}`, identifiedBy(`room-${n}`)),
    );
    const building = await made(buildingOf([storey('S', { spaces })]));
    const values = spaces.map(({ externalId }, value) => ({ key: externalId, value }));
    expect((await put(building, values)).body).toEqual({ written: 10_000, unmatched: [] });
    const { body } = await manager.get(`${path(building)}?limit=1000&offset=9000`);
    expect([body.total, body.items.length]).toEqual([10_000, 1_000]);

    const more = await put(building, [...values, { key: 'room-0', value: 1 }]);
    expect([more.status, more.body.code]).toEqual([400, 'VALIDATION_FAILED']);
    const after = await manager.get(`${path(building)}?limit=1`);
    expect(after.body.items[0].value).toBe(0);
  });

  it.each([
    ['a value that is a list', { values: [{ key: 'R1', value: [1] }] }, 'values[0].value'],
    ['no value', { values: [{ key: 'R1' }] }, 'values[0].value'],
    ['an empty key', { values: [{ key: '', value: 1 }] }, 'values[0].key'],
    ['a key that is a number', { values: [{ key: 1, value: 1 }] }, 'values[0].key'],
    ['another keyBy', { keyBy: 'code', values: [] }, 'keyBy'],
    ['an empty sourceSystem', { sourceSystem: '', values: [] }, 'sourceSystem'],
    ['too long a sourceSystem', { sourceSystem: 's'.repeat(65), values: [] }, 'sourceSystem'],
    ['no values', {}, 'values'],
    ['an unknown member', { values: [], unit: 'm' }, 'unit'],
  ])('answers 400 for %s, and writes nothing', async (_, body, where) => {
    const building = await made();
    const answer = await manager.put(path(building), body);
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(answer.body.errors[0].path).toBe(where);
    expect((await manager.get(path(building))).status).toBe(404);
  });

  it('answers 400 for an invalid number', async () => {
    const building = await made();
    const { status } = await manager.put(path(building), '{"values":[{"key":"R1","value":1e999}]}');
    expect(status).toBe(400);
  });

  it('needs platform.telemetry:write, and the own building', async () => {
    const building = await made();
    const body = { values: [{ key: 'R1', value: 1 }] };
    expect((await api.as('developer@acme.test').put(path(building), body)).status).toBe(200);
    const denied = await api.as('viewer@acme.test').put(path(building), body);
    expect([denied.status, denied.body.code]).toEqual([403, 'PERMISSION_DENIED']);
    for (const other of [building, `/api/v1/buildings/${randomUUID()}`]) {
      const foreign = await api.as('manager@globex.test').put(path(other), body);
      expect([foreign.status, foreign.body.code]).toEqual([404, 'NOT_FOUND']);
    }
  });

  it('answers 503 while the building is being imported into, and writes afterwards', async () => {
    const building = await made();
    await put(building, [{ key: 'R1', value: 1 }]);
    const importing = new Client({ connectionString: api.databaseUrl });
    await importing.connect();
    await importing.query('begin');
    const id = building.split('/').at(-1);
    await importing.query('select from graph.building where id = $1 for update', [id]);
    const busy = await put(building, [{ key: 'R1', value: 2 }]);
    expect([busy.status, busy.headers['retry-after']]).toEqual([503, '2']);
    await importing.end();
    expect((await put(building, [{ key: 'R1', value: 2 }])).body.written).toBe(1);
  });

  describe.each([
    ['Desk', RULE],
    ['desk_count', RULE],
    ['desk%20count', RULE],
    ['%20', RULE],
    ['desk%00', RULE],
    ['a'.repeat(65), SLUG_TOO_LONG],
    ['a'.repeat(10_000), SLUG_TOO_LONG],
  ])('with the malformed slug %s', (slug, message) => {
    it('answers 400 with its rule, and so does the GET', async () => {
      const values = `${await made()}/data-layers/${slug}/values`;
      for (const { status, body } of [
        await manager.put(values, { values: [] }),
        await manager.get(values),
      ]) {
        expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
        expect(body.errors).toEqual([{ path: 'layerSlug', message }]);
      }
    });
  });

  it('answers 404 for a malformed id, also with a malformed slug', async () => {
    const values = '/api/v1/buildings/none/data-layers/Desk/values';
    expect((await manager.get(values)).status).toBe(404);
  });
});

describe('GET …/data-layers/{layerSlug}/values', () => {
  it('shows a page by the code of the room, with the total', async () => {
    const building = await made();
    await put(building, [
      { key: 'R3', value: 3 },
      { key: 'R1', value: 1 },
      { key: 'R2', value: 2 },
    ]);
    const { body } = await api.as('viewer@acme.test').get(`${path(building)}?limit=2&offset=1`);
    expect(body).toEqual({
      items: [
        { spaceId: expect.any(String), externalId: 'R2', value: 2, updatedAt: expect.any(String) },
        { spaceId: expect.any(String), externalId: 'R3', value: 3, updatedAt: expect.any(String) },
      ],
      limit: 2,
      offset: 1,
      total: 3,
    });
    expect(body.items[0].updatedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('keeps the time of a value that is sent again unchanged', async () => {
    const building = await made();
    const times = async () =>
      (await manager.get(path(building))).body.items.map(
        ({ updatedAt }: { updatedAt: string }) => updatedAt,
      );
    await put(building, [
      { key: 'R1', value: 1 },
      { key: 'R2', value: 2 },
    ]);
    const before = await times();
    await put(building, [
      { key: 'R1', value: 1 },
      { key: 'R2', value: 3 },
    ]);
    const after = await times();
    expect(after[0]).toBe(before[0]);
    expect(after[1] > before[1]).toBe(true);
  });

  it('answers 404 for a layer without uploads, and for unknown layers', async () => {
    const building = await made();
    expect((await manager.get(path(building))).status).toBe(404);
    await put(building, []);
    expect((await manager.get(path(building))).body).toMatchObject({ items: [], total: 0 });
    expect((await api.as('manager@globex.test').get(path(building))).status).toBe(404);
  });
});

describe('GET …/data-layers', () => {
  it('lists the layers of the building by slug, from their first upload on', async () => {
    const building = await made();
    expect((await manager.get(`${building}/data-layers`)).body.items).toEqual([]);
    for (const slug of ['rent', 'cleaning']) {
      const body = { values: [{ key: slug === 'rent' ? 'R1' : 'nowhere', value: 1 }] };
      await manager.put(`${building}/data-layers/${slug}/values`, body);
    }
    const { body } = await manager.get(`${building}/data-layers`);
    expect(body).toEqual({
      items: [
        { slug: 'cleaning', values: 0, createdAt: expect.any(String) },
        { slug: 'rent', values: 1, createdAt: expect.any(String) },
      ],
      limit: 100,
      offset: 0,
      total: 2,
    });
    const foreign = await api.as('manager@globex.test').get(`${building}/data-layers`);
    expect(foreign.status).toBe(404);
  });
});

describe('an import with replace=true', () => {
  it('keeps values of rooms matched by triple, and reports how many were removed', async () => {
    const building = await made(
      roomsOf(['a', identifiedBy('A')], ['b', identifiedBy('B')], ['c'], ['d', identifiedBy('D')]),
    );
    const before = await spacesOf(building);
    await put(building, [
      { key: 'A', value: 'kept' },
      { key: 'B', value: 'gone' },
      { key: before[2]!.id, value: 'gone too' },
    ]);
    const again = roomsOf(['renamed', identifiedBy('A')], ['c'], ['d', identifiedBy('D')]);
    const { body } = await manager.post(`${building}/import?replace=true`, again);
    expect(body.gone).toMatchObject({ storeys: 1, spaces: 2, values: 2 });
    expect(await shown(building)).toEqual({ renamed: 'kept' });
  });
});
