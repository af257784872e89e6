/** The generated values of a sandbox, while its developer imports over its building. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Graph } from '../../src/building/graph/graph.ts';
import { postgresGraph } from '../../src/building/graph/postgres-graph.ts';
import { importFollowers } from '../../src/building/imports/followers.ts';
import type {
  ImportDocument,
  PointDocument,
  SpaceDocument,
} from '../../src/domain/buildings/document.ts';
import { buildingDocument } from '../../src/domain/sandboxes/generator/building.ts';
import type { SandboxParameters } from '../../src/domain/sandboxes/parameters.ts';
import { feedPoints, type FeedPoints } from '../../src/hosting/feed-points.ts';
import { imported, noon } from '../support/postgres/building-graph.ts';
import { freshTelemetry, type TestTelemetry } from '../support/postgres/telemetry.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NOON_MS = Date.parse(noon.at);

const parameters: SandboxParameters = {
  buildingType: 'office',
  storeys: 1,
  areaSqm: 500,
  seedTelemetryDays: 0,
  spacesMin: 2,
  spacesMax: 4,
  equipmentDensity: 'sparse',
  occupancyProfile: 'office-hours',
  seed: 'feed',
  liveTelemetry: true,
  faultKinds: [],
};
/** Gives the building an id after those of later imports. */
const seeding = { ...noon, commandId: '7d1e8a34-1f5b-4f6c-8a55-0f3c9b6d2e41', bodyHash: 'sandbox' };
const document = buildingDocument(parameters);
const room = document.building.storeys![0]!.spaces!.find(({ elements }) => elements!.length > 0);
/** Without the equipment of its rooms but one. */
const smaller: ImportDocument = {
  ...document,
  building: {
    ...document.building,
    storeys: document.building.storeys!.map((storey) => ({
      ...storey,
      elements: [],
      spaces: storey.spaces!.map((space) => (space === room ? space : { ...space, elements: [] })),
    })),
  },
};
const withRetypedPoint = (space: SpaceDocument): SpaceDocument => {
  const [element, ...others] = space.elements!;
  const [{ unit: _, ...point }, ...rest] = element!.points! as [PointDocument];
  const retypedPoint = { ...point, externalId: 'other', valueType: 'boolean' } as const;
  return { ...space, elements: [{ ...element!, points: [retypedPoint, ...rest] }, ...others] };
};
/** With one numeric point of the room replaced by a boolean one of its code. */
const retyped: ImportDocument = {
  ...document,
  building: {
    ...document.building,
    storeys: document.building.storeys!.map((storey) => ({
      ...storey,
      spaces: storey.spaces!.map((space) => (space === room ? withRetypedPoint(space) : space)),
    })),
  },
};

let fresh: TestTelemetry;
let graph: Graph;
let points: FeedPoints;
let buildingId: string;
/** The first time of each ingest. */
let begun: number[];
/** Called before each ingest. */
let beforeIngest: () => Promise<void>;
let warnings: { readonly fields: unknown; readonly what: string }[];

beforeEach(async () => {
  fresh = await freshTelemetry();
  const { db, telemetry } = fresh;
  beforeIngest = async () => {};
  begun = [];
  warnings = [];
  graph = postgresGraph({ db, followers: importFollowers });
  ({ buildingId } = imported(await graph.importBuilding('acme', document, seeding)));
  points = feedPoints({
    sandbox: { organisation: 'acme', parameters, branch: null, buildingId },
    db,
    logger: {
      warn: (fields: unknown, what?: string) => void warnings.push({ fields, what: what! }),
    },
    telemetry: {
      async observe(...given) {
        begun.push(given[2][0]!.atMs);
        await beforeIngest();
        return telemetry.observe(...given);
      },
    },
    giveWay: async () => {},
  });
});
afterEach(() => fresh.close());

const replaced = async (by: ImportDocument) => {
  imported(await graph.importBuilding('acme', by, { ...noon, buildingId, replace: true }));
};
const ingest = async (hours: number) => points.ingest([NOON_MS + hours * HOUR_MS], noon.at);
/** The points of the building with a sample of that time. */
const sampledAt = async (atMs: number): Promise<number> => {
  const { rowCount } = await fresh.db.query(
    `select distinct series_id from telemetry.observation
     join telemetry.series on series.id = series_id
     where observed_at = $1 and building_id = $2`,
    [new Date(atMs), buildingId],
  );
  return rowCount!;
};
const sampled = (hours: number) => sampledAt(NOON_MS + hours * HOUR_MS);

it('misses no time after an import', async () => {
  await ingest(-3);
  const all = await sampled(-3);
  expect(all).toBeGreaterThan(10);
  await replaced(smaller);
  await replaced(document);
  await ingest(-2);
  expect(await sampled(-2)).toBe(all);
});

it('has the points that an import has removed and another brings back', async () => {
  await ingest(-4);
  const all = await sampled(-4);
  await replaced(smaller);
  await ingest(-3);
  const left = await sampled(-3);
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(all);
  expect(await points.count()).toBe(left);
  await replaced(document);
  await ingest(-2);
  expect(await sampled(-2)).toBe(all);
});

it('is repeated where an import replaces the points meanwhile', async () => {
  await ingest(-3);
  beforeIngest = async () => {
    beforeIngest = async () => {};
    await replaced(smaller);
  };
  await ingest(-2);
  expect(await sampled(-2)).toBeGreaterThan(0);
});

it('ends for a point whose type an import changes, and for no other', async () => {
  await ingest(-3);
  const all = await sampled(-3);
  await replaced(retyped);
  await ingest(-2);
  const left = await sampled(-2);
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(all);
  expect(await points.count()).toBe(left);
  expect(warnings).toEqual([]);
});

it('follows its building where another has the same external id', async () => {
  await ingest(-3);
  const all = await sampled(-3);
  const others = [1, 2].map(() => graph.importBuilding('acme', document, noon));
  for (const other of await Promise.all(others)) imported(other);
  await replaced(smaller);
  await ingest(-2);
  const left = await sampled(-2);
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(all);
  await replaced(document);
  await ingest(-1);
  expect(await sampled(-1)).toBe(all);
});

it('continues at the time whose values an import has refused', async () => {
  const minutes = Array.from({ length: 400 }, (_, at) => NOON_MS + (at - 400) * MINUTE_MS);
  beforeIngest = async () => {
    if (begun.length === 2) await replaced(smaller);
  };
  await points.ingest(minutes, noon.at);
  const [first, refused] = begun;
  expect(refused).toBeGreaterThan(first!);
  expect(begun).toEqual([minutes[0], refused, refused]);
  expect(await sampledAt(minutes.at(-1)!)).toBe(await points.count());
  expect(warnings).toEqual([]);
});

it('logs values that are refused twice', async () => {
  await ingest(1);
  expect(begun).toHaveLength(2);
  const what = 'generated values of a sandbox were refused; they are lacking';
  expect(warnings).toEqual([{ fields: { reason: expect.stringContaining('future') }, what }]);
});
