/** Rules on ingests as a process delivers them: repeatedly, concurrently and late. */
import { SERVER_CLOCKS_APART_MAX_MS } from '../../../src/building/telemetry/limits.ts';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { PointsUpdated } from '../../../src/domain/telemetry/events.ts';
import { isRefusal } from '../../../src/engine/aggregates/decider.ts';
import { isBusy } from '../../../src/engine/postgres/errors.ts';
import type {
  Diagnostics,
  RuleDraft,
  RuleRow,
} from '../../../src/building/telemetry/diagnostics.ts';
import { postgresDiagnostics } from '../../../src/building/telemetry/postgres-diagnostics.ts';
import { sealFinishedDays } from '../../../src/building/telemetry/sealing.ts';
import { noon } from '../../support/postgres/building-graph.ts';
import {
  freshTelemetry,
  ingestOf,
  type TestBuilding,
  type TestSample,
  type TestTelemetry,
} from '../../support/postgres/telemetry.ts';

let test: TestTelemetry;
let diagnostics: Diagnostics;
beforeAll(async () => {
  test = await freshTelemetry();
  diagnostics = postgresDiagnostics({ db: test.db, announced: () => {}, dueChanged: () => {} });
});
afterAll(() => test.close());

const START_MS = Date.UTC(2026, 2, 1);
const { signal } = new AbortController();
const occasion = {
  ...noon,
  origin: 'system',
  organisation: 'acme',
  ingestedAt: noon.at,
} as const;
const tooWarm = { title: 'Too warm', severity: 'high', comparison: 'gt', threshold: 25 } as const;

let made = 0;
const watch = async ({ buildingId }: TestBuilding, rule: RuleDraft, at: string = noon.at) => {
  made += 1;
  const ruleId = `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`;
  const outcome = await diagnostics.createRule('acme', buildingId, rule, { ruleId, at });
  expect(isRefusal(outcome)).toBe(false);
};

const instantMs = (minute: number) => START_MS + minute * 60_000;

/** @param earlier Milliseconds before it, and value. */
const ingest = (
  building: TestBuilding,
  code: string,
  minute: number,
  value: number,
  earlier: [number, number][] = [],
): PointsUpdated => {
  const atMs = instantMs(minute);
  const before = earlier.map(([beforeMs, each]): TestSample => [atMs - beforeMs, each]);
  return ingestOf(building, code, [...before, [atMs, value]]);
};

const faults = async ({ buildingId }: TestBuilding) => {
  const page = await diagnostics.faults('acme', buildingId, { limit: 100, offset: 0 });
  const minute = (at: string | null) => at && (Date.parse(at) - START_MS) / 60_000;
  return page!.items.map(({ openedAt, closedAt }) => [minute(openedAt), minute(closedAt)]);
};
const announced = async ({ buildingId }: TestBuilding) => {
  const { rows } = await test.db.query<{ type: string }>(
    `select event->>'type' as type from graph.announcement
     where event->>'buildingId' = $1 and event->>'type' <> 'BuildingImported' order by place`,
    [buildingId],
  );
  return rows.map(({ type }) => type);
};
const PAIR = ['AlarmTriggered', 'FaultCreated'];

it('a redelivered ingest opens no further fault, nor do earlier ones', async () => {
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
  for (const fact of [...ingests, ...ingests]) await diagnostics.evaluate(fact, occasion, signal);
  expect(await faults(building)).toEqual([
    [5, null],
    [1, 3],
  ]);
  expect(await announced(building)).toEqual([...PAIR, ...PAIR]);
});

it('a correction of the newest sample closes its fault, or opens one, once', async () => {
  const building = await test.building({ A: {} });
  const pointId = building.ids['A']!;
  await watch(building, { ...tooWarm, forSeconds: 0, pointId, pointClass: null });
  const ingests: PointsUpdated[] = [];
  const corrected = async (minute: number, value: number) => {
    await building.observe('A', [[START_MS + minute * 60_000, value]]);
    ingests.push(ingest(building, 'A', minute, value));
    for (const fact of [...ingests, ...ingests]) await diagnostics.evaluate(fact, occasion, signal);
    return faults(building);
  };
  expect(await corrected(1, 99)).toEqual([[1, null]]);
  expect(await corrected(1, 98)).toEqual([[1, null]]);
  expect(await corrected(1, 20)).toEqual([[1, 1]]);
  expect(await corrected(2, 20)).toEqual([[1, 1]]);
  expect(await corrected(2, 30)).toEqual([
    [2, null],
    [1, 1],
  ]);
  const settled = await faults(building);
  for (const fact of ingests) {
    await diagnostics.evaluate(fact, occasion, signal);
    expect(await faults(building)).toEqual(settled);
  }
  const told = (await announced(building)).filter((type) => type !== 'PointsUpdated');
  expect(told).toEqual([...PAIR, ...PAIR]);
});

it('a correction is found when a later sample is stored before its evaluation', async () => {
  const building = await test.building({ A: {} });
  const pointId = building.ids['A']!;
  await watch(building, { ...tooWarm, forSeconds: 600, pointId, pointClass: null });
  const ingests: PointsUpdated[] = [];
  const stored = async (...given: [minute: number, value: number][]) => {
    const samples = given.map(([minute, value]): TestSample => [instantMs(minute), value]);
    await building.observe('A', samples);
    ingests.push(ingestOf(building, 'A', samples));
  };
  const evaluated = async (seal = false) => {
    if (seal) await sealFinishedDays(test.db, noon.at);
    for (const fact of [...ingests, ...ingests]) await diagnostics.evaluate(fact, occasion, signal);
    return faults(building);
  };
  await stored([1, 30]);
  expect(await evaluated()).toEqual([]);
  // In one request with a later sample, and before the correction is evaluated.
  await stored([1, 20], [20, 20]);
  expect(await evaluated()).toEqual([]);
  await stored([20, 30]);
  await stored([40, 20]);
  expect(await evaluated()).toEqual([[30, 40]]);
  // All ingests before any is evaluated.
  await stored([60, 30]);
  await stored([60, 20]);
  await stored([80, 20]);
  expect(await evaluated()).toEqual([[30, 40]]);
  // Corrected twice: the stored value counts, whichever ingest is evaluated.
  await stored([80, 30], [81, 20]);
  await stored([80, 21], [82, 20]);
  expect(await evaluated(true)).toEqual([[30, 40]]);
  await stored([82, 30], [99, 20]);
  expect(await evaluated(true)).toEqual([
    [92, 99],
    [30, 40],
  ]);
});

it('an ingest delivered by two processes at once opens a fault once', async () => {
  const building = await test.building({ A: {} });
  await watch(building, {
    ...tooWarm,
    forSeconds: 0,
    pointId: building.ids['A']!,
    pointClass: null,
  });
  const fact = ingest(building, 'A', 1, 26);
  await Promise.all([1, 2, 3].map(() => diagnostics.evaluate(fact, occasion, signal)));
  expect(await faults(building)).toEqual([[1, null]]);
  expect(await announced(building)).toEqual(PAIR);
});

it('a breach shorter than its minimum duration is kept between ingests', async () => {
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
    await diagnostics.evaluate(ingest(building, 'A', minute, value), occasion, signal);
  expect(await faults(building)).toEqual([[20, null]]);
});

it('the clock opens no fault where a stored sample is not evaluated yet', async () => {
  const building = await test.building({ A: {} });
  const pointId = building.ids['A']!;
  await watch(building, { ...tooWarm, forSeconds: 600, pointId, pointClass: null });
  await building.observe('A', [
    [START_MS + 60_000, 26],
    [START_MS + 300_000, 20],
  ]);
  await diagnostics.evaluate(ingest(building, 'A', 1, 26), occasion, signal);
  const hour = { ...noon, at: '2026-03-01T01:00:00.000Z', origin: 'system' } as const;
  expect(await diagnostics.recordDue(hour, signal)).toEqual(new Map());
  expect(await faults(building)).toEqual([]);
  await diagnostics.evaluate(ingest(building, 'A', 5, 20), occasion, signal);
  expect(await faults(building)).toEqual([]);

  await diagnostics.evaluate(ingest(building, 'A', 10, 26), occasion, signal);
  await Promise.all([1, 2].map(() => diagnostics.recordDue(hour, signal)));
  expect(await faults(building)).toEqual([[20, null]]);
});

it('a silence is due at a whole millisecond, by the fold and by Postgres', async () => {
  const building = await test.building({ A: {} });
  const pointId = building.ids['A']!;
  const silent = { title: 'Silent', severity: 'low', comparison: 'stale' } as const;
  for (const threshold of [60.0001, 60.001, 60.0019])
    await watch(building, { ...silent, threshold, forSeconds: 0, pointId, pointClass: null });
  await building.observe('A', [[START_MS, 1]]);
  const due = async (at: string) => {
    const failures = await diagnostics.recordDue({ ...noon, at, origin: 'system' }, signal);
    expect(failures).toEqual(new Map());
    const page = await diagnostics.faults('acme', building.buildingId, { limit: 9, offset: 0 });
    return page!.items.map(({ openedAt, closedAt }) => [openedAt, closedAt]);
  };
  const [first, second] = ['2026-03-01T00:01:00.001Z', '2026-03-01T00:01:00.002Z'];
  expect(await diagnostics.nextDueAt(signal)).toBe(first);
  expect(await due('2026-03-01T00:01:00.000Z')).toEqual([]);
  expect(await due(first)).toEqual([
    [first, null],
    [first, null],
  ]);
  expect(await diagnostics.nextDueAt(signal)).toBe(second);
  const opened = [
    [second, null],
    [first, null],
    [first, null],
  ];
  expect(await due(second)).toEqual(opened);
  expect(await diagnostics.nextDueAt(signal)).toBeNull();
  // The sample that the silence counts from ends none, though it is evaluated later.
  await diagnostics.evaluate(ingest(building, 'A', 0, 1), occasion, signal);
  expect(await due(second)).toEqual(opened);
  await test.db.query('delete from telemetry.rule where building_id = $1', [building.buildingId]);
});

it('a point found silent by two processes has one fault, until a newer sample', async () => {
  const building = await test.building({ A: {} });
  const silent = { title: 'Silent', severity: 'low', comparison: 'stale', threshold: 60 } as const;
  const pointClass = 'Zone_Air_Temperature_Sensor';
  await watch(building, { ...silent, forSeconds: 0, pointId: null, pointClass });
  await building.observe('A', [
    [START_MS, 1],
    [START_MS + 600_000, 1],
  ]);
  expect(await diagnostics.nextDueAt(signal)).toBe('2026-03-01T00:11:00.000Z');
  const early = { ...noon, at: '2026-03-01T00:10:59.999Z', origin: 'system' } as const;
  await diagnostics.recordDue(early, signal);
  expect(await faults(building)).toEqual([]);
  const due = { ...early, at: '2026-03-01T00:11:00.000Z' };
  await Promise.all([1, 2].map(() => diagnostics.recordDue(due, signal)));
  expect(await faults(building)).toEqual([[11, null]]);
  expect(await diagnostics.nextDueAt(signal)).toBeNull();

  // The ingest reaches the rules after the check that found the point silent.
  await diagnostics.evaluate(ingest(building, 'A', 0, 1), occasion, signal);
  await diagnostics.evaluate(ingest(building, 'A', 10, 1), occasion, signal);
  expect(await faults(building)).toEqual([[11, null]]);
  await diagnostics.evaluate(ingest(building, 'A', 30, 1), occasion, signal);
  expect(await faults(building)).toEqual([[11, 30]]);
});

/** One ingest of samples ten minutes apart, from 20 to 30 and back. */
const storm = (building: TestBuilding, count: number): PointsUpdated => {
  const earlier = Array.from({ length: count - 1 }, (_, index): [number, number] => [
    (count - 1 - index) * 600_000,
    index % 2 === 0 ? 20 : 30,
  ]);
  return ingest(building, 'A', count * 10, count % 2 === 0 ? 30 : 20, earlier);
};
const stormy = async (rules: number) => {
  const building = await test.building({ A: {} });
  const pointClass = 'Zone_Air_Temperature_Sensor';
  for (let index = 0; index < rules; index += 1)
    await watch(building, { ...tooWarm, forSeconds: 0, pointId: null, pointClass });
  return building;
};
/** Deletes announcements, as the relay does. */
const relaying = (each: () => void) =>
  postgresDiagnostics({
    db: test.db,
    announced() {
      each();
      void test.db.query('delete from graph.announcement').catch(() => {});
    },
    dueChanged: () => {},
  });

it('an evaluation interrupted between two slices resumes there, each slice once', async () => {
  const building = await stormy(4);
  const ending = new AbortController();
  const interrupted = relaying(() => ending.abort());
  const fact = storm(building, 200);
  await expect(interrupted.evaluate(fact, occasion, ending.signal)).rejects.toThrow('aborted');
  const total = async () =>
    (await diagnostics.faults('acme', building.buildingId, { limit: 1, offset: 0 }))!.total;
  const first = await total();
  expect(first).toBeGreaterThan(0);
  expect(first).toBeLessThan(4 * 100);
  const again = relaying(() => {});
  await Promise.all([1, 2].map(() => again.evaluate(fact, occasion, signal)));
  expect(await total()).toBe(4 * 100);
});

it('a building waits for slices of others, not for their evaluations', async () => {
  const ending = new AbortController();
  let slices = 0;
  const shared = relaying(() => {
    slices += 1;
  });
  const ended: string[] = [];
  const busy = await Promise.all([1, 2, 3, 4].map(() => stormy(10)));
  const working = busy.map(async (building) => {
    await shared.evaluate(storm(building, 5_000), occasion, ending.signal).catch(() => {});
    ended.push('busy');
  });
  await expect.poll(() => slices).toBeGreaterThan(4);
  const quiet = await stormy(1);
  await shared.evaluate(storm(quiet, 2), occasion, signal);
  ended.push('quiet');
  ending.abort();
  await Promise.all(working);
  expect(ended[0]).toBe('quiet');
  expect(await faults(quiet)).toHaveLength(1);
});

it("each slice waits for its platform's turn", async () => {
  const building = await stormy(4);
  let turns = 0;
  let isHeld = true;
  const freed = Promise.withResolvers<void>();
  const gated = postgresDiagnostics({
    db: test.db,
    announced: () => void test.db.query('delete from graph.announcement').catch(() => {}),
    dueChanged: () => {},
    async turn() {
      turns += 1;
      if (isHeld) await freed.promise;
    },
  });
  const evaluated = gated.evaluate(storm(building, 200), occasion, signal);
  await expect.poll(() => turns).toBe(1);
  expect(await faults(building)).toEqual([]);
  isHeld = false;
  freed.resolve();
  await evaluated;
  expect(turns).toBeGreaterThan(1);
  expect(await faults(building)).not.toEqual([]);
});

it('an evaluation waits while too many announcements wait for the log', async () => {
  await test.db.query('delete from graph.announcement');
  const building = await stormy(4);
  await test.db.query('delete from graph.announcement');
  const waiting: number[] = [];
  let counting = Promise.resolve();
  const count = async () => {
    const { rows } = await test.db.query<{ n: number }>(
      'select count(*)::int as n from graph.announcement',
    );
    waiting.push(rows[0]!.n);
  };
  const unrelayed = postgresDiagnostics({
    db: test.db,
    announced: () => {
      counting = counting.then(count);
    },
    dueChanged: () => {},
  });
  const evaluated = unrelayed.evaluate(storm(building, 1_000), occasion, signal);
  // It keeps waking the relay, and adds no announcement.
  const isWaiting = () => waiting.length > 3 && new Set(waiting.slice(-3)).size === 1;
  await expect.poll(isWaiting).toBe(true);
  expect(waiting.at(-1)).toBeLessThan(1_500);
  await test.db.query('delete from graph.announcement');
  const relay = async () => {
    await test.db.query('delete from graph.announcement');
    return (await diagnostics.faults('acme', building.buildingId, { limit: 1, offset: 0 }))!.total;
  };
  await expect.poll(relay).toBe(4 * 500);
  await evaluated;
  await counting;
});

it('another rule loses no fault of a sample that is not evaluated yet', async () => {
  const building = await test.building({ A: {} });
  const pointId = building.ids['A']!;
  await watch(building, { ...tooWarm, forSeconds: 0, pointId, pointClass: null });
  await building.observe('A', [[START_MS + 60_000, 30]]);
  await watch(building, { ...tooWarm, threshold: 100, forSeconds: 0, pointId, pointClass: null });
  await diagnostics.evaluate(ingest(building, 'A', 1, 30), occasion, signal);
  expect(await faults(building)).toEqual([[1, null]]);
});

it('the first rule after an import deleted all others begins with stored samples', async () => {
  const building = await test.building({ A: {}, B: {} });
  const pointClass = 'Zone_Air_Temperature_Sensor';
  const pointId = building.ids['A']!;
  await watch(building, { ...tooWarm, forSeconds: 0, pointId, pointClass: null });
  await diagnostics.evaluate(ingest(building, 'B', 0, 20), occasion, signal);
  // As an import does that removes the point.
  await test.db.query('delete from telemetry.rule where building_id = $1', [building.buildingId]);
  await building.observe('B', [[START_MS + 600 * 60_000, 20]]);
  const silent = {
    title: 'Silent',
    severity: 'low',
    comparison: 'stale',
    threshold: 3_600,
  } as const;
  await watch(building, { ...silent, forSeconds: 0, pointId: null, pointClass });
  await diagnostics.evaluate(ingest(building, 'B', 601, 20), occasion, signal);
  expect(await faults(building)).toEqual([]);
});

it('a rule ignores an ingest from before its creation, however late it is evaluated', async () => {
  const building = await test.building({ A: {} });
  const pointId = building.ids['A']!;
  const rule = { ...tooWarm, forSeconds: 0, pointId, pointClass: null };
  await watch(building, { ...rule, threshold: 100 });
  const createdAt = new Date(Date.parse(noon.at) + SERVER_CLOCKS_APART_MAX_MS + 1).toISOString();
  await watch(building, rule, createdAt);
  await diagnostics.evaluate(ingest(building, 'A', 1, 30), occasion, signal);
  expect(await faults(building)).toEqual([]);
  const later = { ...occasion, ingestedAt: createdAt };
  await diagnostics.evaluate(ingest(building, 'A', 2, 30), later, signal);
  expect(await faults(building)).toEqual([[2, null]]);
});

describe('while a building is imported', () => {
  /** Holds the building's row, as an import does until its end. */
  const importing = async ({ buildingId }: TestBuilding) => {
    const client = await test.db.connect();
    onTestFinished(() => client.release(true));
    await client.query('begin');
    await client.query('select from graph.building where id = $1 for update', [buildingId]);
    return () => client.query('rollback');
  };
  const pointClass = 'Zone_Air_Temperature_Sensor';
  const silent = { title: 'Silent', severity: 'low', comparison: 'stale', threshold: 60 } as const;

  it('its evaluation is refused at once, and repeated later', async () => {
    const building = await test.building({ A: {} });
    await watch(building, { ...tooWarm, forSeconds: 0, pointId: null, pointClass });
    const end = await importing(building);
    const evaluate = () => diagnostics.evaluate(ingest(building, 'A', 1, 26), occasion, signal);
    await expect(evaluate()).rejects.toSatisfy(isBusy);
    await end();
    await evaluate();
    expect(await faults(building)).toEqual([[1, null]]);
  });

  it('the due faults of other buildings are recorded', async () => {
    const [busy, quiet] = [await test.building({ A: {} }), await test.building({ A: {} })];
    for (const building of [busy, quiet]) {
      await watch(building, { ...silent, forSeconds: 0, pointId: null, pointClass });
      await building.observe('A', [[START_MS, 1]]);
    }
    const end = await importing(busy);
    const due = { ...noon, at: '2026-03-01T00:01:00.000Z', origin: 'system' } as const;
    const started = postgresDiagnostics({ db: test.db, announced() {}, dueChanged() {} });
    expect(await started.nextDueAt(signal)).toBe(due.at);
    const failures = await started.recordDue(due, signal);
    expect([...failures.keys()]).toEqual([busy.buildingId]);
    expect([await faults(busy), await faults(quiet)]).toEqual([[], [[1, null]]]);
    await end();
    expect(await started.recordDue(due, signal)).toEqual(new Map());
    expect(await faults(busy)).toEqual([[1, null]]);
  });

  it('a rule is neither created nor deleted: its caller waits a moment', async () => {
    const building = await test.building({ A: {} });
    const rule = { ...tooWarm, forSeconds: 0, pointId: null, pointClass } as const;
    await watch(building, rule);
    const [{ ruleId }] = (await diagnostics.rules('acme', building.buildingId)) as [RuleRow];
    const end = await importing(building);
    await expect(watch(building, rule)).rejects.toSatisfy(isBusy);
    const deletion = { commandId: ruleId, occasion };
    const remove = () => diagnostics.deleteRule('acme', building.buildingId, ruleId, deletion);
    await expect(remove()).rejects.toSatisfy(isBusy);
    await end();
    expect(await remove()).toEqual({ replayed: false });
    await watch(building, rule);
  });
});
