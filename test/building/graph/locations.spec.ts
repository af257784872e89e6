import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BuildingLocation } from '../../../src/domain/buildings/location.ts';
import { batchedLocations } from '../../../src/building/graph/batched-locations.ts';
import {
  freshGraph,
  imported,
  noon,
  type TestGraph,
} from '../../support/postgres/building-graph.ts';
import {
  element,
  identifiedBy,
  buildingOf,
  refusalOf,
  smallBuilding,
  space,
  storey,
} from '../../support/domain/building-documents.ts';

let test: TestGraph;
beforeAll(async () => {
  test = await freshGraph();
});
afterAll(() => test.close());

const org = 'acme';
const all = { limit: 1_000, offset: 0 };
let buildingId: string;
/** Ids of all storeys, spaces and elements by code. */
let ids: Record<string, string>;

const readIds = async (): Promise<Record<string, string>> => {
  const { graph } = test;
  const pages = await Promise.all([
    graph.storeys(org, buildingId, all),
    graph.spaces(org, buildingId, all),
    graph.elements(org, buildingId, all),
  ]);
  return Object.fromEntries(pages.flatMap((page) => page!.items.map(({ code, id }) => [code, id])));
};

beforeEach(async () => {
  ({ buildingId } = imported(await test.graph.importBuilding(org, smallBuilding(), noon)));
  ids = await readIds();
});

const place = (storeyId?: string, spaceId?: string, elementId?: string): BuildingLocation => ({
  buildingId,
  storeyId: storeyId ?? null,
  spaceId: spaceId ?? null,
  elementId: elementId ?? null,
});

describe('the location of a ticket', () => {
  const placed = (wanted: object, organisation = org) =>
    test.graph.resolveLocation(organisation, { buildingId, ...wanted });

  it('may be just the building', async () => expect(await placed({})).toEqual(place()));

  it('follows from the finest id', async () => {
    expect(await placed({ storeyId: ids['00'] })).toEqual(place(ids['00']));
    expect(await placed({ spaceId: ids['001'] })).toEqual(place(ids['00'], ids['001']));
    expect(await placed({ elementId: ids['VAV-1'] })).toEqual(
      place(ids['00'], ids['001'], ids['VAV-1']),
    );
    expect(await placed({ elementId: ids['AHU-1'] })).toEqual(
      place(ids['00'], undefined, ids['AHU-1']),
    );
  });

  it('accepts ids in upper and lower case', async () =>
    expect(
      await test.graph.resolveLocation(org, {
        buildingId: buildingId.toUpperCase(),
        spaceId: ids['001']!.toUpperCase(),
      }),
    ).toEqual(place(ids['00'], ids['001'])));

  it('must not contradict itself', async () =>
    expect(await placed({ spaceId: ids['101'], storeyId: ids['00'] })).toMatchObject({
      refused: 'LOCATION_CONTRADICTION',
      extra: { errors: [{ path: 'storeyId' }] },
    }));

  it('accepts only internal ids of that building', async () => {
    const other = imported(await test.graph.importBuilding(org, smallBuilding(), noon)).buildingId;
    const theirs = (await test.graph.spaces(org, other, all))!.items[0]!.id;
    const points = (await test.graph.points(org, buildingId, all))!.items;
    for (const spaceId of [randomUUID(), theirs, 'R1', '001', ids['00'], points[0]!.id]) {
      expect(await placed({ spaceId })).toMatchObject({
        refused: 'REFERENCE_NOT_FOUND',
        extra: { errors: [{ path: 'spaceId' }] },
      });
    }
  });

  it('is the same when many are looked up together', async () => {
    const other = imported(await test.graph.importBuilding(org, smallBuilding(), noon)).buildingId;
    const rooms = (await test.graph.spaces(org, other, all))!.items;
    const wanted = [
      { buildingId, elementId: ids['VAV-1'] },
      { buildingId: other, spaceId: rooms[0]!.id },
      { buildingId, spaceId: rooms[0]!.id },
      { buildingId: randomUUID(), spaceId: ids['001'] },
      { buildingId: buildingId.toUpperCase() },
      { buildingId: 'B' },
    ];
    const each = await Promise.all(wanted.map((one) => test.graph.resolveLocation(org, one)));
    expect(await test.graph.resolveLocations(org, wanted)).toEqual(each);
    const gathered = batchedLocations(test.graph);
    const organisations = [org, org, org, org, 'globex', org];
    const asked = await Promise.all(
      wanted.map((one, at) => gathered.resolveLocation(organisations[at]!, one)),
    );
    expect(asked).toEqual(each.with(4, each[3]!));
    const places = [place(ids['00'], ids['001']), place(ids['01'])];
    expect(
      await Promise.all(places.map((one) => gathered.successorsOf(buildingId, [one]))),
    ).toEqual(places.map((one) => [one]));
  });

  it("does not distinguish another organisation's building from a missing one", async () => {
    const refusals = await Promise.all([
      placed({ spaceId: ids['001'] }, 'globex'),
      placed({ buildingId: randomUUID() }),
      placed({ buildingId: 'B' }),
    ]);
    for (const refusal of refusals) expect(refusal).toEqual(refusals[0]);
    expect(refusalOf(refusals[0])).toMatchObject({
      refused: 'REFERENCE_NOT_FOUND',
      extra: { errors: [{ path: 'buildingId' }] },
    });
  });
});

describe('locations after an import', () => {
  const replace = async (document = smallBuilding()) => {
    const options = { ...noon, buildingId, replace: true };
    imported(await test.graph.importBuilding(org, document, options));
    return readIds();
  };
  const after = (...places: BuildingLocation[]) => test.graph.successorsOf(buildingId, places);

  it('are those of the same external identifiers', async () => {
    const next = await replace();
    expect(next['001']).not.toBe(ids['001']);
    expect(
      await after(
        place(ids['00'], ids['001'], ids['VAV-1']),
        place(ids['01']),
        place(),
        place(ids['00'], undefined, ids['AHU-1']),
      ),
    ).toEqual([
      place(next['00'], next['001'], next['VAV-1']),
      place(next['01']),
      place(),
      place(next['00'], undefined, next['AHU-1']),
    ]);
  });

  it('are found over any number of imports in between', async () => {
    const second = await replace();
    await replace();
    const last = await replace();
    expect(await after(place(ids['00'], ids['001']), place(second['00'], second['001']))).toEqual([
      place(last['00'], last['001']),
      place(last['00'], last['001']),
    ]);
  });

  it('are known by their other ids to their organisation alone', async () => {
    const second = await replace();
    const last = await replace();
    // A current, a former and an unknown id.
    const asked = [last['001']!, second['01']!, randomUUID()];
    const found = new Map([
      [ids['001'], [last['001']]],
      [second['001'], [last['001']]],
      [ids['01'], [second['01']]],
      [last['01'], [second['01']]],
    ]);
    expect(await test.graph.aliasesOf(org, asked)).toEqual(found);
    expect(await test.graph.aliasesOf('globex', asked)).toEqual(new Map());
    const places = [ids['001']!, last['001']!];
    expect(await test.graph.placeKinds(org, places)).toEqual(
      new Map(places.map((id) => [id, 'space'])),
    );
    expect(await test.graph.placeKinds('globex', places)).toEqual(new Map());
    expect(await test.graph.placeNames(org, places)).toEqual(
      new Map(places.map((id) => [id, 'Room 001'])),
    );
    expect(await test.graph.placeNames('globex', places)).toEqual(new Map());
  });

  it('are restored with a node that is imported again', async () => {
    await replace(buildingOf());
    expect(await after(place(ids['00'], ids['001']))).toEqual([place()]);
    const last = await replace();
    expect(await after(place(ids['00'], ids['001']))).toEqual([place(last['00'], last['001'])]);
  });

  it('stay the same where no node was recreated', async () => {
    const here = place(ids['00'], ids['001'], ids['VAV-1']);
    expect(await after(here)).toEqual([here]);
  });

  it('follow a room that has moved', async () => {
    const next = await replace(
      buildingOf([
        storey('00', identifiedBy('G0')),
        storey('01', { ...identifiedBy('G1'), spaces: [space('001', identifiedBy('R1'))] }),
      ]),
    );
    expect(await after(place(ids['00'], ids['001'], ids['VAV-1']))).toEqual([
      place(next['01'], next['001']),
    ]);
  });

  it('fall back to the storey where the room is gone, and are empty where all are', async () => {
    const next = await replace(buildingOf([storey('00', identifiedBy('G0'))]));
    expect(await after(place(ids['00'], ids['001']), place(ids['01'], ids['101']))).toEqual([
      place(next['00']),
      place(),
    ]);
  });

  it('are lost without an external identifier', async () => {
    const bare = buildingOf([storey('9', { spaces: [space('901')] })]);
    const first = await replace(bare);
    await replace(bare);
    expect(await after(place(first['9'], first['901']))).toEqual([place()]);
  });

  it('do not follow an identifier to another kind of node', async () => {
    await replace(buildingOf([storey('00', { elements: [element('1', identifiedBy('R1'))] })]));
    expect(await after(place(undefined, ids['001']))).toEqual([place()]);
  });

  it('are unchanged where the building does not exist', async () => {
    const lost = { ...place(ids['00'], ids['001']), buildingId: randomUUID() };
    expect(await test.graph.successorsOf(lost.buildingId, [lost])).toEqual([lost]);
  });

  it('are not searched in other buildings', async () => {
    const other = imported(await test.graph.importBuilding(org, smallBuilding(), noon)).buildingId;
    await replace();
    expect(await test.graph.successorsOf(other, [place(ids['00'], ids['001'])])).toEqual([
      { ...place(), buildingId },
    ]);
  });
});
