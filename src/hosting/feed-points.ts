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
   * they are stored; at once if the building is gone.
   *
   * @param at The time by the sandbox's clock.
   */
  ingest(timesMs: readonly number[], at: Instant, signal?: AbortSignal): Promise<void>;
}

export const feedPoints = (parts: FeedParts): FeedPoints => {
  const { sandbox, telemetry, giveWay } = parts;
  const climate = climateOf(sandbox.parameters);
  let latest: Source | null = null;

  const source = async (): Promise<Source> => (latest ??= await sourceOf(parts));

  return {
    count: async () => (await source()).points.length,

    async ingest(timesMs, at, signal) {
      const { buildingId, points } = await source();
      const perTime = Math.max(
        1,
        Math.floor(OBSERVATIONS_AT_ONCE_MAX / Math.max(1, points.length)),
      );
      for (let from = 0; from < timesMs.length; from += perTime) {
        const timesText = timesMs
          .slice(from, from + perTime)
          .flatMap((atMs) => observationsAt(points, climate(atMs)));
        for (let first = 0; first < timesText.length; first += OBSERVATIONS_AT_ONCE_MAX) {
          if (signal?.aborted) return;
          const some = timesText.slice(first, first + OBSERVATIONS_AT_ONCE_MAX);
          const occasion = { at, by: FEED, origin: 'system' } as const;
          const outcome = await telemetry.observe(sandbox.organisation, buildingId, some, occasion);
          if (isRefusal(outcome)) {
            // The developer has imported another building over it, whose points have new ids.
            latest = null;
            return;
          }
          await giveWay();
        }
      }
    },
  };
};

const FEED = { kind: 'system', id: 'sandbox-live-feed' } as const;

interface Source {
  readonly buildingId: string;
  readonly points: readonly SourcePoint[];
}

interface SourcePoint {
  readonly pointId: string;
  readonly isBoolean: boolean;
  readonly valueAt: (moment: Moment) => number | null;
}

const observationsAt = (points: readonly SourcePoint[], moment: Moment) =>
  points.flatMap(({ pointId, isBoolean, valueAt }) => {
    const value = valueAt(moment);
    if (value === null) return [];
    return [{ pointId, value: isBoolean ? value === 1 : value, atMs: moment.atMs }];
  });

/** Empty if the building is gone. */
const sourceOf = async ({
  db,
  giveWay,
  sandbox: { parameters },
}: Pick<FeedParts, 'db' | 'giveWay' | 'sandbox'>): Promise<Source> => {
  const document = buildingDocument(parameters);
  const { rows } = await db.query<{ pointId: string; code: string; buildingId: string }>(
    `select point.id as "pointId", point.code, point.building_id as "buildingId"
     from graph.node point join graph.node building on building.id = point.building_id
     where point.kind = 'point' and building.kind = 'building' and building.external_id = $1`,
    [document.building.externalId],
  );
  const ids = new Map(rows.map(({ code, pointId }) => [code, pointId]));
  const points: SourcePoint[] = [];
  for (const storey of pointModels(parameters, document)) {
    for (const model of storey) {
      const pointId = ids.get(model.code);
      if (pointId === undefined) continue;
      points.push({ pointId, isBoolean: model.isBoolean, valueAt: curveOf(model) });
    }
    // A large building has thousands of points, so it yields in between.
    await giveWay();
  }
  return { buildingId: rows[0]?.buildingId ?? '', points };
};
