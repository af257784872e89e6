import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countsOf, draftsOf } from '../../../src/domain/buildings/nodes.ts';
import type { ImportDocument } from '../../../src/domain/buildings/document.ts';
import { postgresGraph } from '../../../src/building/graph/postgres-graph.ts';
import { isRefusal } from '../../../src/engine/aggregates/decider.ts';
import { poolOf } from '../../support/postgres/pool.ts';
import {
  freshGraph,
  imported,
  noon,
  type TestGraph,
} from '../../support/postgres/building-graph.ts';
import {
  anyDocument,
  element,
  identifiedBy,
  buildingOf,
  point,
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
const none = { storeys: 0, spaces: 0, elements: 0, points: 0 };

const create = async (document: ImportDocument) =>
  imported(await test.graph.importBuilding(org, document, noon));
const again = (buildingId: string, document: ImportDocument, replace = false) =>
  test.graph.importBuilding(org, document, { ...noon, buildingId, replace });

/** All nodes of the building, as text. */
const shown = async (buildingId: string) => {
  const { graph } = test;
  return JSON.stringify([
    await graph.building(org, buildingId),
    await graph.storeys(org, buildingId, all),
    await graph.spaces(org, buildingId, all),
    await graph.elements(org, buildingId, all),
    await graph.points(org, buildingId, all),
  ]);
};

const idsOf = (text: string, buildingId: string): string[] =>
  [...text.matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id!).filter((id) => id !== buildingId);

const countRows = async (table: string) =>
  (await test.db.query<{ n: number }>(`select count(*)::int as n from graph.${table}`)).rows[0]!.n;

describe('a new building', () => {
  it('is returned as in the document, with new ids', async () => {
    const { buildingId, created, updated, removed } = await create(smallBuilding());
    expect(created).toEqual({ storeys: 2, spaces: 3, elements: 2, points: 2 });
    expect([updated, removed]).toEqual([none, none]);

    const storeys = (await test.graph.storeys(org, buildingId, all))!.items;
    expect(storeys.map(({ code, level }) => [code, level])).toEqual([
      ['00', 0],
      ['01', 1],
    ]);
    const spaces = (await test.graph.spaces(org, buildingId, all))!.items;
    expect(spaces[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      externalId: 'R1',
      sourceSystem: 'cad',
      model: null,
      code: '001',
      name: 'Room 001',
      storey: { id: storeys[0]!.id, code: '00', name: 'Storey 00' },
      spaceType: { slug: 'office', name: 'Office' },
      areaSqm: 20,
      status: 'active',
      isLeasable: true,
    });
    expect(spaces[1]).toMatchObject({
      areaSqm: null,
      isLeasable: false,
      spaceType: { slug: 'meeting-room', name: 'Meeting room' },
    });
    const elements = (await test.graph.elements(org, buildingId, all))!.items;
    expect(elements.map(({ code, spaceId, storeyId }) => ({ code, spaceId, storeyId }))).toEqual([
      { code: 'AHU-1', spaceId: null, storeyId: storeys[0]!.id },
      { code: 'VAV-1', spaceId: spaces[0]!.id, storeyId: storeys[0]!.id },
    ]);
    const points = (await test.graph.points(org, buildingId, all))!.items;
    expect(points[0]).toEqual({
      id: expect.any(String),
      externalId: 'P1',
      sourceSystem: 'cad',
      model: null,
      code: 'T-1',
      name: 'Point T-1',
      elementId: elements[1]!.id,
      spaceId: spaces[0]!.id,
      storeyId: storeys[0]!.id,
      pointClass: 'Zone_Air_Temperature_Sensor',
      valueType: 'number',
      unit: null,
      latest: null,
    });
  });

  it('is created again by each import, on the same site', async () => {
    const [one, two] = [await create(smallBuilding()), await create(smallBuilding())];
    expect(one.buildingId).not.toBe(two.buildingId);
    const rows = await Promise.all(
      [one, two].map(({ buildingId }) => test.graph.building(org, buildingId)),
    );
    expect(rows[0]!.site).toEqual(rows[1]!.site);
  });

  it('does not wait for an import into another building of its site', async () => {
    const { buildingId } = await create(smallBuilding());
    const hasty = poolOf(test.url, { lock_timeout: 1_000 });
    const graph = postgresGraph({ db: hasty });
    const other = await test.db.connect();
    try {
      await other.query('begin');
      await other.query(
        `select from graph.site join graph.building on site_id = site.id
         where building.id = $1 for no key update of site`,
        [buildingId],
      );
      for (const options of [{ ...noon, buildingId }, noon])
        imported(await graph.importBuilding(org, smallBuilding(), options));
    } finally {
      other.release(true);
      await hasty.end();
    }
  });

  it('may have no storeys', async () => {
    expect((await create(buildingOf())).created).toEqual(none);
  });
});

describe('replace=false', () => {
  it('is idempotent', async () => {
    const { buildingId } = await create(smallBuilding());
    const before = await shown(buildingId);
    const result = imported(await again(buildingId, smallBuilding()));
    expect(result).toMatchObject({ created: none, updated: none, removed: none });
    expect(await shown(buildingId)).toBe(before);
  });

  it('adds new nodes, updates names, and removes no node', async () => {
    const { buildingId } = await create(smallBuilding());
    const before = await shown(buildingId);
    const more = buildingOf(
      [
        storey('00', {
          ...identifiedBy('G0'),
          name: 'Ground floor',
          spaces: [space('001', { ...identifiedBy('R1'), name: 'Library' }), space('003')],
        }),
      ],
      { name: 'Town hall' },
    );
    const result = imported(await again(buildingId, more));
    expect(result).toMatchObject({
      created: { ...none, spaces: 1 },
      updated: { ...none, storeys: 1, spaces: 1 },
      removed: none,
    });
    const after = await shown(buildingId);
    expect(new Set(idsOf(after, buildingId))).toEqual(
      new Set([...idsOf(before, buildingId), ...idsOf(after, buildingId)]),
    );
    expect(idsOf(before, buildingId).every((id) => after.includes(id))).toBe(true);
    expect(after).toContain('Library');
    expect(await test.graph.building(org, buildingId)).toMatchObject({ name: 'Town hall' });
    const library = (await test.graph.spaces(org, buildingId, all))!.items[0]!;
    expect(library).toMatchObject({ areaSqm: 20, isLeasable: true });
  });

  it('lets two rooms swap their codes', async () => {
    const { buildingId } = await create(smallBuilding());
    const before = (await test.graph.spaces(org, buildingId, all))!.items;
    const swapped = buildingOf([
      storey('00', {
        ...identifiedBy('G0'),
        spaces: [space('002', identifiedBy('R1')), space('001', identifiedBy('R2'))],
      }),
    ]);
    expect(imported(await again(buildingId, swapped)).updated.spaces).toBe(2);
    const after = (await test.graph.spaces(org, buildingId, all))!.items;
    expect(after.map(({ id }) => id)).toEqual([before[1]!.id, before[0]!.id, before[2]!.id]);
  });

  it('gives the former code of a room to a new one', async () => {
    const { buildingId } = await create(smallBuilding());
    const next = buildingOf([
      storey('00', {
        ...identifiedBy('G0'),
        spaces: [space('009', identifiedBy('R1')), space('001', identifiedBy('R9'))],
      }),
    ]);
    expect(imported(await again(buildingId, next))).toMatchObject({
      created: { spaces: 1 },
      updated: { spaces: 1 },
    });
    const { items } = (await test.graph.spaces(org, buildingId, all))!;
    expect(items.map(({ code, externalId }) => [code, externalId])).toEqual([
      ['001', 'R9'],
      ['002', 'R2'],
      ['009', 'R1'],
      ['101', 'R3'],
    ]);
  });

  it('renames the site, and moves the building to another', async () => {
    const { buildingId } = await create(smallBuilding());
    const siteAfter = async (code: string, name: string) => {
      imported(await again(buildingId, { ...smallBuilding(), site: { code, name } }));
      return (await test.graph.building(org, buildingId))!.site;
    };
    const renamed = await siteAfter('S', 'Campus');
    expect(renamed).toMatchObject({ code: 'S', name: 'Campus' });
    const moved = await siteAfter('T', 'Town');
    expect(moved).toMatchObject({ code: 'T', name: 'Town' });
    expect((await siteAfter('S', 'Site')).id).toBe(renamed.id);
  });

  it('moves a room to another storey, with its elements', async () => {
    const { buildingId } = await create(smallBuilding());
    const moved = buildingOf([
      storey('01', { level: 1, spaces: [space('001', identifiedBy('R1'))] }),
    ]);
    imported(await again(buildingId, moved));
    const [room] = (await test.graph.spaces(org, buildingId, all))!.items;
    expect(room!.storey.code).toBe('01');
    const inside = (await test.graph.elements(org, buildingId, all))!.items[1]!;
    expect(inside).toMatchObject({ code: 'VAV-1', storeyId: room!.storey.id });
  });
});

describe('replace=true', () => {
  it('recreates every internal id and keeps the external ones', async () => {
    const { buildingId } = await create(smallBuilding());
    const before = await shown(buildingId);
    const result = imported(await again(buildingId, smallBuilding(), true));
    expect(result).toMatchObject({
      buildingId,
      created: { storeys: 2, spaces: 3, elements: 2, points: 2 },
      updated: none,
      removed: { storeys: 2, spaces: 3, elements: 2, points: 2 },
    });
    const after = await shown(buildingId);
    const site = (await test.graph.building(org, buildingId))!.site.id;
    const kept = idsOf(before, buildingId).filter((id) => after.includes(id));
    expect(new Set(kept)).toEqual(new Set([site]));
    const external = (text: string) => [...text.matchAll(/"externalId":"([^"]+)"/g)].map(String);
    expect(external(after)).toEqual(external(before));
  });

  it('removes nodes that the document lacks', async () => {
    const { buildingId } = await create(smallBuilding());
    const result = imported(await again(buildingId, buildingOf([storey('00')]), true));
    expect(result).toMatchObject({ created: { ...none, storeys: 1 }, removed: { storeys: 2 } });
    expect((await test.graph.spaces(org, buildingId, all))!.total).toBe(0);
  });
});

describe('all or nothing', () => {
  it.each<[string, ImportDocument]>([
    ['a code twice', buildingOf([storey('00', { spaces: [space('1'), space('1')] })])],
    [
      'a triple twice, in different kinds',
      buildingOf([storey('00', { ...identifiedBy('X'), spaces: [space('1', identifiedBy('X'))] })]),
    ],
    [
      "the building's own triple on a room",
      buildingOf([storey('0', identifiedBy('X'))], identifiedBy('X')),
    ],
  ])('refuses %s and changes no row', async (_, document) => {
    const before = await Promise.all(['building', 'node', 'announcement'].map(countRows));
    const refusal = refusalOf(await test.graph.importBuilding(org, document, noon));
    expect(refusal.refused).toBe('CONFLICT');
    expect(refusal.extra?.['errors']).toHaveLength(1);
    expect(await Promise.all(['building', 'node', 'announcement'].map(countRows))).toEqual(before);
  });

  it('refuses a code of another node of the building, and changes no node', async () => {
    const { buildingId } = await create(smallBuilding());
    const before = await shown(buildingId);
    const clash = buildingOf([
      storey('00', {
        ...identifiedBy('G0'),
        name: 'Renamed',
        spaces: [space('new'), space('002', identifiedBy('R9'))],
      }),
    ]);
    const refusal = refusalOf(await again(buildingId, clash));
    expect(refusal).toMatchObject({
      refused: 'CONFLICT',
      extra: { errors: [{ path: 'building.storeys[0].spaces[1]' }] },
    });
    expect(await shown(buildingId)).toBe(before);
  });

  it('warns of one code for nodes of different kinds', async () => {
    const document = buildingOf([
      storey('1', { spaces: [space('1', { elements: [element('1', { points: [point('1')] })] })] }),
    ]);
    const { created, warnings } = await create(document);
    expect(created).toEqual({ storeys: 1, spaces: 1, elements: 1, points: 1 });
    expect(warnings).toEqual(['codes of nodes of more than one kind: 1, first "1"']);
  });
});

describe('for any two documents, one after the other', () => {
  const nodesIn = async (buildingId: string) => {
    const { rows } = await test.db.query<{ kind: string; code: string; name: string }>(
      'select kind, code, name from graph.node where building_id = $1',
      [buildingId],
    );
    return rows.map((row) => JSON.stringify(row));
  };
  const nodesOf = (document: ImportDocument) =>
    draftsOf(document).map(({ kind, code, name }) => JSON.stringify({ kind, code, name }));

  it('replace=false keeps every id, and is idempotent', async () => {
    await fc.assert(
      fc.asyncProperty(anyDocument, anyDocument, async (first, second) => {
        const { buildingId } = await create(first);
        const before = await shown(buildingId);
        const outcome = await again(buildingId, second);
        const after = await shown(buildingId);
        expect(idsOf(before, buildingId).filter((id) => !after.includes(id))).toEqual([]);

        const refused = isRefusal(outcome);
        const nodes = new Set(await nodesIn(buildingId));
        const missing = nodesOf(second).filter((node) => !nodes.has(node));
        expect(refused ? [] : missing).toEqual([]);
        const nothing = { created: none, updated: none, removed: none };
        const expected = refused ? { refused: 'CONFLICT' } : nothing;
        expect(await again(buildingId, second)).toMatchObject(expected);
        expect(await shown(buildingId)).toBe(refused ? before : after);
      }),
      { numRuns: 60 },
    );
  });

  it('replace=true leaves only the nodes of the second, under new ids', async () => {
    await fc.assert(
      fc.asyncProperty(anyDocument, anyDocument, async (first, second) => {
        const { buildingId } = await create(first);
        const before = await test.graph.spaces(org, buildingId, all);
        const result = imported(await again(buildingId, second, true));
        expect(result.created).toEqual(countsOf(draftsOf(second)));
        expect(result.removed).toEqual(countsOf(draftsOf(first)));
        expect((await nodesIn(buildingId)).sort()).toEqual(nodesOf(second).sort());
        const after = await test.graph.spaces(org, buildingId, all);
        const ids = new Set(before!.items.map(({ id }) => id));
        expect(after!.items.filter(({ id }) => ids.has(id))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});

describe('concurrently', () => {
  it('two imports into one building are serialised', async () => {
    const { buildingId } = await create(smallBuilding());
    const outcomes = await Promise.all(
      [1, 2, 3, 4].map(() => again(buildingId, smallBuilding(), true)),
    );
    expect(outcomes.map((outcome) => imported(outcome).removed.spaces)).toEqual([3, 3, 3, 3]);
    expect((await test.graph.spaces(org, buildingId, all))!.total).toBe(3);
  });

  it('four equal imports add a node once', async () => {
    const { buildingId } = await create(buildingOf());
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => again(buildingId, smallBuilding())));
    const added = outcomes.map((outcome) => imported(outcome).created.spaces);
    expect(added.sort((a, b) => a - b)).toEqual([0, 0, 0, 3]);
  });

  it('new buildings on one new site share it', async () => {
    const document = { ...smallBuilding(), site: { code: randomUUID(), name: 'New' } };
    const made = await Promise.all([1, 2, 3].map(() => create(document)));
    const sites = await Promise.all(
      made.map(async ({ buildingId }) => (await test.graph.building(org, buildingId))!.site.id),
    );
    expect(new Set(sites).size).toBe(1);
  });
});

describe('a repeated import', () => {
  const named = () => ({ ...noon, commandId: randomUUID(), bodyHash: 'h1' });

  it('creates one building, and returns the first answer', async () => {
    const options = named();
    const first = imported(await test.graph.importBuilding(org, smallBuilding(), options));
    const second = imported(await test.graph.importBuilding(org, smallBuilding(), options));
    expect(first.replayed).toBe(false);
    expect(second).toEqual({ ...first, replayed: true });
  });

  it('creates one building when both are concurrent', async () => {
    const options = named();
    const results = await Promise.all(
      [1, 2, 3].map(() => test.graph.importBuilding(org, smallBuilding(), options)),
    );
    expect(new Set(results.map((result) => imported(result).buildingId)).size).toBe(1);
    expect(results.filter((result) => !imported(result).replayed)).toHaveLength(1);
  });

  it('recreates ids once', async () => {
    const { buildingId } = await create(smallBuilding());
    const options = { ...named(), buildingId, replace: true };
    imported(await test.graph.importBuilding(org, smallBuilding(), options));
    const once = await shown(buildingId);
    imported(await test.graph.importBuilding(org, smallBuilding(), options));
    expect(await shown(buildingId)).toBe(once);
  });

  it('is refused if its body differs', async () => {
    const options = named();
    await test.graph.importBuilding(org, smallBuilding(), options);
    const other = await test.graph.importBuilding(org, buildingOf(), {
      ...options,
      bodyHash: 'h2',
    });
    expect(refusalOf(other).refused).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('is decided again after a refusal, which is not stored', async () => {
    const options = named();
    const twice = buildingOf([storey('0'), storey('0')]);
    refusalOf(await test.graph.importBuilding(org, twice, options));
    refusalOf(await test.graph.importBuilding(org, twice, options));
    const mended = { ...options, bodyHash: 'h2' };
    expect(imported(await test.graph.importBuilding(org, smallBuilding(), mended))).toMatchObject({
      replayed: false,
    });
  });

  it('creates two buildings without an idempotency key', async () => {
    const ids = [(await create(buildingOf())).buildingId, (await create(buildingOf())).buildingId];
    expect(new Set(ids).size).toBe(2);
  });
});

it('answers NOT_FOUND for a building of another organisation, and changes nothing', async () => {
  const { buildingId } = await create(smallBuilding());
  const before = await shown(buildingId);
  for (const id of [buildingId, randomUUID(), 'nonsense']) {
    const outcome = await test.graph.importBuilding('globex', buildingOf(), {
      ...noon,
      buildingId: id,
      replace: true,
    });
    expect(refusalOf(outcome).refused).toBe('NOT_FOUND');
  }
  expect(await shown(buildingId)).toBe(before);
});

it('imports 20,000 nodes, unchanged and replaced', async () => {
  const storeys = Array.from({ length: 50 }, (_, s) =>
    storey(`${s}`, {
      level: s,
      ...identifiedBy(`s${s}`),
      spaces: Array.from({ length: 30 }, (_, r) =>
        space(`${s}-${r}`, {
          ...identifiedBy(`s${s}r${r}`),
          elements: Array.from({ length: 3 }, (_, e) =>
            element(`${s}-${r}-${e}`, {
              ...identifiedBy(`s${s}r${r}e${e}`),
              points: Array.from({ length: 3 }, (_, p) =>
                point(`${s}-${r}-${e}-${p}`, identifiedBy(`s${s}r${r}e${e}p${p}`)),
              ),
            }),
          ),
        }),
      ),
    }),
  );
  const counts = { storeys: 50, spaces: 1_500, elements: 4_500, points: 13_500 };
  const { buildingId, created } = await create(buildingOf(storeys));
  expect(created).toEqual(counts);
  expect(imported(await again(buildingId, buildingOf(storeys)))).toMatchObject({
    created: none,
    updated: none,
  });
  expect(imported(await again(buildingId, buildingOf(storeys), true)).removed).toEqual(counts);
  expect((await test.graph.points(org, buildingId, all))!.total).toBe(13_500);
});
