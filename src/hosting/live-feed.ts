import type { Pool } from 'pg';
import { isRefusal } from '../domain/decider.ts';
import { buildingDocument } from '../domain/sandbox/generator/building.ts';
import { climateOf, type Moment } from '../domain/sandbox/generator/climate.ts';
import { curveOf } from '../domain/sandbox/generator/curves.ts';
import { pointModels } from '../domain/sandbox/generator/points.ts';
import type { SandboxView } from '../domain/sandbox/view.ts';
import { OBSERVATIONS_AT_ONCE_MAX, SANDBOX_LIVE_STEP_MS } from '../limits.ts';
import { pause } from '../ops/backoff.ts';
import type { Clock } from '../ops/clock.ts';
import type { Logger } from '../ops/logging.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';

export interface LiveFeedParts {
  readonly sandbox: Pick<SandboxView, 'organisation' | 'parameters'>;
  readonly db: Pool;
  readonly telemetry: Pick<Telemetry, 'observe'>;
  /** The sandbox's own. */
  readonly clock: Clock;
  /** Lets others come in between. */
  readonly giveWay: () => Promise<void>;
  readonly logger: Logger;
}

/**
 * While a sandbox is awake its points go on telling what the curves say, every minute of its clock,
 * by the way that everybody's observations take: rules, webhooks and live screens have traffic.
 *
 * @returns When `signal` has aborted.
 */
export const runLiveFeed = async (parts: LiveFeedParts, signal: AbortSignal): Promise<void> => {
  const { sandbox, telemetry, clock, logger } = parts;
  const climate = climateOf(sandbox.parameters);
  let source: Source | null = null;
  while (!signal.aborted) {
    try {
      source ??= await sourceOf(parts);
      const now = clock.now();
      const atMs = Math.floor(Date.parse(now) / SANDBOX_LIVE_STEP_MS) * SANDBOX_LIVE_STEP_MS;
      const told = observationsAt(source, climate(atMs));
      for (let from = 0; from < told.length; from += OBSERVATIONS_AT_ONCE_MAX) {
        const some = told.slice(from, from + OBSERVATIONS_AT_ONCE_MAX);
        const occasion = { at: now, by: FEED, origin: 'system' } as const;
        const outcome = await telemetry.observe(
          sandbox.organisation,
          source.buildingId,
          some,
          occasion,
        );
        // Its developer has imported another building over it: its points have other ids now.
        if (isRefusal(outcome)) source = null;
        if (source === null || signal.aborted) break;
      }
    } catch (error) {
      logger.warn({ err: error }, 'the live feed of a sandbox has failed; it goes on');
    }
    const untilNextMs = SANDBOX_LIVE_STEP_MS - (Date.parse(clock.now()) % SANDBOX_LIVE_STEP_MS);
    await pause(untilNextMs, signal);
  }
};

const FEED = { kind: 'system', id: 'sandbox-live-feed' } as const;

/** The points that the generator made, as they stand in the database. */
interface Source {
  readonly buildingId: string;
  readonly points: readonly {
    readonly pointId: string;
    readonly isBoolean: boolean;
    readonly tell: (moment: Moment) => number | null;
  }[];
}

const observationsAt = ({ points }: Source, moment: Moment) =>
  points.flatMap(({ pointId, isBoolean, tell }) => {
    const value = tell(moment);
    if (value === null) return [];
    return [{ pointId, value: isBoolean ? value === 1 : value, atMs: moment.atMs }];
  });

/** Empty where the building has gone. */
const sourceOf = async ({
  db,
  giveWay,
  sandbox: { parameters },
}: LiveFeedParts): Promise<Source> => {
  const document = buildingDocument(parameters);
  const { rows } = await db.query<{ pointId: string; code: string; buildingId: string }>(
    `select point.id as "pointId", point.code, point.building_id as "buildingId"
     from graph.node point join graph.node building on building.id = point.building_id
     where point.kind = 'point' and building.kind = 'building' and building.external_id = $1`,
    [document.building.externalId],
  );
  const ids = new Map(rows.map(({ code, pointId }) => [code, pointId]));
  const points: Source['points'][number][] = [];
  for (const storey of pointModels(parameters, document)) {
    for (const model of storey) {
      const pointId = ids.get(model.code);
      if (pointId === undefined) continue;
      points.push({ pointId, isBoolean: model.isBoolean, tell: curveOf(model) });
    }
    // A large building has thousands: whoever waits comes in between.
    await giveWay();
  }
  return { buildingId: rows[0]?.buildingId ?? '', points };
};
