import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { testApi } from '../../support/api/api.ts';
import { globalId, ifcBuilding, stepFile, type IfcLines } from '../../support/domain/ifc-files.ts';
import { bodyAt, extrusion, placement, rectangle } from '../../support/domain/ifc-shapes.ts';

const api = testApi();
const manager = api.as('manager@acme.test');

const BUILDINGS = '/api/v1/buildings';
const step = { 'content-type': 'application/x-step' };

const small = (names: readonly string[] = ['Lobby', 'Office'], schema?: 'IFC2X3' | 'IFC4') =>
  ifcBuilding({
    ...(schema ? { schema } : {}),
    storeys: [
      {
        id: 'G',
        name: 'Ground',
        elevation: 0,
        spaces: names.map((longName, n) => ({ id: `R${n}`, name: `0${n}`, longName, area: 20 })),
      },
    ],
  });

const send = (file: string | Uint8Array, to = `${BUILDINGS}/import`, headers = {}) =>
  manager.post(to, file, { ...step, ...headers });
const rooms = async (id: string) => (await manager.get(`${BUILDINGS}/${id}/spaces`)).body.items;
const buildings = async () => (await manager.get(BUILDINGS)).body.total;

describe('POST /api/v1/buildings/import of an IFC file', () => {
  it.each(['IFC2X3', 'IFC4'] as const)('makes a building of %s', async (schema) => {
    const { status, headers, body } = await send(small(undefined, schema));
    expect(status).toBe(201);
    expect(headers['location']).toBe(`${BUILDINGS}/${body.buildingId}`);
    expect(body.created).toEqual({ storeys: 1, spaces: 2, elements: 0, points: 0 });
    const [first] = await rooms(body.buildingId);
    expect(first).toMatchObject({
      externalId: globalId('R0'),
      sourceSystem: 'ifc',
      code: '00',
      name: 'Lobby',
      spaceType: { slug: 'lobby' },
      areaSqm: 20,
    });
  });

  it('draws a plan of rooms with geometry, and counts those without', async () => {
    const shape = (file: IfcLines) =>
      bodyAt(file, placement(file, '$'), [extrusion(file, rectangle(file, 4, 3))]);
    const spaces = [
      { id: 'R0', name: '00', shape },
      { id: 'R1', name: '01' },
    ];
    const storeys = [{ id: 'G', name: 'Ground', elevation: 0, spaces }];
    const { status, body } = await send(ifcBuilding({ storeys }));
    expect([status, body.outlines]).toEqual([201, { spaces: 1, without: 1 }]);
    const { body: plan } = await manager.get(`${BUILDINGS}/${body.buildingId}/plan`);
    expect(plan.schematic).toBe(false);
    expect(plan.bounds).toEqual({ min: [-2, -1.5], max: [2, 1.5] });
    expect(plan.spaces[0]).toMatchObject({ code: '00', labelAt: [0, 0] });
  });

  it('accepts model/step, the registered media type', async () => {
    const { status, body } = await send(small(), undefined, { 'content-type': 'model/step' });
    expect([status, body.warnings]).toEqual([201, []]);
  });

  it('warns of content that was interpreted differently from the file', async () => {
    const file = small([String.raw`B\X2\00FCro`]);
    const key = { 'idempotency-key': randomUUID() };
    const { status, body } = await send(file, undefined, key);
    expect([status, body.warnings]).toEqual([
      201,
      [expect.stringMatching(/^line \d+: a text has a malformed \\X2\\$/)],
    ]);
    expect((await rooms(body.buildingId))[0].name).toBe('Büro');
    expect((await send(file, undefined, key)).body).toEqual(body);
  });

  it('makes one for one Idempotency-Key, and refuses the key with another file', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const one = await send(small(), undefined, key);
    const again = await send(small(), undefined, key);
    expect([again.status, again.body]).toEqual([201, one.body]);
    expect(again.headers['idempotent-replayed']).toBe('true');
    const other = await send(small(['Other']), undefined, key);
    expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  });

  const whole = small();
  it.each<[string, string | Uint8Array, RegExp]>([
    ['cut off', whole.slice(0, whole.indexOf("'Office'")), /^line 2\d: the file ends before/],
    ['with a broken instance', whole.replace("'Office'", "'Office"), /^line 2\d: a text does not/],
    ['of JSON', '{"site":{}}', /^line 1: this is no STEP file/],
    ['of another schema', whole.replace('IFC4', 'AUTOMOTIVE_DESIGN'), /^line 5: the schema is/],
    ['of bytes', Uint8Array.from({ length: 4_096 }, (_, n) => (n * 89) % 256), /^line 1: /],
    ['of nothing', '', /^line 1: /],
    ['without a building', stepFile([]), /0 buildings/],
  ])('answers 400 for one %s, with the line, and without effect', async (_, file, says) => {
    const before = await buildings();
    const { status, body } = await send(file);
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.detail).toMatch(says);
    expect(await buildings()).toBe(before);
  });

  it('answers 413 for instances or bytes without end', async () => {
    const { status, body } = await send(' '.repeat(64 * 1024 * 1024 + 1));
    expect([status, body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });
});

describe('POST /api/v1/buildings/{id}/import of an IFC file', () => {
  it('keeps ids and updates names without replace', async () => {
    const { buildingId } = (await send(small())).body;
    const before = await rooms(buildingId);
    const { body } = await send(small(['Entrance', 'Office']), `${BUILDINGS}/${buildingId}/import`);
    expect(body).toMatchObject({ created: { spaces: 0 }, updated: { spaces: 1 } });
    const after = await rooms(buildingId);
    expect(after[0]).toEqual({
      ...before[0],
      name: 'Entrance',
      spaceType: { slug: 'entrance', name: 'Entrance' },
    });
    expect(after[1]).toEqual(before[1]);
  });

  it('recreates ids with replace, and keeps GlobalIds and layer values', async () => {
    const { buildingId } = (await send(small())).body;
    const before = await rooms(buildingId);
    const values = `${BUILDINGS}/${buildingId}/data-layers/desks/values`;
    const uploaded = await manager.put(values, {
      values: [
        { key: globalId('R0'), value: 3 },
        { key: globalId('R1'), value: 4 },
      ],
    });
    expect(uploaded.body).toEqual({ written: 2, unmatched: [] });

    const into = `${BUILDINGS}/${buildingId}/import?replace=true`;
    const { body } = await send(small(['Lobby']), into);
    expect(body).toMatchObject({ removed: { spaces: 2 }, gone: { spaces: 1, values: 1 } });
    const after = await rooms(buildingId);
    expect(after).toHaveLength(1);
    expect(after[0].externalId).toBe(before[0].externalId);
    expect(after[0].id).not.toBe(before[0].id);
    const kept = (await manager.get(values)).body.items;
    expect(kept).toMatchObject([{ spaceId: after[0].id, value: 3 }]);
  });

  it.each([false, true])('keeps the codes of rooms (replace=%s)', async (replace) => {
    const doors = (...ids: readonly string[]) =>
      ifcBuilding({
        storeys: [
          {
            id: 'G',
            name: 'Ground',
            elevation: 0,
            spaces: ids.map((id) => ({ id, name: 'WC' })),
          },
        ],
      });
    const codesOf = async (id: string) =>
      Object.fromEntries(
        (await rooms(id)).map((each: { externalId: string; code: string }) => [
          each.externalId,
          each.code,
        ]),
      );
    const { buildingId } = (await send(doors('A', 'B'))).body;
    const codes = await codesOf(buildingId);
    const into = `${BUILDINGS}/${buildingId}/import?replace=${replace}`;
    expect((await send(doors('B', 'A'), into)).status).toBe(200);
    expect(await codesOf(buildingId)).toEqual(codes);

    const { status } = await send(doors('B', '0'), into);
    expect(status).toBe(200);
    expect(await codesOf(buildingId)).toEqual(
      replace
        ? { [globalId('0')]: 'WC', [globalId('B')]: 'WC (2)' }
        : { ...codes, [globalId('0')]: 'WC (3)' },
    );
  });

  it('does not change a building when the file is broken', async () => {
    const { buildingId } = (await send(small())).body;
    const before = await rooms(buildingId);
    const broken = small(['Lobby']).slice(0, -20);
    const { status } = await send(broken, `${BUILDINGS}/${buildingId}/import?replace=true`);
    expect(status).toBe(400);
    expect(await rooms(buildingId)).toEqual(before);
  });
});
