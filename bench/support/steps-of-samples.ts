import { isRefusal } from '../../src/engine/aggregates/decider.ts';
import { systemClock } from '../../src/engine/time/clock.ts';
import type { MeteredBuilding } from './metered-building.ts';

/** Points of the building; each request has a sample of each of them. */
export const STEP_POINTS = 1_000;
const STEP_MS = 600_000;
const START_MS = Date.UTC(2026, 0, 1);
const WRITERS = 4;

/** Ingests samples, in hundredths of a degree, and waits until all are announced in the log. */
export const observeSteps = async (building: MeteredBuilding, samples: number): Promise<void> => {
  const { db, telemetry, buildingId, pointIds } = building;
  const steps = Math.ceil(samples / STEP_POINTS);
  let next = 0;
  const write = async () => {
    for (; next < steps;) {
      const step = next;
      next += 1;
      const observations = pointIds.map((pointId, point) => ({
        pointId,
        value: valueAt(point, step),
        atMs: START_MS + step * STEP_MS,
      }));
      const by = { kind: 'key', id: 'mk_live_0123456789ab' } as const;
      const occasion = { at: systemClock.now(), by, origin: 'api' } as const;
      const outcome = await telemetry.observe('acme', buildingId, observations, occasion);
      if (isRefusal(outcome)) throw new Error(outcome.detail);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
  for (let waiting = 1; waiting > 0;)
    waiting = (await db.query('select from graph.announcement limit 1')).rowCount ?? 0;
};

const valueAt = (point: number, step: number): number =>
  Math.round(2_150 + 150 * Math.sin(step / 23 + point) + ((point * 31 + step * 17) % 40)) / 100;
