/**
 * The points of buildings, cached in memory so that ingests are validated without a statement. The
 * cache is keyed by the building's revision, which every change of its nodes increments: a write
 * checks the revision, and fails if it has changed.
 */
import type { Pool, PoolClient } from 'pg';
import type { IngestPoint } from '../../domain/telemetry/observations.ts';
import { transaction } from '../../engine/postgres/transaction.ts';
import { TELEMETRY_POINTS_CACHED_MAX, TELEMETRY_POINTS_READ_ROWS } from './limits.ts';
import { lruCache } from '../../engine/concurrency/lru-cache.ts';

/** A point and its series of samples. */
export interface TelemetryPoint extends IngestPoint {
  readonly seriesId: number;
  readonly pointClass: string;
}

export interface BuildingPoints {
  readonly revision: number;
  /** By internal id, in lower case. */
  readonly points: ReadonlyMap<string, TelemetryPoint>;
}

export interface PointRegistry {
  /** The cached points, or else from the graph; `null` if the organisation has no such building. */
  of(organisation: string, buildingId: string): Promise<BuildingPoints | null>;
  /** The current points of the graph; the cached object if they have not changed. */
  current(organisation: string, buildingId: string): Promise<BuildingPoints | null>;
}

export const pointRegistry = (db: Pool): PointRegistry => {
  const kept = lruCache<BuildingPoints>(TELEMETRY_POINTS_CACHED_MAX, {
    weightMax: TELEMETRY_POINTS_CACHED_MAX,
    weightOf: ({ points }) => points.size + 1,
  });
  /** Concurrent callers share one read per building. */
  const reading = new Map<string, Promise<BuildingPoints | null>>();
  const keyOf = (organisation: string, buildingId: string) => `${buildingId} ${organisation}`;

  const read = (organisation: string, buildingId: string) => {
    const key = keyOf(organisation, buildingId);
    const shared = reading.get(key);
    if (shared) return shared;
    const found = readPoints(db, organisation, buildingId)
      .then((points) => {
        if (points) kept.set(key, points);
        return points;
      })
      .finally(() => reading.delete(key));
    reading.set(key, found);
    return found;
  };

  return {
    async of(organisation, buildingId) {
      return kept.get(keyOf(organisation, buildingId)) ?? read(organisation, buildingId);
    },

    async current(organisation, buildingId) {
      const { rows } = await db.query<{ revision: string }>(
        'select revision from graph.building where id = $1 and organisation = $2',
        [buildingId, organisation],
      );
      if (!rows[0]) return null;
      const cached = kept.get(keyOf(organisation, buildingId));
      return cached?.revision === Number(rows[0].revision)
        ? cached
        : read(organisation, buildingId);
    },
  };
};

/**
 * Locks out imports, so that no series is created for a removed point.
 *
 * @throws An error that is busy (`isBusy`) while an import runs: waiting would hold a connection.
 */
const readPoints = (
  db: Pool,
  organisation: string,
  buildingId: string,
): Promise<BuildingPoints | null> =>
  transaction(db, async (client) => {
    const { rows } = await client.query<{ revision: string }>(
      `select revision from graph.building where id = $1 and organisation = $2
       for key share nowait`,
      [buildingId, organisation],
    );
    if (!rows[0]) return null;
    await makeSeries(client, buildingId);
    const points = new Map<string, TelemetryPoint>();
    for (let after = NO_SERIES; ;) {
      const page = await pageOfPoints(client, buildingId, after);
      for (const { id, ...point } of page) points.set(id, point);
      if (page.length < TELEMETRY_POINTS_READ_ROWS)
        return { revision: Number(rows[0].revision), points };
      after = page.at(-1)!.seriesId;
    }
  });

/** Lower than every series id. */
const NO_SERIES = 0;

/**
 * Creates the missing series of the building's points, in the same order in all processes: in
 * different ones they would deadlock. Idempotent.
 */
export const makeSeries = (client: Pick<PoolClient, 'query'>, buildingId: string) =>
  client.query(
    `insert into telemetry.series (building_id, point_id)
     select n.building_id, n.id from graph.node n
     where n.building_id = $1 and n.kind = 'point'
       and not exists (select from telemetry.series s where s.point_id = n.id)
     order by n.id
     on conflict (point_id) do nothing`,
    [buildingId],
  );

const pageOfPoints = async (
  client: PoolClient,
  buildingId: string,
  after: number,
): Promise<readonly (TelemetryPoint & { readonly id: string })[]> => {
  const { rows } = await client.query<TelemetryPoint & { readonly id: string }>(
    `select point.id, series.id as "seriesId", point.element_id as "elementId",
            element.space_id as "spaceId", point.value_type as "valueType", point.unit,
            point.point_class as "pointClass"
     from telemetry.series
     join graph.point on point.id = series.point_id
     join graph.element on element.id = point.element_id
     where series.building_id = $1 and series.id > $2
     order by series.id limit $3`,
    [buildingId, after, TELEMETRY_POINTS_READ_ROWS],
  );
  return rows;
};
