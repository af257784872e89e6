import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ImportDocument } from '../../../src/domain/buildings/document.ts';
import { MODELS_MAX } from '../../../src/domain/buildings/limits.ts';
import type { PlanReference } from '../../../src/domain/buildings/plan-reference.ts';
import type { ImportOptions } from '../../../src/building/graph/graph.ts';
import {
  buildingOf,
  element,
  identifiedBy,
  point,
  refusalOf,
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
beforeAll(async () => {
  test = await freshGraph();
});
afterAll(() => test.close());

const all = { limit: 1_000, offset: 0 };

type Given = Omit<Partial<ImportOptions>, 'buildingId'>;

const importing = async (document: ImportDocument, buildingId?: string, given: Given = {}) =>
  imported(await test.graph.importBuilding('acme', document, { ...noon, buildingId, ...given }));

const square = (x: number, size = 4): [number, number][][] => [
  [
    [x, 0],
    [x + size, 0],
    [x + size, size],
    [x, size],
  ],
];

const room = (code: string, x: number) =>
  space(code, { ...identifiedBy(code), outline: square(x) });

/** Two rooms side by side. */
const architecture = (...rooms: ReturnType<typeof room>[]) =>
  buildingOf([storey('00', { ...identifiedBy('G'), elevation: 0, spaces: rooms })]);
const twoRooms = () => architecture(room('A', 0), room('B', 4.2));

const lamp = (code: string, x: number, prefix = '') =>
  element(`${prefix}${code}`, {
    ...identifiedBy(`${prefix}${code}`),
    x,
    y: 1,
    points: [point(`${prefix}${code}-P`, identifiedBy(`${prefix}${code}-P`))],
  });

const discipline = (prefix = '', ...xs: number[]) =>
  buildingOf([storey('00', { elements: xs.map((x, index) => lamp(`L${index}`, x, prefix)) })]);

/** The room's code of each element; `null` where it is on a storey. */
const roomsOf = async (buildingId: string) => {
  const elements = (await test.graph.elements('acme', buildingId, all))!.items;
  const spaces = (await test.graph.spaces('acme', buildingId, all))!.items;
  const codes = new Map(spaces.map(({ id, code }) => [id, code]));
  return Object.fromEntries(
    elements.map(({ code, spaceId }) => [code, spaceId && codes.get(spaceId)]),
  );
};

/** Every column of every node of a model. */
const rowsOf = async (buildingId: string, model: string | null) => {
  const { rows } = await test.db.query<{ row: string }>(
    `select row_to_json(n)::text || coalesce(row_to_json(s)::text, '')
              || coalesce(row_to_json(r)::text, '') || coalesce(row_to_json(e)::text, '')
              || coalesce(row_to_json(p)::text, '') || coalesce(row_to_json(o)::text, '') as row
     from graph.node n left join graph.storey s using (id) left join graph.space r using (id)
     left join graph.element e using (id) left join graph.point p using (id)
     left join graph.outline o on o.node_id = n.id
     where n.building_id = $1 and n.model is not distinct from $2 and n.kind <> 'building'
     order by n.id`,
    [buildingId, model],
  );
  return rows.map(({ row }) => row);
};

/** The codes of nodes that have an outline or a drawing. */
const shownIn = async (buildingId: string) => {
  const { rows } = await test.db.query<{ code: string }>(
    `select n.code from graph.node n join graph.outline o on o.node_id = n.id
     where n.building_id = $1
     union
     select n.code from graph.node n join graph.drawing d on d.storey_id = n.id
     where n.building_id = $1
     order by code`,
    [buildingId],
  );
  return rows.map(({ code }) => code);
};

const electrical = { model: 'electrical' } as const;
const plumbing = { model: 'plumbing' } as const;

describe('the elements of a model', () => {
  it('are in the rooms of another model whose outlines contain them, in any order', async () => {
    const found = { L0: 'A', L1: 'B', L2: null };
    const document = discipline('', 1, 5, 20);
    const first = await importing(twoRooms());
    const { elements } = await importing(document, first.buildingId, electrical);
    expect(elements).toEqual({ contained: 0, byGeometry: 2, onStorey: 1 });
    expect(await roomsOf(first.buildingId)).toEqual(found);

    const second = await importing(document, undefined, electrical);
    expect(await roomsOf(second.buildingId)).toEqual({ L0: null, L1: null, L2: null });
    await importing(twoRooms(), second.buildingId);
    expect(await roomsOf(second.buildingId)).toEqual(found);
  });

  it('are imported idempotently', async () => {
    const { buildingId } = await importing(twoRooms());
    await importing(discipline('', 1, 5), buildingId, electrical);
    const before = await rowsOf(buildingId, 'electrical');
    const { created, updated } = await importing(discipline('', 1, 5), buildingId, electrical);
    expect([created.elements, updated.elements]).toEqual([0, 0]);
    expect(await rowsOf(buildingId, 'electrical')).toEqual(before);
  });

  it('follow the outlines of rooms, and move to the storey without their room', async () => {
    const { buildingId } = await importing(twoRooms());
    await importing(discipline('', 1, 5), buildingId, electrical);
    const points = (await test.graph.points('acme', buildingId, all))!.items;

    await importing(architecture(room('A', 4.2), room('B', 0)), buildingId);
    expect(await roomsOf(buildingId)).toEqual({ L0: 'B', L1: 'A' });
    await importing(architecture(room('C', 0)), buildingId, { replace: true });
    expect(await roomsOf(buildingId)).toEqual({ L0: 'C', L1: null });
    await importing(buildingOf([]), buildingId, { replace: true });
    expect(await roomsOf(buildingId)).toEqual({ L0: null, L1: null });

    const after = (await test.graph.points('acme', buildingId, all))!.items;
    expect(after.map(({ id }) => id)).toEqual(points.map(({ id }) => id));
  });

  it('stay in the room given in their own document', async () => {
    const { buildingId } = await importing(twoRooms());
    const inB = space('B', { ...identifiedBy('B'), elements: [lamp('L0', 1)] });
    await importing(buildingOf([storey('00', { spaces: [inB] })]), buildingId, electrical);
    expect(await roomsOf(buildingId)).toEqual({ L0: 'B' });
  });
});

describe('renewing a model', () => {
  it.each([true, false])('with replace=%s changes no row of the other models', async (replace) => {
    const { buildingId } = await importing(twoRooms());
    await importing(discipline('e', 1, 5), buildingId, electrical);
    await importing(discipline('p', 2, 6), buildingId, plumbing);
    const others = async () => [
      await rowsOf(buildingId, null),
      await rowsOf(buildingId, 'plumbing'),
    ];
    const before = await others();
    const outcome = await importing(discipline('e', 6), buildingId, { ...electrical, replace });
    expect(outcome.removed.elements).toBe(replace ? 2 : 0);
    expect(await others()).toEqual(before);
  });

  it('removes nodes that it no longer has, and is listed as long as it has any', async () => {
    const { buildingId } = await importing(twoRooms());
    const models = async () => (await test.graph.building('acme', buildingId))!.models;
    await importing(discipline('p', 2), buildingId, plumbing);
    await importing(discipline('e', 1), buildingId, electrical);
    expect(await models()).toEqual(['electrical', 'plumbing']);
    await importing(buildingOf([]), buildingId, { ...electrical, replace: true });
    expect(await models()).toEqual(['plumbing']);
    expect(await roomsOf(buildingId)).toEqual({ pL0: 'A' });
  });

  it('draws only undrawn rooms and storeys of another model', async () => {
    const { buildingId } = await importing(
      architecture(room('A', 0), space('B', identifiedBy('B'))),
    );
    const drawn = async () =>
      (
        await test.db.query<{ code: string; rings: unknown }>(
          `select n.code, o.rings from graph.outline o join graph.node n on n.id = o.node_id
           where n.building_id = $1 order by n.code`,
          [buildingId],
        )
      ).rows.map(({ code, rings }) => [code, rings]);
    const document = buildingOf([
      storey('00', { outline: square(0, 9), spaces: [room('A', 1), room('B', 5)] }),
    ]);
    await importing(document, buildingId, electrical);
    const expected = [
      ['00', square(0, 9)],
      ['A', square(0)],
      ['B', square(5)],
    ];
    expect(await drawn()).toEqual(expected);
  });

  it('lists only its own nodes', async () => {
    const { buildingId } = await importing(twoRooms());
    await importing(discipline('p', 2), buildingId, plumbing);
    await importing(discipline('e', 1), buildingId, electrical);
    const of = async (model: string) => [
      (await test.graph.elements('acme', buildingId, { ...all, model }))!.items,
      (await test.graph.points('acme', buildingId, { ...all, model }))!.items,
      (await test.graph.spaces('acme', buildingId, { ...all, model }))!.items,
    ];
    const codes = (await of('electrical')).map((rows) =>
      rows.map(({ code, model }) => [code, model]),
    );
    expect(codes).toEqual([[['eL0', 'electrical']], [['eL0-P', 'electrical']], []]);
  });
});

it('a building has a bounded number of models', async () => {
  const { buildingId } = await importing(twoRooms());
  await test.db.query(
    `insert into graph.node (id, building_id, kind, code, name, model)
     select gen_random_uuid(), $1, 'element', 'n' || n, 'n', 'm' || n
     from generate_series(1, $2) n`,
    [buildingId, MODELS_MAX],
  );
  const outcome = await test.graph.importBuilding('acme', discipline('e', 1), {
    ...noon,
    ...electrical,
    buildingId,
  });
  expect(refusalOf(outcome)).toMatchObject({
    refused: 'CONFLICT',
    extra: { errors: [{ path: 'model' }] },
  });
});

describe('the coordinates of a file', () => {
  const at = (x: number, turn = 0): PlanReference => ({
    project: { turn, shift: [x, 0] },
    site: { turn: 0, shift: [0, 0] },
    crs: null,
  });
  const elsewhere = { ...at(0), site: { turn: 0, shift: [3, 0] as const } };

  it("are converted to those of the building's plans", async () => {
    const { buildingId } = await importing(twoRooms(), undefined, { reference: at(100) });
    const given = { ...electrical, reference: at(90) };
    const { warnings } = await importing(discipline('', 11, 15), buildingId, given);
    expect(warnings).toEqual([]);
    expect(await roomsOf(buildingId)).toEqual({ L0: 'A', L1: 'B' });
  });

  it('that cannot be compared assign no room, draw no outline, and cause a warning', async () => {
    const { buildingId } = await importing(twoRooms(), undefined, { reference: at(0) });
    const shown = async () => (await test.db.query('select * from graph.outline')).rows;
    const before = await shown();
    const document = buildingOf([
      storey('00', { spaces: [room('E', 1)], elements: [lamp('L0', 1)] }),
    ]);
    const given = { ...electrical, reference: elsewhere };
    const { warnings, elements } = await importing(document, buildingId, given);
    expect(warnings).toEqual([expect.stringContaining('has another origin')]);
    expect(elements).toEqual({ contained: 0, byGeometry: 0, onStorey: 1 });
    expect(await shown()).toEqual(before);
  });

  it('are unknown where outlines were imported without them, until a new import', async () => {
    const { buildingId } = await importing(twoRooms());
    const given = { ...electrical, reference: at(0) };
    const { warnings } = await importing(discipline('', 1), buildingId, given);
    expect(warnings).toEqual([expect.stringContaining("building's plans is unknown")]);
    await importing(twoRooms(), buildingId, { reference: at(0) });
    const again = await importing(discipline('', 1), buildingId, given);
    expect([again.warnings, again.elements.byGeometry]).toEqual([[], 1]);
  });

  it('turn north with them, which a file that cannot be compared does not give', async () => {
    const facing = (north: number) => buildingOf([], { north });
    const northOf = async (buildingId: string) =>
      (
        await test.db.query<{ north: number | null }>(
          'select north from graph.building where id = $1',
          [buildingId],
        )
      ).rows[0]!.north;
    const { buildingId } = await importing(twoRooms(), undefined, { reference: at(0) });
    await importing(facing(10), buildingId, { ...electrical, reference: elsewhere });
    expect(await northOf(buildingId)).toBeNull();
    const turned = at(0, Math.PI / 2);
    await importing(facing(10), buildingId, { ...electrical, reference: turned });
    expect(await northOf(buildingId)).toBe(280);
    await importing(facing(20), buildingId, { reference: turned });
    expect(await northOf(buildingId)).toBe(290);
    await importing(twoRooms(), buildingId, { reference: elsewhere });
    expect(await northOf(buildingId)).toBeNull();
  });

  it('are replaced by those of the building’s own file; elements keep rooms', async () => {
    const own = buildingOf([
      storey('00', {
        ...identifiedBy('G'),
        elevation: 0,
        outline: square(0, 9),
        drawing: { walls: [square(0)], doors: [], windows: [] },
        spaces: [room('A', 0), room('B', 4.2)],
        elements: [lamp('L1', 5, 'own'), lamp('L2', 1, 'own')],
      }),
    ]);
    const { buildingId } = await importing(own, undefined, { reference: at(0) });
    const kitchen = architecture(room('K', 50));
    await importing(kitchen, buildingId, { model: 'kitchen', reference: at(0) });
    await importing(discipline('', 1), buildingId, { ...electrical, reference: at(0) });
    // With the numbers that it had before, and one where a room of another model was.
    const moved = buildingOf([
      storey('00', {
        ...identifiedBy('G'),
        spaces: [room('A', 0)],
        elements: [lamp('L2', 1, 'own'), lamp('L3', 51, 'own')],
      }),
    ]);
    const { warnings, outlines } = await importing(moved, buildingId, { reference: elsewhere });
    expect(warnings).toEqual([
      expect.stringMatching(/different origin.* 4 outlines and drawings.* 2 elements/),
    ]);
    expect(outlines).toEqual({ spaces: 1, without: 2 });
    expect(await shownIn(buildingId)).toEqual(['A']);
    const kept = { L0: 'A', ownL1: 'B', ownL2: 'A' };
    expect(await roomsOf(buildingId)).toEqual({ ...kept, ownL3: null });
    await importing(discipline('', 51), buildingId, { ...electrical, reference: elsewhere });
    expect(await roomsOf(buildingId)).toEqual({ ...kept, L0: null, ownL3: null });
  });

  it.each([true, false])('are replaced with replace=%s for all models', async (replace) => {
    const { buildingId } = await importing(twoRooms(), undefined, { reference: at(0) });
    const kitchen = architecture(room('K', 50));
    await importing(kitchen, buildingId, { model: 'kitchen', reference: at(0) });
    const moved = architecture(room('A', 0), space('B', identifiedBy('B')));
    await importing(moved, buildingId, { replace, reference: elsewhere });
    expect(await shownIn(buildingId)).toEqual(['A']);
    await importing(architecture(room('K', 9)), buildingId, {
      model: 'kitchen',
      reference: elsewhere,
    });
    expect(await shownIn(buildingId)).toEqual(['A', 'K']);
  });

  it.each([
    ['an outline', { outline: square(0, 9) }],
    ['a drawing', { drawing: { walls: [square(0)], doors: [], windows: [] } }],
  ])('are not those of a removed model, also with %s on a storey of another', async (_, shape) => {
    const { buildingId } = await importing(architecture());
    const wrong = buildingOf([storey('00', { ...shape, spaces: [room('X', 0)] })]);
    const own = { model: 'wrong', reference: at(0) };
    await importing(wrong, buildingId, own);
    const other = { ...electrical, reference: elsewhere };
    const { warnings } = await importing(architecture(room('A', 0)), buildingId, other);
    expect(warnings).toEqual([expect.stringContaining('has another origin')]);

    await importing(buildingOf([]), buildingId, { ...own, replace: true });
    expect(await shownIn(buildingId)).toEqual(['00']);
    const again = await importing(architecture(room('A', 0)), buildingId, other);
    expect(again.warnings).toEqual([expect.stringContaining('1 outlines and drawings')]);
    expect(await shownIn(buildingId)).toEqual(['A']);
  });

  it('stay while their model has nodes and another has drawn its storeys', async () => {
    const { buildingId } = await importing(
      buildingOf([storey('E', { elements: [element('L')] })]),
      undefined,
      { ...electrical, reference: at(0) },
    );
    const drawing = { walls: [square(0)], doors: [], windows: [] };
    const shell = buildingOf([storey('00', { ...identifiedBy('G'), drawing })]);
    await importing(shell, buildingId, { reference: at(0) });
    const other = { ...plumbing, reference: elsewhere };
    const { warnings } = await importing(discipline('p', 1), buildingId, other);
    expect(warnings).toEqual([expect.stringContaining('has another origin')]);
    expect(await shownIn(buildingId)).toEqual(['00']);
  });

  it.each([null, 'electrical'])(
    'that nothing is drawn in are replaced by those of a file far away, of model %s',
    async (model) => {
      const nothing = buildingOf([storey('00', { ...identifiedBy('G'), elevation: 0 })]);
      const { buildingId } = await importing(nothing, undefined, {
        ...electrical,
        reference: at(0),
      });
      const given = { model, reference: at(3_500_000) };
      const { warnings } = await importing(twoRooms(), buildingId, given);
      expect(warnings).toEqual([]);
      expect(await shownIn(buildingId)).toEqual(['A', 'B']);
    },
  );

  describe('in the map numbers of an earlier release', () => {
    const motion = { turn: 0, shift: [500_000, 0] as const };
    const mapped = (x: number): PlanReference => ({
      ...at(x),
      crs: { ...motion, system: 'EPSG:25832' },
    });
    const former = { ...at(100), crs: undefined, map: { turn: 0, shift: [500, 0] } };
    const imports = async () => {
      const { buildingId } = await importing(twoRooms(), undefined, { reference: mapped(100) });
      await test.db.query('update graph.building set plan_frame = $2 where id = $1', [
        buildingId,
        { ...former, map: { ...former.map, system: 'EPSG:25832' } },
      ]);
      return buildingId;
    };
    const moved = { ...at(0), site: { turn: 0, shift: [3, 0] as const }, crs: mapped(0).crs };

    it('are compared by sites', async () => {
      const buildingId = await imports();
      const again = await importing(twoRooms(), buildingId, { reference: mapped(100) });
      expect([again.warnings, await shownIn(buildingId)]).toEqual([[], ['A', 'B']]);
      const given = { ...electrical, reference: mapped(90) };
      await importing(discipline('', 11, 15), buildingId, given);
      expect(await roomsOf(buildingId)).toEqual({ L0: 'A', L1: 'B' });
    });

    it('get those of the map with the next import of their model', async () => {
      const buildingId = await imports();
      const given = { ...electrical, reference: moved };
      const before = await importing(discipline('', 101), buildingId, given);
      expect(before.warnings).toEqual([expect.stringContaining('has another origin')]);
      // The model's own plan coordinates may have moved: the building's stay.
      await importing(architecture(), buildingId, { reference: mapped(70) });
      const after = await importing(discipline('', 101, 105), buildingId, given);
      expect(after.warnings).toEqual([]);
      expect(await roomsOf(buildingId)).toEqual({ L0: 'A', L1: 'B' });
    });
  });
});
