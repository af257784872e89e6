/** The generated points of a sandbox, and their values at a moment. */
import type { Pool } from 'pg';
import { isRefusal, type Instant } from '../engine/aggregates/decider.ts';
import { buildingDocument } from '../domain/sandboxes/generator/building.ts';
import { climateOf, type Moment } from '../domain/sandboxes/generator/climate.ts';
import { curveOf } from '../domain/sandboxes/generator/curves.ts';
import { pointModels } from '../domain/sandboxes/generator/points.ts';
import type { SandboxView } from '../domain/sandboxes/view.ts';
import { OBSERVATIONS_AT_ONCE_MAX } from '../limits.ts';
import type { Telemetry } from '../building/telemetry/telemetry.ts';

export interface FeedParts {
  readonly sandbox: Pick<SandboxView, 'organisation' | 'parameters'>;
  readonly db: Pool;
  readonly telemetry: Pick<Telemetry, 'observe'>;
  /** Yields to other work. */
  readonly giveWay: () => Promise<void>;
}

export interface FeedPoints {
  /** The number of points. */
  count(): Promise<number>;
  /**
   * Ingests the curves' values at these times, in order, through the normal ingest. Resolves when
   * they are stored; at once if the building is gone. Follows imports over the building, which may
   * add, replace and remove points.
   *
   * @param at The time by the sandbox's clock.
   */
  ingest(timesMs: readonly number[], at: Instant, signal?: AbortSignal): Promise<void>;
}

export const feedPoints = (parts: FeedParts): FeedPoints => {
  const { sandbox, db, telemetry, giveWay } = parts;
  const climate = climateOf(sandbox.parameters);
  let generated: Generated | null = null;
  let latest: Source | null = null;

  const source = async (): Promise<Source> => {
    generated ??= await generatedOf(parts);
    const revision = await revisionOf(db, generated);
    if (latest?.revision !== revision) latest = await sourceOf(db, generated, revision);
    return latest;
  };

  /** @returns Whether all values were accepted. */
  const ingested: (...given: Parameters<FeedPoints['ingest']>) => Promise<boolean> = async (
    timesMs,
    at,
    signal,
  ) => {
    const { buildingId, points } = await source();
    const perTime = Math.max(1, Math.floor(OBSERVATIONS_AT_ONCE_MAX / Math.max(1, points.length)));
    for (let from = 0; from < timesMs.length; from += perTime) {
      const timesText = timesMs
        .slice(from, from + perTime)
        .flatMap((atMs) => observationsAt(points, climate(atMs)));
      for (let first = 0; first < timesText.length; first += OBSERVATIONS_AT_ONCE_MAX) {
        if (signal?.aborted) return true;
        const some = timesText.slice(first, first + OBSERVATIONS_AT_ONCE_MAX);
        const occasion = { at, by: FEED, origin: 'system' } as const;
        const outcome = await telemetry.observe(sandbox.organisation, buildingId, some, occasion);
        if (isRefusal(outcome)) return false;
        await giveWay();
      }
    }
    return true;
  };

  return {
    count: async () => (await source()).points.length,

    async ingest(timesMs, at, signal) {
      // An import may have replaced points since they were read. A repeated value is stored once.
      if (!(await ingested(timesMs, at, signal))) await ingested(timesMs, at, signal);
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

/** The generated points that the building has, as of a revision of its graph. */
interface Source {
  /** `null`: the building is gone. */
  readonly revision: string | null;
  readonly buildingId: string;
  readonly points: readonly SourcePoint[];
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

const revisionOf = async (
  db: Pool,
  { externalId }: Pick<Generated, 'externalId'>,
): Promise<string | null> => {
  const { rows } = await db.query<{ revision: string }>(
    `select building.revision::text from graph.building building
     join graph.node node on node.id = building.id
     where node.kind = 'building' and node.external_id = $1`,
    [externalId],
  );
  return rows[0]?.revision ?? null;
};

/** Empty if the building is gone. */
const sourceOf = async (
  db: Pool,
  { externalId, points }: Generated,
  revision: string | null,
): Promise<Source> => {
  const { rows } = await db.query<{ pointId: string; code: string; buildingId: string }>(
    `select point.id as "pointId", point.code, point.building_id as "buildingId"
     from graph.node point join graph.node building on building.id = point.building_id
     where point.kind = 'point' and building.kind = 'building' and building.external_id = $1`,
    [externalId],
  );
  const ids = new Map(rows.map(({ code, pointId }) => [code, pointId]));
  return {
    revision,
    buildingId: rows[0]?.buildingId ?? '',
    points: points.flatMap((point) => {
      const pointId = ids.get(point.code);
      return pointId === undefined ? [] : [{ ...point, pointId }];
    }),
  };
};
