import { describe, expect, it } from 'vitest';
import { OUTLINE_POINTS_MAX } from '../../../src/domain/buildings/limits.ts';
import { testApi } from '../../support/api/api.ts';
import { buildingOf, smallBuilding } from '../../support/domain/building-documents.ts';

const api = testApi();
const manager = api.as('manager@acme.test');

const square = [
  [
    [0, 0],
    [4, 0],
    [4, 4],
    [0, 4],
  ],
];

const made = async (by = manager): Promise<string> => {
  const { body } = await by.post('/api/v1/buildings/import', smallBuilding());
  return `/api/v1/buildings/${body.buildingId}`;
};
const roomOf = async (building: string, by = manager): Promise<string> =>
  (await by.get(`${building}/plan`)).body.spaces[0].id;

describe('GET /api/v1/buildings/{id}/plan', () => {
  it('answers the plan with a tag, and 304 until something of it changes', async () => {
    const building = await made();
    const { status, headers, body } = await manager.get(`${building}/plan`);
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(body).toMatchObject({ storey: { code: '00' }, schematic: true, spacesTotal: 2 });
    const again = { 'if-none-match': headers['etag']! };
    expect((await manager.get(`${building}/plan`, again)).status).toBe(304);
    const room = `${building}/spaces/${body.spaces[0].id}/outline`;
    expect((await manager.put(room, { outline: square })).status).toBe(200);
    const changed = await manager.get(`${building}/plan`, again);
    expect([changed.status, changed.body.schematic]).toEqual([200, false]);
    expect(changed.headers['etag']).not.toBe(headers['etag']);
  });

  it("answers 404 for an unknown building or storey, or another organisation's", async () => {
    const building = await made();
    const foreign = await api.as('manager@globex.test').get(`${building}/plan`);
    expect([foreign.status, foreign.body.code]).toEqual([404, 'NOT_FOUND']);
    const empty = await manager.post('/api/v1/buildings/import', buildingOf([]));
    const { status, body } = await manager.get(`/api/v1/buildings/${empty.body.buildingId}/plan`);
    expect([status, body.detail]).toEqual([404, 'No building has this id, or it has no storey.']);
    const other = await roomOf(building);
    expect((await manager.get(`${building}/plan?storeyId=${other}`)).status).toBe(404);
    expect((await manager.get(`${building}/plan?storeyId=x`)).body.code).toBe('VALIDATION_FAILED');
  });
});

describe('PUT /api/v1/buildings/{id}/spaces/{spaceId}/outline', () => {
  it('returns the stored outline, and the same for a repeat', async () => {
    const building = await made();
    const path = `${building}/spaces/${await roomOf(building)}/outline`;
    const outline = [square[0]!.toReversed().map(([x, y]) => [x! + 0.00004, y])];
    const first = await manager.put(path, { outline });
    expect([first.status, first.body.outline[0]]).toEqual([
      200,
      expect.arrayContaining(square[0]!),
    ]);
    expect((await manager.put(path, first.body)).body).toEqual(first.body);
    const gone = await manager.put(path, { outline: null });
    expect([gone.status, gone.body]).toEqual([200, { outline: null }]);
  });

  it.each<[string, unknown, RegExp]>([
    [
      'a figure of eight',
      [
        [
          [0, 0],
          [4, 4],
          [4, 0],
          [0, 2],
        ],
      ],
      /cross or touch itself/,
    ],
    [
      'too many positions',
      [Array.from({ length: OUTLINE_POINTS_MAX + 1 }, () => [0, 0])],
      /more than 200/,
    ],
    ['a text', 'round', /list of rings/],
  ])('refuses %s, with the reason', async (_, outline, says) => {
    const building = await made();
    const path = `${building}/spaces/${await roomOf(building)}/outline`;
    const { status, body } = await manager.put(path, { outline });
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.errors).toEqual([
      { path: expect.stringMatching(/^outline/), message: expect.stringMatching(says) },
    ]);
  });

  it('refuses a million positions by their number', async () => {
    const building = await made();
    const path = `${building}/spaces/${await roomOf(building)}/outline`;
    const outline = [Array.from({ length: 20_000 }, (_, at) => [at, 0])];
    expect((await manager.put(path, { outline })).status).toBeGreaterThanOrEqual(400);
    expect((await manager.get(`${building}/plan`)).body.schematic).toBe(true);
  });

  it('needs the permission to write buildings', async () => {
    const building = await made();
    const path = `${building}/spaces/${await roomOf(building)}/outline`;
    const { status, body } = await api.as('agent@acme.test').put(path, { outline: square });
    expect([status, body.code]).toEqual([403, 'PERMISSION_DENIED']);
  });

  it('answers 404 for a space of another building', async () => {
    const [building, other] = [await made(), await made()];
    const path = `${other}/spaces/${await roomOf(building)}/outline`;
    expect((await manager.put(path, { outline: square })).status).toBe(404);
  });
});
