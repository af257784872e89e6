/** The generated points of a sandbox, and their values at a moment. */
import type { Pool } from 'pg';
import { isRefusal, type Instant, type Refusal } from '../engine/aggregates/decider.ts';
import type { Logger } from '../engine/observe/logging.ts';
import { buildingDocument } from '../domain/sandboxes/generator/building.ts';
import { climateOf, type Moment } from '../domain/sandboxes/generator/climate.ts';
import { curveOf } from '../domain/sandboxes/generator/curves.ts';
import { pointModels } from '../domain/sandboxes/generator/points.ts';
import type { SandboxView } from '../domain/sandboxes/view.ts';
import { OBSERVATIONS_AT_ONCE_MAX } from '../limits.ts';
import type { Telemetry } from '../building/telemetry/telemetry.ts';

export interface FeedParts {
  readonly sandbox: Pick<SandboxView, 'organisation' | 'parameters' | 'branch' | 'buildingId'>;
  readonly db: Pool;
  readonly logger: Pick<Logger, 'warn'>;
  readonly telemetry: Pick<Telemetry, 'observe'>;
  /** Yields to other work. */
  readonly giveWay: () => Promise<void>;
}

export interface FeedPoints {
  /** The number of points. */
  count(): Promise<number>;
  /**
   * Ingests the curves' values at these times, in order, through the normal ingest. Resolves when
   * they are stored, or refused twice, which is logged; at once if the building is gone. Follows
   * imports over the building, which may add, replace and remove points.
   *
   * @param at The time by the sandbox's clock.
   */
  ingest(timesMs: readonly number[], at: Instant, signal?: AbortSignal): Promise<void>;
}

export const feedPoints = (parts: FeedParts): FeedPoints => {
  const { sandbox, db, telemetry, giveWay, logger } = parts;
  const climate = climateOf(sandbox.parameters);
  let generated: Generated | null = null;
  let latest: Source | null = null;

  /** `null`: the building is gone. */
  const source = async (): Promise<Source | null> => {
    generated ??= await generatedOf(parts);
    const known = latest?.building.id ?? sandbox.branch?.buildingId ?? sandbox.buildingId;
    const building = await buildingOf(db, generated, known);
    if (building === null) return null;
    const { id, revision } = building;
    if (latest?.building.id !== id || latest.building.revision !== revision)
      latest = { building, points: await pointsOf(db, generated, id) };
    return latest;
  };

  /** @returns `null`: all values were accepted. */
  const ingested: (...given: Parameters<FeedPoints['ingest']>) => Promise<Refused | null> = async (
    timesMs,
    at,
    signal,
  ) => {
    const current = await source();
    if (current === null) return null;
    const { building, points } = current;
    const perTime = Math.max(1, Math.floor(OBSERVATIONS_AT_ONCE_MAX / Math.max(1, points.length)));
    for (let from = 0; from < timesMs.length; from += perTime) {
      const timesText = timesMs
        .slice(from, from + perTime)
        .flatMap((atMs) => observationsAt(points, climate(atMs)));
      for (let first = 0; first < timesText.length; first += OBSERVATIONS_AT_ONCE_MAX) {
        if (signal?.aborted) return null;
        const some = timesText.slice(first, first + OBSERVATIONS_AT_ONCE_MAX);
        const occasion = { at, by: FEED, origin: 'system' } as const;
        const outcome = await telemetry.observe(sandbox.organisation, building.id, some, occasion);
        if (isRefusal(outcome)) return { refusal: outcome, timesMs: timesMs.slice(from) };
        await giveWay();
      }
    }
    return null;
  };

  return {
    count: async () => (await source())?.points.length ?? 0,

    async ingest(timesMs, at, signal) {
      const refused = await ingested(timesMs, at, signal);
      if (refused === null) return;
      // An import may have replaced points since they were read.
      const again = await ingested(refused.timesMs, at, signal);
      if (again === null) return;
      const reason = again.refusal.detail;
      logger.warn({ reason }, 'generated values of a sandbox were refused; they are lacking');
    },
  };
};

const FEED = { kind: 'system', id: 'sandbox-live-feed' } as const;

/** What the parameters of the sandbox give. */
interface Generated {
  /** Of the building. */
  readonly externalId: string;
  readonly points: readonly GeneratedPoint[];
}

interface GeneratedPoint {
  readonly code: string;
  readonly isBoolean: boolean;
  readonly valueAt: (moment: Moment) => number | null;
}

/** The generated points that the building has, as of its revision. */
interface Source {
  readonly building: FedBuilding;
  readonly points: readonly SourcePoint[];
}

interface FedBuilding {
  readonly id: string;
  /** Of its graph. */
  readonly revision: string;
}

/** The values of these times, the first of them perhaps in part, are not stored. */
interface Refused {
  readonly refusal: Refusal;
  readonly timesMs: readonly number[];
}

interface SourcePoint extends GeneratedPoint {
  readonly pointId: string;
}

const observationsAt = (points: readonly SourcePoint[], moment: Moment) =>
  points.flatMap(({ pointId, isBoolean, valueAt }) => {
    const value = valueAt(moment);
    if (value === null) return [];
    return [{ pointId, value: isBoolean ? value === 1 : value, atMs: moment.atMs }];
  });

const generatedOf = async ({
  giveWay,
  sandbox: { parameters },
}: Pick<FeedParts, 'giveWay' | 'sandbox'>): Promise<Generated> => {
  const document = buildingDocument(parameters);
  const points: GeneratedPoint[] = [];
  for (const storey of pointModels(parameters, document)) {
    for (const model of storey) {
      const { code, isBoolean } = model;
      points.push({ code, isBoolean, valueAt: curveOf(model) });
    }
    // A large building has thousands of points, so it yields in between.
    await giveWay();
  }
  return { externalId: document.building.externalId!, points };
};

/**
 * The building of the sandbox. Its developer may import others with its external id.
 *
 * @param known Its id, if known.
 */
const buildingOf = async (
  db: Pool,
  { externalId }: Pick<Generated, 'externalId'>,
  known: string | null,
): Promise<FedBuilding | null> => {
  const { rows } = await db.query<FedBuilding>(
    `select building.id, building.revision::text from graph.building building
     join graph.node node on node.id = building.id
     where node.kind = 'building' and node.external_id = $1
     order by building.id <> $2, building.id limit 1`,
    [externalId, known],
  );
  return rows[0] ?? null;
};

/** Without those that an import has given another type: one such value refuses a whole ingest. */
const pointsOf = async (
  db: Pool,
  { points }: Pick<Generated, 'points'>,
  buildingId: string,
): Promise<readonly SourcePoint[]> => {
  const { rows } = await db.query<{ pointId: string; code: string; isBoolean: boolean }>(
    `select node.id as "pointId", node.code, point.value_type = 'boolean' as "isBoolean"
     from graph.node node join graph.point point on point.id = node.id
     where node.building_id = $1 and node.kind = 'point'`,
    [buildingId],
  );
  const stored = new Map(rows.map((row) => [row.code, row]));
  return points.flatMap((point) => {
    const found = stored.get(point.code);
    return found?.isBoolean === point.isBoolean ? [{ ...point, pointId: found.pointId }] : [];
  });
};
