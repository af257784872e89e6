/** Reports over HTTP. contract.md section 5. */
import { beforeAll, describe, expect, it } from 'vitest';
import { demoBuilding } from '../../../src/demo/building.ts';
import { REPORT_CELLS_MAX, REPORT_DAYS_MAX } from '../../../src/domain/reports/limits.ts';
import { reportNames } from '../../../src/domain/reports/reports.ts';
import { systemClock, virtualClock } from '../../../src/engine/time/clock.ts';
import { testApi } from '../../support/api/api.ts';
import { csvRows } from '../../support/api/csv.ts';
import { until } from '../../support/until.ts';

const REQUESTS = '/api/service-desk/requests';
const REPORTS = '/api/service-desk/reports';
const CONFIGURATION = '/api/service-desk/configuration';
const empty = { slaPolicies: [], calendars: {}, routingRules: [], workflows: [] };

/** The middle of a month, so that no day of the story is in another one. */
const middle = (): number => {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 15, 6) - now.getTime();
};
const clock = virtualClock(systemClock, middle());
const platform = testApi(() => ({ clock, timeTravel: true }));
const manager = platform.as('manager@acme.test');
const agent = platform.as('agent@acme.test');
const operator = platform.as('operator@atrium.test');
let buildingId: string;
let elements: { id: string; spaceId: string; elementTypeSlug: string }[];

const advance = async (duration: string) => {
  const { status, body } = await operator.post('/api/v1/clock', { advance: duration });
  expect(status, JSON.stringify(body)).toBe(200);
};
const raise = async (over: object = {}): Promise<string> => {
  const { status, body } = await agent.post(REQUESTS, { buildingId, description: 'x', ...over });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.id;
};
const move = async (id: string, ...states: readonly string[]) => {
  for (const state of states) {
    const { status } = await agent.post(`${REQUESTS}/${id}/transition`, { state });
    expect(status).toBe(200);
  }
};
const reportOf = async (report: string, query = '', caller = agent) => {
  const { status, body } = await caller.get(`${REPORTS}/${report}${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};
/** The figures of a report's only series, in an interval of the whole period. */
const whole = async (report: string, query = '') => {
  const { series } = await reportOf(report, `?interval=month${query}`);
  return series[0].values.at(-1);
};

beforeAll(async () => {
  buildingId = await platform.importBuilding();
  const all = (await agent.get(`/api/v1/buildings/${buildingId}/elements`)).body.items;
  elements = all.filter(({ spaceId }: { spaceId: string | null }) => spaceId !== null);
  const fan = elements[0]!;
  const other = elements.find(({ spaceId }) => spaceId !== fan.spaceId)!;
  // Due after 60 minutes for the first response, and after 480 for the resolution.
  const [quick, late, cancelled, waiting] = [
    await raise({ priority: 'high', category: '=1+1', elementId: fan.id }),
    await raise({ priority: 'high', category: 'noise', elementId: other.id }),
    await raise({ priority: 'high' }),
    await raise({ priority: 'low', category: 'noise' }),
  ];
  await advance('PT30M');
  await agent.post(`${REQUESTS}/${quick}/assign`, { assignedTeamId: 'hvac' });
  await move(quick, 'triaged', 'resolved');
  await move(cancelled, 'cancelled');
  await advance('PT9H');
  await agent.post(`${REQUESTS}/${late}/assign`, { assignedTeamId: 'hvac' });
  await move(late, 'triaged', 'resolved', 'reopened', 'resolved', 'closed');
  await move(waiting, 'triaged', 'waiting');
  await until(async () => (await whole('backlog')).waiting === 1, 'the report');
});

describe('a report', () => {
  it('counts raised and resolved tickets, repeated resolutions too', async () => {
    expect(await whole('throughput')).toEqual({ created: 4, resolved: 3 });
    expect(await whole('reopened')).toEqual({ reopened: 1, resolved: 3, rate: 0.3333 });
  });

  it('has the open tickets by state', async () => {
    expect(await whole('backlog')).toEqual({
      new: 0,
      triaged: 0,
      in_progress: 0,
      waiting: 1,
      reopened: 0,
      total: 1,
    });
  });

  it('agrees with the breaches of the tickets', async () => {
    const { items } = (await agent.get(`${REQUESTS}?priority=high`)).body;
    const breaches = (clock: string) =>
      items.filter((item: Record<string, boolean>) => item[clock]).length;
    const attainment = await whole('attainment', '&priority=high');
    expect(attainment).toEqual({
      firstResponse: { met: 1, missed: 1, share: 0.5 },
      resolution: { met: 1, missed: 1, share: 0.5 },
    });
    expect(breaches('slaFirstResponseBreached')).toBe(attainment.firstResponse.missed);
    expect(breaches('slaResolutionBreached')).toBe(attainment.resolution.missed);
  });

  it('has median and 90th percentile of the minutes since the ticket was raised', async () => {
    const { count, medianMinutes, p90Minutes, met, missed } = await whole('response');
    expect({ count, met, missed }).toEqual({ count: 2, met: 1, missed: 1 });
    expect(medianMinutes).toBeGreaterThanOrEqual(30);
    expect(medianMinutes).toBeLessThan(60);
    expect(p90Minutes).toBeGreaterThanOrEqual(570);
    const resolution = await whole('resolution');
    expect(resolution).toMatchObject({ count: 3, met: 1, missed: 2, share: 0.3333 });
  });

  it('is grouped by place, with its name, and by element type, from the building', async () => {
    const building = await reportOf('throughput', '?groupBy=building');
    expect(building.series).toMatchObject([{ kind: 'group', key: buildingId }]);
    const { name } = (await agent.get(`/api/v1/buildings/${buildingId}`)).body;
    expect(building.series[0].label).toBe(name);

    const space = await reportOf('throughput', '?groupBy=space');
    const named = space.series.filter(({ label }: { label: string | null }) => label !== null);
    expect(named.length).toBe(2);
    expect(space.series.at(-1)).toMatchObject({ kind: 'none', key: null, label: null });

    const types = await reportOf('throughput', '?groupBy=elementType&interval=month');
    const created = Object.fromEntries(
      types.series.map(({ key, values }: { key: string | null; values: { created: number }[] }) => [
        key ?? 'none',
        values.reduce((sum, value) => sum + value.created, 0),
      ]),
    );
    const { elementTypeSlug } = elements[0]!;
    expect(created).toMatchObject({ none: 2 });
    expect(created[elementTypeSlug]).toBeGreaterThan(0);
  });

  it('has nothing of another organisation', async () => {
    const stranger = platform.as('agent@globex.test');
    const { series } = await reportOf('throughput', '?interval=month', stranger);
    const { created } = series[0].values.at(-1);
    expect(created).toBe(0);
    const { body } = await stranger.get(`${REPORTS}/throughput?groupBy=building`);
    expect(body.series).toEqual([]);
  });
});

describe('the days of a report', () => {
  const today = (timeZone: string) =>
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(
      new Date(clock.now()),
    );

  it('are thirty up to today by default', async () => {
    const { intervals, timeZone } = await reportOf('throughput');
    expect([intervals.length, timeZone]).toEqual([30, 'UTC']);
    expect(intervals.at(-1)).toMatchObject({ from: today('UTC'), to: today('UTC') });
  });

  it("begin in the configuration's time zone", async () => {
    const set = async (timeZone: string) => manager.put(CONFIGURATION, { ...empty, timeZone });
    expect((await set('Europe/Bielefeld')).body.errors).toEqual([
      { path: 'timeZone', message: 'there is no time zone "Europe/Bielefeld"' },
    ]);
    expect((await set('Asia/Kathmandu')).status).toBe(200);
    const query = '?from=2026-03-01&to=2026-03-02&interval=month';
    const { intervals, timeZone } = await reportOf('backlog', query);
    expect(timeZone).toBe('Asia/Kathmandu');
    expect(intervals).toEqual([
      {
        from: '2026-03-01',
        to: '2026-03-02',
        start: '2026-02-28T18:15:00.000Z',
        end: '2026-03-02T18:15:00.000Z',
      },
    ]);
    expect((await manager.put(CONFIGURATION, empty)).status).toBe(200);
  });

  it('are bounded, and so are values', async () => {
    const refused = async (query: string) => {
      const { status, body } = await agent.get(`${REPORTS}/throughput${query}`);
      expect(status).toBe(400);
      return body.errors.map(({ path }: { path: string }) => path);
    };
    expect(await refused('?from=2026-03-02&to=2026-03-01')).toEqual(['to']);
    const early = new Date(Date.UTC(2026, 2, 1) - REPORT_DAYS_MAX * 86_400_000);
    const from = early.toISOString().slice(0, 10);
    expect(await refused(`?from=${from}&to=2026-03-01&interval=month`)).toEqual(['from']);
    expect(await refused('?from=2025-01-01&to=2026-03-01')).toEqual(['interval']);
    const days = REPORT_CELLS_MAX / 100 + 1;
    const first = new Date(Date.UTC(2026, 2, 1) - (days - 1) * 86_400_000);
    const wide = `?from=${first.toISOString().slice(0, 10)}&to=2026-03-01&series=100`;
    expect(await refused(`${wide}&groupBy=space`)).toEqual(['series']);
    expect(await refused('?series=101')).toEqual(['series']);
    expect(await refused('?groupBy=reporter')).toEqual(['groupBy']);
    expect(await refused('?from=2026-02-30')).toEqual(['from']);
    expect(await refused('?to=0000-01-05')).toEqual(['to']);
    expect(await refused('?form=2026-02-28')).not.toEqual([]);
  });
});

describe('a report as CSV', () => {
  it('has a row for each interval and series, and no formula', async () => {
    const path = `${REPORTS}/attainment?interval=month&groupBy=category`;
    const { status, headers, body } = await agent.get(path, { accept: 'text/csv' });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    expect(headers['vary']).toMatch(/\baccept\b(?!-)/);
    expect(headers['content-disposition']).toMatch(
      /^attachment; filename="attainment-[\d-]{10}-[\d-]{10}\.csv"$/,
    );
    const [head, ...rows] = csvRows(body as string);
    expect(head!.join()).toBe(
      'from,to,kind,key,label,firstResponseMet,firstResponseMissed,firstResponseShare,' +
        'resolutionMet,resolutionMissed,resolutionShare',
    );
    const json = await agent.get(path);
    expect(json.headers['vary']).toMatch(/\baccept\b(?!-)/);
    const { intervals, series } = json.body;
    expect(rows).toHaveLength(intervals.length * series.length);
    expect(rows.some(([, , , key]) => key === "'=1+1")).toBe(true);
  });
});

describe('permission to read reports', () => {
  it.each(reportNames)('%s: managers, agents and auditors', async (report) => {
    const status = async (role: string) =>
      (await platform.as(`${role}@acme.test`).get(`${REPORTS}/${report}`)).status;
    const roles = ['manager', 'agent', 'auditor', 'developer', 'viewer'];
    expect(await Promise.all(roles.map(status))).toEqual([200, 200, 200, 403, 403]);
  });
});

it('ended tickets count under the present ids of their places, as open ones do', async () => {
  const own = await platform.importBuilding();
  const elementsOf = async () => (await agent.get(`/api/v1/buildings/${own}/elements`)).body.items;
  const inSpace = ({ spaceId }: { spaceId: string | null }) => spaceId !== null;
  const before = (await elementsOf()).find(inSpace);
  const raiseAt = (elementId: string) => raise({ buildingId: own, elementId });
  await move(await raiseAt(before.id), 'triaged', 'resolved', 'closed');
  const replaced = `/api/v1/buildings/${own}/import?replace=true`;
  for (let times = 0; times < 2; times += 1)
    expect((await manager.post(replaced, demoBuilding())).status).toBe(200);
  const sameElement = (one: { externalId: string }) => one.externalId === before.externalId;
  const after = (await elementsOf()).find(sameElement);
  expect(after.id).not.toBe(before.id);
  await raiseAt(after.id);
  const seriesOf = async (query: string) => {
    const { series } = await reportOf('throughput', `?interval=month&buildingId=${own}${query}`);
    return series.map(({ values, ...group }: { values: { created: number }[] }) => ({
      ...group,
      created: values.at(-1)!.created,
    }));
  };
  const total = async () => (await seriesOf(''))[0].created;
  await until(async () => (await total()) === 2, 'both tickets');
  const space = (await agent.get(`/api/v1/buildings/${own}/spaces/${after.spaceId}`)).body;
  expect(await seriesOf('&groupBy=space')).toEqual([
    { kind: 'group', key: after.spaceId, label: space.name, created: 2 },
  ]);
  expect(await seriesOf('&groupBy=storey')).toMatchObject([
    { kind: 'group', key: space.storey.id, created: 2 },
  ]);
  expect(await seriesOf('&groupBy=elementType')).toMatchObject([
    { kind: 'group', key: after.elementTypeSlug, created: 2 },
  ]);
  for (const filter of [
    `&storeyId=${space.storey.id}`,
    `&spaceId=${after.spaceId}`,
    `&elementId=${after.id}`,
  ])
    expect(await seriesOf(filter)).toMatchObject([{ created: 2 }]);
});

it('a rebuild, and another, change no report', async () => {
  const all = async () => {
    const found: unknown[] = [];
    for (const report of reportNames)
      found.push(await reportOf(report, '?interval=month&groupBy=category'));
    return found;
  };
  const projection = '/api/v1/operations/projections/ticket-reports';
  const before = await all();
  for (const time of ['first', 'second']) {
    const { status, body } = await operator.post(`${projection}/rebuild`, {});
    expect(status).toBe(202);
    const state = async () => {
      const { items } = (await operator.get(`${projection}/requests`)).body;
      return items.find(({ id }: { id: string }) => id === body.id).state;
    };
    await until(async () => (await state()) === 'done', `the ${time} rebuild`);
    expect(await all()).toEqual(before);
  }
});
