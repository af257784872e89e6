/** Rules over ingests as a process shows them: again, at once, and late. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PointsUpdated } from '../../src/domain/building/events.ts';
import { isRefusal } from '../../src/domain/decider.ts';
import type { Diagnostics, RuleDraft } from '../../src/telemetry/diagnostics.ts';
import { postgresDiagnostics } from '../../src/telemetry/postgres-diagnostics.ts';
import { noon } from '../support/postgres/building-graph.ts';
import {
  freshTelemetry,
  type TestBuilding,
  type TestTelemetry,
} from '../support/postgres/telemetry.ts';

let test: TestTelemetry;
let diagnostics: Diagnostics;
beforeAll(async () => {
  test = await freshTelemetry();
  diagnostics = postgresDiagnostics({ db: test.db, announced: () => {}, ruleMade: () => {} });
});
afterAll(() => test.close());

const START_MS = Date.UTC(2026, 2, 1);
const occasion = { ...noon, origin: 'system', organisation: 'acme' } as const;
const tooWarm = { title: 'Too warm', severity: 'high', comparison: 'gt', threshold: 25 } as const;

let made = 0;
const watch = async ({ buildingId }: TestBuilding, rule: RuleDraft) => {
  made += 1;
  const ruleId = `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`;
  const outcome = await diagnostics.createRule('acme', buildingId, rule, { ruleId, at: noon.at });
  expect(isRefusal(outcome)).toBe(false);
};

/** What an ingest of one point tells. */
const ingest = (
  { buildingId, ids }: TestBuilding,
  code: string,
  minute: number,
  value: number,
  earlier: [number, number][] = [],
): PointsUpdated => ({
  type: 'PointsUpdated',
  buildingId,
  points: [
    {
      pointId: ids[code]!,
      elementId: null,
      spaceId: null,
      value,
      unit: null,
      observedAt: new Date(START_MS + minute * 60_000).toISOString(),
      ...(earlier.length === 0 ? {} : { earlier }),
    },
  ],
});

const faults = async ({ buildingId }: TestBuilding) => {
  const page = await diagnostics.faults('acme', buildingId, { limit: 100, offset: 0 });
  const minute = (at: string | null) => at && (Date.parse(at) - START_MS) / 60_000;
  return page!.items.map(({ openedAt, closedAt }) => [minute(openedAt), minute(closedAt)]);
};
const told = async ({ buildingId }: TestBuilding) => {
  const { rows } = await test.db.query<{ type: string }>(
    `select event->>'type' as type from graph.announcement
     where event->>'buildingId' = $1 and event->>'type' <> 'BuildingImported' order by place`,
    [buildingId],
  );
  return rows.map(({ type }) => type);
};
const PAIR = ['AlarmTriggered', 'FaultCreated'];

it('an ingest that is shown again finds nothing more, and neither do those before it', async () => {
  const building = await test.building({ A: {} });
  const pointId = building.ids['A']!;
  await watch(building, { ...tooWarm, forSeconds: 0, pointId, pointClass: null });
  const ingests = [
    ingest(building, 'A', 1, 26),
    ingest(building, 'A', 4, 20, [
      [120_000, 27],
      [60_000, 24],
    ]),
    ingest(building, 'A', 5, 30),
  ];
  for (const fact of [...ingests, ...ingests]) await diagnostics.evaluate(fact, occasion);
  expect(await faults(building)).toEqual([
    [5, null],
    [1, 3],
  ]);
  expect(await told(building)).toEqual([...PAIR, ...PAIR]);
});

it('shown by two at once, it is found once', async () => {
  const building = await test.building({ A: {} });
  await watch(building, {
    ...tooWarm,
    forSeconds: 0,
    pointId: building.ids['A']!,
    pointClass: null,
  });
  const fact = ingest(building, 'A', 1, 26);
  await Promise.all([1, 2, 3].map(() => diagnostics.evaluate(fact, occasion)));
  expect(await faults(building)).toEqual([[1, null]]);
  expect(await told(building)).toEqual(PAIR);
});

it('a breach that has not lasted is remembered from one ingest to the next', async () => {
  const building = await test.building({ A: {} });
  const pointId = building.ids['A']!;
  await watch(building, { ...tooWarm, forSeconds: 600, pointId, pointClass: null });
  for (const [minute, value] of [
    [0, 26],
    [5, 26],
    [9, 20],
    [10, 26],
    [19, 26],
    [20, 26],
  ] as const)
    await diagnostics.evaluate(ingest(building, 'A', minute, value), occasion);
  expect(await faults(building)).toEqual([[20, null]]);
});

it('a point that two find silent has one fault, until something newer is heard', async () => {
  const building = await test.building({ A: {} });
  const silent = { title: 'Silent', severity: 'low', comparison: 'stale', threshold: 60 } as const;
  const pointClass = 'Zone_Air_Temperature_Sensor';
  await watch(building, { ...silent, forSeconds: 0, pointId: null, pointClass });
  await building.observe('A', [
    [START_MS, 1],
    [START_MS + 600_000, 1],
  ]);
  expect(await diagnostics.nextStaleAt()).toBe('2026-03-01T00:11:00.000Z');
  const early = { ...noon, at: '2026-03-01T00:10:59.999Z', origin: 'system' } as const;
  await diagnostics.findStale(early);
  expect(await faults(building)).toEqual([]);
  const due = { ...early, at: '2026-03-01T00:11:00.000Z' };
  await Promise.all([1, 2].map(() => diagnostics.findStale(due)));
  expect(await faults(building)).toEqual([[11, null]]);
  expect(await diagnostics.nextStaleAt()).toBeNull();

  // The rules hear late of what was known to whoever found the point silent.
  await diagnostics.evaluate(ingest(building, 'A', 0, 1), occasion);
  await diagnostics.evaluate(ingest(building, 'A', 10, 1), occasion);
  expect(await faults(building)).toEqual([[11, null]]);
  await diagnostics.evaluate(ingest(building, 'A', 30, 1), occasion);
  expect(await faults(building)).toEqual([[11, 30]]);
});
