/** Telemetry in a database of its own, over a building that is there. */
import { openDatabase } from '../../../src/engine/postgres/pool.ts';
import { isRefusal } from '../../../src/engine/aggregates/decider.ts';
import type { PointsUpdated } from '../../../src/domain/telemetry/events.ts';
import type { PointDocument } from '../../../src/domain/buildings/document.ts';
import { postgresGraph } from '../../../src/building/graph/postgres-graph.ts';
import { importFollowers } from '../../../src/building/imports/followers.ts';
import { loggerOf } from '../../../src/engine/observe/logging.ts';
import { postgresTelemetry } from '../../../src/building/telemetry/postgres-telemetry.ts';
import type { Telemetry } from '../../../src/building/telemetry/telemetry.ts';
import { buildingWith } from '../api/telemetry.ts';
import { imported, noon } from './building-graph.ts';
import { freshDatabase } from './database.ts';

export interface TestTelemetry {
  readonly telemetry: Telemetry;
  readonly db: ReturnType<typeof openDatabase>['pool'];
  /** Of the organisation `acme`; its points have their codes for external ids. */
  building(points: Readonly<Record<string, Partial<PointDocument>>>): Promise<TestBuilding>;
  close(): Promise<void>;
}

export interface TestBuilding {
  readonly buildingId: string;
  readonly ids: Readonly<Record<string, string>>;
  /** Ingests samples of the point with this code; a refusal fails the test. */
  observe(code: string, samples: readonly TestSample[]): Promise<void>;
}

export type TestSample = readonly [atMs: number, value: number | boolean];

/** The event of an ingest of one point. @param samples Sorted by time. */
export const ingestOf = (
  { buildingId, ids }: TestBuilding,
  code: string,
  samples: readonly TestSample[],
): PointsUpdated => {
  const [atMs, value] = samples.at(-1)!;
  const earlier = samples
    .slice(0, -1)
    .map(([beforeMs, each]): [number, number | boolean] => [atMs - beforeMs, each]);
  return {
    type: 'PointsUpdated',
    buildingId,
    points: [
      {
        pointId: ids[code]!,
        elementId: null,
        spaceId: null,
        value,
        unit: null,
        observedAt: new Date(atMs).toISOString(),
        ...(earlier.length === 0 ? {} : { earlier }),
      },
    ],
  };
};

export const freshTelemetry = async (
  options: { readonly now?: () => string; readonly retentionDays?: number } = {},
): Promise<TestTelemetry> => {
  const { now = () => noon.at, retentionDays = null } = options;
  const { url, drop } = await freshDatabase();
  const database = openDatabase({ url, logger: loggerOf('silent') });
  const db = database.pool;
  const graph = postgresGraph({ db, announced: () => {}, followers: importFollowers });
  const telemetry = postgresTelemetry({ db, clock: { now }, announced: () => {}, retentionDays });

  return {
    telemetry,
    db,
    async building(points) {
      const made = await graph.importBuilding('acme', buildingWith(points), noon);
      const { buildingId } = imported(made);
      const page = await graph.points('acme', buildingId, { limit: 1_000, offset: 0 });
      const ids = Object.fromEntries(page!.items.map(({ code, id }) => [code, id]));
      return {
        buildingId,
        ids,
        async observe(code, samples) {
          const pointId = ids[code]!;
          const observations = samples.map(([atMs, value]) => ({ pointId, atMs, value }));
          const occasion = { ...noon, at: now(), origin: 'api' } as const;
          const outcome = await telemetry.observe('acme', buildingId, observations, occasion);
          if (isRefusal(outcome)) throw new Error(`${outcome.refused}: ${outcome.detail}`);
        },
      };
    },
    async close() {
      await database.close();
      await drop();
    },
  };
};
