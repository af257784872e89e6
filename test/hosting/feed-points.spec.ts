/** The generated values of a sandbox, while its developer imports over its building. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Graph } from '../../src/building/graph/graph.ts';
import { postgresGraph } from '../../src/building/graph/postgres-graph.ts';
import { importFollowers } from '../../src/building/imports/followers.ts';
import type { ImportDocument } from '../../src/domain/buildings/document.ts';
import { buildingDocument } from '../../src/domain/sandboxes/generator/building.ts';
import type { SandboxParameters } from '../../src/domain/sandboxes/parameters.ts';
import { feedPoints, type FeedPoints } from '../../src/hosting/feed-points.ts';
import { imported, noon } from '../support/postgres/building-graph.ts';
import { freshTelemetry, type TestTelemetry } from '../support/postgres/telemetry.ts';

const HOUR_MS = 3_600_000;
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

let fresh: TestTelemetry;
let graph: Graph;
let points: FeedPoints;
let buildingId: string;
/** Called before each ingest. */
let beforeIngest: () => Promise<void>;

beforeEach(async () => {
  fresh = await freshTelemetry();
  const { db, telemetry } = fresh;
  beforeIngest = async () => {};
  graph = postgresGraph({ db, followers: importFollowers });
  ({ buildingId } = imported(await graph.importBuilding('acme', document, noon)));
  points = feedPoints({
    sandbox: { organisation: 'acme', parameters },
    db,
    telemetry: {
      async observe(...given) {
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
/** The points with a sample of that hour. */
const sampled = async (hours: number): Promise<number> => {
  const { rowCount } = await fresh.db.query(
    'select distinct series_id from telemetry.observation where observed_at = $1',
    [new Date(NOON_MS + hours * HOUR_MS)],
  );
  return rowCount!;
};

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
