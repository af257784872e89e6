import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { testApi } from '../../support/api/api.ts';
import { buildingWith, importMetered, type MeteredBuilding } from '../../support/api/telemetry.ts';

const api = testApi();
const manager = api.as('manager@acme.test');
const viewer = api.as('viewer@acme.test');

let building: MeteredBuilding;
let [temp, open, idle] = ['', '', ''];
beforeAll(async () => {
  building = await importMetered(manager, {
    TEMP: {},
    OPEN: { valueType: 'boolean' },
    IDLE: {},
  });
  const ids = await building.ids();
  [temp, open, idle] = [ids['TEMP']!, ids['OPEN']!, ids['IDLE']!];
});

const send = async (pointId: string, samples: readonly (readonly [string, number | boolean])[]) => {
  const observations = samples.map(([timestamp, value]) => ({ pointId, timestamp, value }));
  const answer = await manager.post(`${building.path}/observations`, { observations });
  expect(answer.status).toBe(200);
};
const observationsOf = (pointId: string, query = '') =>
  viewer.get(`${building.path}/points/${pointId}/observations${query}`);
const latest = async (pointId: string) => {
  const { items } = (await viewer.get(`${building.path}/points`)).body;
  return items.find(({ id }: { id: string }) => id === pointId).latest;
};

const at = (time: string) => `2026-03-02T${time}.000Z`;

describe('the observations of a point', () => {
  it('is read oldest first, from a time on and up to another', async () => {
    await send(temp, [
      [at('12:00:00'), 3],
      [at('10:00:00'), 1],
      [at('11:00:00'), 2],
    ]);
    const { status, body } = await observationsOf(
      temp,
      `?from=${at('10:00:00')}&to=${at('12:00:00')}`,
    );
    expect(status).toBe(200);
    expect(body).toEqual({
      items: [
        { timestamp: at('10:00:00'), value: 1 },
        { timestamp: at('11:00:00'), value: 2 },
      ],
      nextFrom: null,
    });
  });

  it('are aggregated into buckets that begin at multiples of their length', async () => {
    const { body } = await observationsOf(
      temp,
      `?from=${at('10:30:00')}&to=${at('13:00:00')}&bucket=1d`,
    );
    expect(body.items).toEqual([
      { timestamp: at('00:00:00'), min: 2, max: 3, mean: 2.5, count: 2 },
    ]);
    for (const bucket of ['1m', '15m', '1h']) {
      const { items } = (
        await observationsOf(temp, `?from=${at('00:00:00')}&to=${at('13:00:00')}&bucket=${bucket}`)
      ).body;
      expect(items.map(({ count }: { count: number }) => count)).toEqual([1, 1, 1]);
    }
  });

  it('are of the last day by default, and may be empty', async () => {
    const now = Date.now();
    const [recent, old] = [now - 3_600_000, now - 30 * 3_600_000].map((ms) =>
      new Date(ms).toISOString(),
    );
    await send(open, [
      [old!, false],
      [recent!, true],
    ]);
    expect((await observationsOf(open)).body.items).toEqual([{ timestamp: recent, value: true }]);
    expect((await observationsOf(idle, '?from=2000-01-01T00:00:00Z')).body).toEqual({
      items: [],
      nextFrom: null,
    });
  });

  it('come in pages of 10,000 rows, without duplicates or gaps', async () => {
    const start = Date.UTC(2025, 5, 1);
    const times = Array.from({ length: 12_001 }, (_, minute) =>
      new Date(start + minute * 60_000).toISOString(),
    );
    for (let from = 0; from < times.length; from += 5_000)
      await send(
        idle,
        times.slice(from, from + 5_000).map((time) => [time, 1]),
      );
    for (const bucket of ['', '&bucket=1m']) {
      const read: string[] = [];
      let from: string | null = '2025-06-01T00:00:00Z';
      const sizes: number[] = [];
      // On a busy machine a page is shorter: an answer has its time.
      while (from !== null) {
        const { body } = await observationsOf(idle, `?from=${from}${bucket}`);
        read.push(...body.items.map(({ timestamp }: { timestamp: string }) => timestamp));
        sizes.push(body.items.length);
        from = body.nextFrom;
      }
      expect(read).toEqual(times);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(10_000);
      expect(sizes.length).toBeGreaterThan(1);
    }
  });

  it.each([
    ['from=yesterday', 'from'],
    ['to=2026-02-30T00:00:00Z', 'to'],
    ['bucket=2m', 'bucket'],
    ['limit=5', ''],
    ['from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z', 'from'],
  ])('is refused for ?%s', async (query, path) => {
    const answer = await observationsOf(temp, `?${query}`);
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(answer.body.errors[0].path).toBe(path === '' ? answer.body.errors[0].path : path);
  });

  it('are a 404 for another organisation, and for a point of another building', async () => {
    const theirs = await importMetered(api.as('manager@globex.test'), { A: {} });
    const path = `${theirs.path}/points/${await theirs.idOf('A')}/observations`;
    expect((await viewer.get(path)).status).toBe(404);
    expect((await observationsOf(await theirs.idOf('A'))).status).toBe(404);
    expect((await observationsOf(randomUUID())).status).toBe(404);
    expect((await observationsOf('TEMP')).status).toBe(404);
  });
});

describe('the latest value of a point', () => {
  it('is in the list of points, with its type, and is the latest by observation time', async () => {
    const other = await importMetered(manager, { N: {}, B: { valueType: 'boolean' } });
    const { N, B } = await other.ids();
    const list = async () => (await viewer.get(`${other.path}/points`)).body.items;
    expect((await list()).map((row: { latest: unknown }) => row.latest)).toEqual([null, null]);
    const observe = (pointId: string, value: unknown, timestamp: string) =>
      manager.post(`${other.path}/observations`, { observations: [{ pointId, value, timestamp }] });
    await observe(N!, 1e-7, at('12:00:00'));
    await observe(N!, 5, at('11:00:00'));
    await observe(B!, false, '2026-03-02T12:00:00.5Z');
    expect((await list()).map((row: { latest: unknown }) => row.latest)).toEqual([
      { value: false, timestamp: '2026-03-02T12:00:00.500Z' },
      { value: 1e-7, timestamp: at('12:00:00') },
    ]);
    expect(await latest(temp)).toEqual({ value: 3, timestamp: at('12:00:00') });
  });
});

describe('an import that changes the type of a point', () => {
  it.each([false, true])('keeps that of a point with samples (replace=%s)', async (replace) => {
    const { path, idOf } = await importMetered(manager, { HEARD: {}, SILENT: {} });
    const observations = [{ pointId: await idOf('HEARD'), timestamp: at('10:00:00'), value: 21.5 }];
    await manager.post(`${path}/observations`, { observations });
    const changed = buildingWith({
      HEARD: { valueType: 'boolean', name: 'Renamed' },
      SILENT: { valueType: 'boolean' },
    });
    const { status, body } = await manager.post(`${path}/import?replace=${replace}`, changed);
    expect([status, body.warnings]).toEqual([
      200,
      ['value types kept because the points have samples: 1, first "HEARD"'],
    ]);
    expect((await viewer.get(`${path}/points`)).body.items).toMatchObject([
      { code: 'HEARD', name: 'Renamed', valueType: 'number', latest: { value: 21.5 } },
      { code: 'SILENT', valueType: 'boolean', latest: null },
    ]);
  });
});
