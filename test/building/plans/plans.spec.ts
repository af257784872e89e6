import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLAN_SPACES_MAX } from '../../../src/building/plans/limits.ts';
import { postgresPlans, type Plans, type StoreyPlan } from '../../../src/building/plans/plans.ts';
import type { ImportDocument } from '../../../src/domain/buildings/document.ts';
import { DRAWING_POINTS_MAX, OUTLINE_POINTS_MAX } from '../../../src/domain/buildings/limits.ts';
import { outlineArea, type Outline } from '../../../src/domain/buildings/outline.ts';
import {
  buildingOf,
  identifiedBy,
  refusalOf,
  smallBuilding,
  space,
  storey,
} from '../../support/domain/building-documents.ts';
import {
  freshGraph,
  imported,
  noon,
  type TestGraph,
} from '../../support/postgres/building-graph.ts';

let test: TestGraph;
let plans: Plans;
beforeAll(async () => {
  test = await freshGraph();
  plans = postgresPlans(test.db);
});
afterAll(() => test.close());

const importing = async (document: ImportDocument, buildingId?: string, replace = false) =>
  imported(await test.graph.importBuilding('acme', document, { ...noon, buildingId, replace }));

/** Reads a plan in both ways, which must be equal. */
const planOf = async (buildingId: string, storeyId?: string, organisation = 'acme') => {
  const place = { organisation, buildingId, storeyId };
  const plan = await plans.plan(place);
  const parsed = plan && (JSON.parse(plan.json) as StoreyPlan);
  expect(await plans.read(place)).toEqual(parsed);
  return parsed;
};

const rectangle = (x: number, y: number, width: number, depth: number): Outline => [
  [
    [x, y],
    [x + width, y],
    [x + width, y + depth],
    [x, y + depth],
  ],
];

const drawn = (): ImportDocument =>
  buildingOf(
    [
      storey('B1', { ...identifiedBy('GB'), level: -1, spaces: [space('B01')] }),
      storey('00', {
        ...identifiedBy('G0'),
        elevation: 0.5,
        height: 3.2,
        outline: rectangle(-1, -1, 12, 8),
        drawing: { walls: [rectangle(0, 0, 10, 0.2)], doors: [], windows: [] },
        spaces: [
          space('001', { ...identifiedBy('R1'), areaSqm: 20, outline: rectangle(0, 0, 5, 4) }),
          space('002', { ...identifiedBy('R2'), outline: rectangle(5, 0, 5, 4) }),
          space('003', { ...identifiedBy('R3'), areaSqm: 9 }),
        ],
      }),
    ],
    { north: 30 },
  );

describe('a plan', () => {
  it('has the rooms, walls, bounds and north of the ground floor', async () => {
    const { buildingId, outlines } = await importing(drawn());
    expect(outlines).toEqual({ spaces: 2, without: 2 });
    const plan = await planOf(buildingId);
    expect(plan).toMatchObject({
      storey: { code: '00', level: 0, elevation: 0.5, height: 3.2 },
      north: 30,
      bounds: { min: [-1, -1], max: [11, 7] },
      outline: rectangle(-1, -1, 12, 8),
      walls: [rectangle(0, 0, 10, 0.2)],
      doors: [],
      spacesTotal: 3,
      schematic: false,
    });
    expect(plan!.spaces.map(({ code, outline }) => [code, outline])).toEqual([
      ['001', rectangle(0, 0, 5, 4)],
      ['002', rectangle(5, 0, 5, 4)],
      ['003', null],
    ]);
    const [x, y] = plan!.spaces[0]!.labelAt!;
    expect([x > 1 && x < 4, y > 1 && y < 3]).toEqual([true, true]);
  });

  it('of a storey without outlines has rectangles by area, marked as such', async () => {
    const areas = [10, 20, 30, 40, 1.5];
    const spaces = areas.map((areaSqm, at) => space(`R${at}`, { areaSqm }));
    const { buildingId } = await importing(buildingOf([storey('00', { spaces })]));
    const plan = (await planOf(buildingId))!;
    expect([plan.schematic, plan.north]).toEqual([true, null]);
    const drawnAreas = plan.spaces.map(({ outline }) => outlineArea(outline!));
    for (const [at, area] of drawnAreas.entries()) expect(area).toBeCloseTo(areas[at]!, 1);
    const { min, max } = plan.bounds!;
    expect((max[0] - min[0]) * (max[1] - min[1])).toBeCloseTo(101.5, 0);
    expect(await planOf(buildingId)).toEqual(plan);
  });

  it('draws rooms of unknown area with the average area of the others', async () => {
    const spaces = [space('A', { areaSqm: 30 }), space('B'), space('C', { areaSqm: 10 })];
    const { buildingId } = await importing(buildingOf([storey('00', { spaces })]));
    const plan = (await planOf(buildingId))!;
    expect(outlineArea(plan.spaces[1]!.outline!)).toBeCloseTo(20, 1);
  });

  it('of a storey without rooms is empty', async () => {
    const { buildingId } = await importing(buildingOf([storey('00')]));
    expect(await planOf(buildingId)).toMatchObject({ spaces: [], bounds: null, schematic: false });
  });

  it('is of the requested storey, only for its organisation', async () => {
    const { buildingId } = await importing(drawn());
    const other = await importing(smallBuilding());
    const { items } = (await test.graph.storeys('acme', buildingId, { limit: 9, offset: 0 }))!;
    expect((await planOf(buildingId, items[0]!.id))!.storey.code).toBe('B1');
    expect(await planOf(other.buildingId, items[0]!.id)).toBeNull();
    expect(await planOf(buildingId, undefined, 'globex')).toBeNull();
    expect(await planOf(buildingId, 'no-id')).toBeNull();
    expect(await planOf('no-id')).toBeNull();
  });

  it('has a bounded number of rooms, and the total', async () => {
    const many = PLAN_SPACES_MAX + 1;
    const spaces = Array.from({ length: many }, (_, at) => space(String(at).padStart(5, '0')));
    const { buildingId } = await importing(buildingOf([storey('00', { spaces })]));
    const plan = (await planOf(buildingId))!;
    expect([plan.spaces.length, plan.spacesTotal]).toEqual([PLAN_SPACES_MAX, many]);
  });

  it('is the same when the document is imported again', async () => {
    const { buildingId } = await importing(drawn());
    const before = await planOf(buildingId);
    const again = await importing(drawn(), buildingId);
    expect([again.updated.spaces, again.outlines]).toEqual([0, { spaces: 2, without: 2 }]);
    expect(await planOf(buildingId)).toEqual(before);
  });

  it('keeps outlines that a later document lacks, also with replace=true', async () => {
    const { buildingId } = await importing(drawn());
    const before = (await planOf(buildingId))!;
    const silent = drawn();
    const ground = silent.building.storeys![1]!;
    for (const member of ['outline', 'drawing'] as const) delete ground[member];
    delete silent.building.north;
    ground.spaces = ground.spaces!.slice(0, 2);
    for (const room of ground.spaces) delete room.outline;
    ground.spaces[1]!.outline = rectangle(5, 0, 5, 5);
    const { outlines } = await importing(silent, buildingId, true);
    expect(outlines).toEqual({ spaces: 2, without: 1 });
    const after = (await planOf(buildingId))!;
    expect(after.storey.id).not.toBe(before.storey.id);
    expect(after).toMatchObject({ north: 30, outline: before.outline, walls: before.walls });
    expect(after.spaces.map(({ outline }) => outline)).toEqual([
      rectangle(0, 0, 5, 4),
      rectangle(5, 0, 5, 5),
    ]);
  });

  it('can hold the largest drawing and the longest outlines', async () => {
    const walls = Array.from({ length: DRAWING_POINTS_MAX / 4 }, (_, at) =>
      rectangle(-12_345.678 + at, -12_345.678, 0.123, 9.876),
    );
    const round = (at: number): Outline => [
      Array.from({ length: OUTLINE_POINTS_MAX }, (_, step) => {
        const angle = (2 * Math.PI * step) / OUTLINE_POINTS_MAX;
        return [at * 20 + 9 * Math.cos(angle), 9 * Math.sin(angle)] as const;
      }),
    ];
    const spaces = Array.from({ length: 100 }, (_, at) =>
      space(String(at), { outline: round(at) }),
    );
    const drawing = { walls, doors: [], windows: [] };
    const { buildingId } = await importing(buildingOf([storey('00', { drawing, spaces })]));
    const plan = (await plans.plan({ organisation: 'acme', buildingId }))!;
    expect(JSON.parse(plan.json)).toMatchObject({ spacesTotal: 100 });
    expect(JSON.stringify(JSON.parse(plan.json).walls).length).toBeLessThan(2_000_000);
  });

  it('names a room that is 100 km long and a millimetre wide in its middle', async () => {
    const thin = space('thin', { outline: rectangle(-50_000, 0, 100_000, 0.001) });
    const { buildingId } = await importing(buildingOf([storey('00', { spaces: [thin] })]));
    expect((await planOf(buildingId))!.spaces[0]!.labelAt).toEqual([0, 0.001]);
  });
});

describe('the outline of one space', () => {
  it('is set, replaced and removed', async () => {
    const { buildingId } = await importing(smallBuilding());
    const [room] = (await planOf(buildingId))!.spaces;
    const place = { buildingId, spaceId: room!.id };
    const outline = rectangle(0, 0, 4, 4);
    for (const _ of ['once', 'again']) {
      expect(await plans.putOutline('acme', place, outline)).toEqual({ outline });
      expect(await planOf(buildingId)).toMatchObject({
        schematic: false,
        spaces: [{ outline }, { outline: null }],
      });
    }
    for (const _ of ['once', 'again'])
      expect(await plans.putOutline('acme', place, null)).toEqual({ outline: null });
    expect((await planOf(buildingId))!.schematic).toBe(true);
  });

  it('is refused for a node that is not a space of the building and organisation', async () => {
    const { buildingId } = await importing(smallBuilding());
    const other = await importing(smallBuilding());
    const plan = (await planOf(buildingId))!;
    const put = async (organisation: string, building: string, spaceId: string) => {
      const place = { buildingId: building, spaceId };
      return refusalOf(await plans.putOutline(organisation, place, null)).refused;
    };
    const spaceId = plan.spaces[0]!.id;
    expect(await put('globex', buildingId, spaceId)).toBe('NOT_FOUND');
    expect(await put('acme', other.buildingId, spaceId)).toBe('NOT_FOUND');
    expect(await put('acme', buildingId, plan.storey.id)).toBe('NOT_FOUND');
    expect(await put('acme', buildingId, 'no-id')).toBe('NOT_FOUND');
  });
});
