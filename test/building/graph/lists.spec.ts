import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  freshGraph,
  imported,
  noon,
  type TestGraph,
} from '../../support/postgres/building-graph.ts';
import {
  buildingOf,
  smallBuilding,
  space,
  storey,
} from '../../support/domain/building-documents.ts';

let test: TestGraph;
let buildingId: string;
beforeAll(async () => {
  test = await freshGraph();
  ({ buildingId } = imported(await test.graph.importBuilding('acme', smallBuilding(), noon)));
});
afterAll(() => test.close());

const all = { limit: 1_000, offset: 0 };
const codes = (page: { items: readonly { code: string }[] } | null) =>
  page?.items.map(({ code }) => code);

it('pages return every node once, each with the total', async () => {
  const spaces = Array.from({ length: 25 }, (_, n) => space(`${n}`));
  const made = await test.graph.importBuilding('acme', buildingOf([storey('S', { spaces })]), noon);
  const id = imported(made).buildingId;
  const seen: string[] = [];
  for (const offset of [0, 10, 20, 30]) {
    const page = await test.graph.spaces('acme', id, { limit: 10, offset });
    expect(page).toMatchObject({ limit: 10, offset, total: 25 });
    seen.push(...codes(page)!);
  }
  expect(seen).toHaveLength(25);
  expect(new Set(seen).size).toBe(25);
});

it('filters are combined with AND, and apply to the total', async () => {
  const of = (filter: object) => test.graph.spaces('acme', buildingId, { ...all, ...filter });
  expect(await of({ isLeasable: false, spaceTypeSlug: 'office' })).toMatchObject({ total: 1 });
  expect(codes(await of({ isLeasable: true }))).toEqual(['001']);
  const [first] = (await test.graph.storeys('acme', buildingId, all))!.items;
  expect(codes(await of({ storeyId: first!.id }))).toEqual(['001', '002']);
  expect(codes(await of({ storeyId: first!.id, isLeasable: false }))).toEqual(['002']);
});

it('filters by active and inactive rooms, which an import does not change', async () => {
  const made = await test.graph.importBuilding('acme', smallBuilding(), noon);
  const id = imported(made).buildingId;
  const of = (status: 'active' | 'inactive') => test.graph.spaces('acme', id, { ...all, status });
  await test.db.query(
    `update graph.space set status = 'inactive' from graph.node
     where node.id = space.id and node.code = '002' and node.building_id = $1`,
    [id],
  );
  imported(await test.graph.importBuilding('acme', smallBuilding(), { ...noon, buildingId: id }));
  expect(codes(await of('inactive'))).toEqual(['002']);
  expect(codes(await of('active'))).toEqual(['001', '101']);
});

it('orders storeys from the lowest up, whatever their codes', async () => {
  const storeys = [
    storey('A', { level: 2 }),
    storey('B', { level: -1 }),
    storey('C', { level: 0.5 }),
  ];
  const made = await test.graph.importBuilding('acme', buildingOf(storeys), noon);
  const page = await test.graph.storeys('acme', imported(made).buildingId, all);
  expect(codes(page)).toEqual(['B', 'C', 'A']);
});

it('returns every text unchanged', async () => {
  const name = `Gästezimmer "Ω" \\ 🏢 \u2028 'x'; --`;
  const made = await test.graph.importBuilding('acme', buildingOf([storey(name, { name })]), noon);
  const page = await test.graph.storeys('acme', imported(made).buildingId, all);
  expect(page!.items[0]).toMatchObject({ code: name, name });
});

describe('another organisation', () => {
  it('finds no building, and no node of one', async () => {
    const { graph } = test;
    expect(await graph.buildings('globex', all)).toMatchObject({ items: [], total: 0 });
    expect(await graph.building('globex', buildingId)).toBeNull();
    for (const list of ['storeys', 'spaces', 'elements', 'points'] as const) {
      expect(await graph[list]('globex', buildingId, all)).toBeNull();
    }
  });

  it('may have a separate site of the same code', async () => {
    const made = imported(await test.graph.importBuilding('globex', smallBuilding(), noon));
    const theirs = await test.graph.building('globex', made.buildingId);
    const ours = await test.graph.building('acme', buildingId);
    expect(theirs!.site.id).not.toBe(ours!.site.id);
    expect(theirs!.site.code).toBe(ours!.site.code);
  });
});
