/** Past values of points, by which a plan is coloured. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { postgresGraph } from '../../../src/building/graph/postgres-graph.ts';
import { importFollowers } from '../../../src/building/imports/followers.ts';
import { levelsOf, planColours } from '../../../src/building/plans/colours.ts';
import { sealFinishedDays } from '../../../src/building/telemetry/sealing.ts';
import {
  buildingOf,
  element,
  point,
  space,
  storey,
} from '../../support/domain/building-documents.ts';
import { imported, noon } from '../../support/postgres/building-graph.ts';
import { freshTelemetry, type TestTelemetry } from '../../support/postgres/telemetry.ts';

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 2, 1);
/** Two days are over, and sealed. */
const NOW = '2026-03-03T12:00:00.000Z';
const POINT_CLASS = 'Zone_Air_Temperature_Sensor';

let test: TestTelemetry;
beforeAll(async () => {
  test = await freshTelemetry({ now: () => NOW });
});
afterAll(() => test.close());

it('are of the last sample within a day, whether it is sealed, live or a correction', async () => {
  const { db, telemetry } = test;
  const graph = postgresGraph({ db, announced() {}, followers: importFollowers });
  const room = space('R', { elements: [element('E', { points: [point('T')] })] });
  const document = buildingOf([storey('00', { spaces: [room] })]);
  const { buildingId } = imported(await graph.importBuilding('acme', document, noon));
  const range = { limit: 1, offset: 0 };
  const { id: pointId } = (await graph.points('acme', buildingId, range))!.items[0]!;
  const { id: storeyId } = (await graph.storeys('acme', buildingId, range))!.items[0]!;
  const observe = (samples: readonly (readonly [hour: number, value: number])[]) => {
    const observations = samples.map(([hour, value]) => {
      return { pointId, atMs: START_MS + hour * HOUR_MS, value };
    });
    return telemetry.observe('acme', buildingId, observations, { ...noon, at: NOW, origin: 'api' });
  };
  const valueAt = async (hour: number, keptFromHour = -Infinity) => {
    const keptFromMs = () => START_MS + keptFromHour * HOUR_MS;
    const at = new Date(START_MS + hour * HOUR_MS).toISOString();
    const place = { organisation: 'acme', buildingId, storeyId };
    const outcome = await planColours(db, keptFromMs).values(
      place,
      { by: 'point', pointClass: POINT_CLASS },
      at,
    );
    if (outcome === null || 'refused' in outcome) throw new Error('no colours');
    return outcome.spaces[0]?.value ?? null;
  };
  // At equal steps with a gap, at unequal steps, and on a day that is not over.
  await observe([4, 8, 12, 20].map((hour) => [hour, hour] as const));
  await observe([30, 31, 41.5].map((hour) => [hour, hour] as const));
  await observe([[50, 50]]);
  expect(await sealFinishedDays(db, NOW)).toBe(2);
  await observe([
    [8, 8.5],
    [21, 21.5],
    [31, 31.5],
  ]);
  const expected: readonly (readonly [hour: number, value: number | null])[] = [
    [2, null],
    [4, 4],
    [6, 4],
    [8, 8.5],
    [10, 8.5],
    [12, 12],
    [18, 12],
    [20, 20],
    [22, 21.5],
    [29, 21.5],
    [30, 30],
    [31, 31.5],
    [40, 31.5],
    [42, 41.5],
    [49, 41.5],
    [60, 50],
    [75, null],
  ];
  const values = await Promise.all(expected.map(([hour]) => valueAt(hour)));
  expect(expected.map(([hour], index) => [hour, values[index]])).toEqual(expected);
  const kept = await Promise.all([7, 8, 9].map((hour) => valueAt(11, hour)));
  expect(kept).toEqual([8.5, 8.5, null]);
});

it('the level of a room is its worst severity, in whatever case it is written', () => {
  const levels = (...written: readonly string[]) =>
    levelsOf(written.map((level) => ({ spaceId: 'R', level, count: 1 }))).spaces;
  expect(levels('low', ' Critical ', 'HIGH')).toEqual([
    { spaceId: 'R', value: 'critical', count: 3 },
  ]);
  expect(levels('Odd', 'Low')).toEqual([{ spaceId: 'R', value: 'low', count: 2 }]);
  expect(levels('Odd')).toEqual([{ spaceId: 'R', value: 'Odd', count: 1 }]);
});
