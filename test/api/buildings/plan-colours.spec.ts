import { describe, expect, it } from 'vitest';
import { COLOUR_POINTS_MAX } from '../../../src/building/plans/limits.ts';
import { testApi } from '../../support/api/api.ts';
import {
  buildingOf,
  element,
  point,
  space,
  storey,
} from '../../support/domain/building-documents.ts';
import { until } from '../../support/until.ts';

const api = testApi();
const manager = api.as('manager@acme.test');

const CLASS = 'Zone_Air_Temperature_Sensor';

interface Made {
  readonly building: string;
  readonly buildingId: string;
  readonly storeyId: string;
  /** Code → id. */
  readonly rooms: Readonly<Record<string, string>>;
  readonly points: Readonly<Record<string, string>>;
}

const room = (code: string, more: object = {}) =>
  space(code, {
    elements: [
      element(`E-${code}`, {
        points: [
          point(`T-${code}`, { unit: 'degC' }),
          point(`T2-${code}`, { unit: 'degC' }),
          point(`M-${code}`, { pointClass: 'Occupancy_Sensor', valueType: 'boolean' }),
        ],
      }),
    ],
    ...more,
  });

const idsOf = async (path: string): Promise<Readonly<Record<string, string>>> => {
  const { items } = (await manager.get(path)).body;
  return Object.fromEntries(
    items.map(({ code, id }: { code: string; id: string }) => [code, id] as const),
  );
};

const made = async (rooms = ['A', 'B', 'C'].map((code) => room(code))): Promise<Made> => {
  const document = buildingOf([storey('00', { spaces: rooms }), storey('01', { level: 1 })]);
  const { buildingId } = (await manager.post('/api/v1/buildings/import', document)).body;
  const building = `/api/v1/buildings/${buildingId}`;
  return {
    building,
    buildingId,
    storeyId: (await idsOf(`${building}/storeys`))['00']!,
    rooms: await idsOf(`${building}/spaces`),
    points: await idsOf(`${building}/points`),
  };
};

const observe = ({ building }: Made, values: readonly (readonly [string, unknown, string?])[]) =>
  manager.post(`${building}/observations`, {
    observations: values.map(([pointId, value, timestamp]) => ({
      pointId,
      value,
      ...(timestamp !== undefined && { timestamp }),
    })),
  });

const coloursOf = async ({ building }: Made, query: string, by = manager) => {
  const { status, body } = await by.get(`${building}/plan/colours?${query}`);
  return { status, body };
};

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

describe('GET /api/v1/buildings/{id}/plan/colours', () => {
  it("of tickets returns each room's highest priority, count and overdue state", async () => {
    const at = await made();
    const raise = (spaceId: string, priority: string) =>
      manager.post('/api/service-desk/requests', {
        buildingId: at.buildingId,
        spaceId,
        description: 'It leaks.',
        priority,
      });
    await raise(at.rooms['A']!, 'low');
    await raise(at.rooms['A']!, 'critical');
    await raise(at.rooms['B']!, 'medium');
    const done = (await raise(at.rooms['C']!, 'high')).body;
    await manager.post(`/api/service-desk/requests/${done.id}/transition`, { state: 'cancelled' });
    await until(async () => {
      const { body } = await coloursOf(at, 'colour=tickets');
      return body.spaces.length === 2 && body.spaces.some((one: object) => 'count' in one);
    });
    const { body } = await coloursOf(at, 'colour=tickets');
    expect(body).toMatchObject({ colour: 'tickets', kind: 'level', at: null, scale: null });
    const byRoom = Object.fromEntries(
      body.spaces.map((one: { spaceId: string }) => [one.spaceId, one]),
    );
    expect(byRoom[at.rooms['A']!]).toMatchObject({ value: 'critical', count: 2, overdue: false });
    expect(byRoom[at.rooms['B']!]).toMatchObject({ value: 'medium', count: 1 });
    expect(byRoom[at.rooms['C']!]).toBeUndefined();
  });

  it('of points answers the mean of a room, its unit and the scale of the storey', async () => {
    const at = await made();
    const [a, a2, b] = ['T-A', 'T2-A', 'T-B'].map((code) => at.points[code]!);
    await observe(at, [
      [a!, 20],
      [a2!, 22],
      [b!, 26.5],
    ]);
    const { body } = await coloursOf(at, `colour=point:${CLASS}`);
    expect(body).toMatchObject({ kind: 'number', unit: 'degC', scale: { min: 21, max: 26.5 } });
    expect(body.spaces).toHaveLength(2);
    expect(body.spaces).toContainEqual({ spaceId: at.rooms['A'], value: 21 });
  });

  it('of points of yes and no answers categories', async () => {
    const at = await made();
    await observe(at, [
      [at.points['M-A']!, true],
      [at.points['M-B']!, false],
      [at.points['M-C']!, true],
    ]);
    const { body } = await coloursOf(at, 'colour=point:Occupancy_Sensor');
    expect(body).toMatchObject({ kind: 'category', categories: [true, false], unit: null });
    expect(body.spaces).toContainEqual({ spaceId: at.rooms['B'], value: false });
  });

  it('of an earlier time answers the last values before it, of a day at most', async () => {
    const at = await made();
    const [a, b] = ['T-A', 'T-B'].map((code) => at.points[code]!);
    await observe(at, [
      [a!, 18, ago(180)],
      [a!, 25, ago(10)],
      [b!, 30, ago(60 * 30)],
    ]);
    const asked = ago(60);
    const { body } = await coloursOf(at, `colour=point:${CLASS}&at=${asked}`);
    expect(body.at).toBe(asked);
    expect(body.spaces).toEqual([{ spaceId: at.rooms['A'], value: 18 }]);
    const longer = await coloursOf(at, `colour=point:${CLASS}&at=${ago(60 * 29)}`);
    expect(longer.body.spaces).toEqual([{ spaceId: at.rooms['B'], value: 30 }]);
  });

  it('of a data layer answers numbers or categories, without rooms of no value', async () => {
    const at = await made();
    const put = (layer: string, values: readonly unknown[]) =>
      manager.put(`${at.building}/data-layers/${layer}/values`, {
        keyBy: 'id',
        values: values.map((value, n) => ({ key: at.rooms[['A', 'B', 'C'][n]!], value })),
      });
    await put('occupancy', [0.5, 1, null]);
    await put('tenant', ['Globex', 'Acme', 'Globex']);
    const numbers = (await coloursOf(at, 'colour=layer:occupancy')).body;
    expect([numbers.kind, numbers.scale]).toEqual(['number', { min: 0.5, max: 1 }]);
    expect(numbers.spaces).toHaveLength(2);
    const names = (await coloursOf(at, 'colour=layer:tenant')).body;
    expect([names.kind, names.categories]).toEqual(['category', ['Globex', 'Acme']]);
    expect((await coloursOf(at, 'colour=layer:nothing')).body.spaces).toEqual([]);
  });

  it('of faults answers the worst open one, and those of an earlier time', async () => {
    const at = await made();
    await manager.post(`${at.building}/diagnostic-rules`, {
      title: 'Too warm',
      severity: 'high',
      pointId: at.points['T-A'],
      comparison: 'gt',
      threshold: 28,
    });
    await observe(at, [[at.points['T-A']!, 31, ago(30)]]);
    await until(async () => (await coloursOf(at, 'colour=faults')).body.spaces.length === 1);
    const { body } = await coloursOf(at, 'colour=faults');
    expect(body.spaces).toEqual([{ spaceId: at.rooms['A'], value: 'high', count: 1 }]);
    expect((await coloursOf(at, `colour=faults&at=${ago(10)}`)).body.spaces).toHaveLength(1);
    expect((await coloursOf(at, `colour=faults&at=${ago(40)}`)).body.spaces).toEqual([]);
  });

  it.each([
    ['colour=rainbow', 'colour'],
    ['colour=layer:', 'colour'],
    [`colour=layer:${'x'.repeat(65)}`, 'colour'],
    ['colour=layer:Bad_', 'colour'],
    ['', 'colour'],
    ['colour=tickets&at=2026-03-01T12:00:00Z', 'at'],
    ['colour=layer:occupancy&at=2026-03-01T12:00:00Z', 'at'],
    ['colour=faults&at=yesterday', 'at'],
    ['colour=faults&at=0000-01-01T00:00:00Z', 'at'],
    ['colour=point:x&at=9999-12-31T23:00:00-05:00', 'at'],
  ])('refuses %s', async (query, path) => {
    const { status, body } = await coloursOf(await made(), query);
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.errors[0].path).toBe(path);
  });

  it('refuses past values of more points than the limit of one request', async () => {
    const points = Array.from({ length: COLOUR_POINTS_MAX + 1 }, (_, n) => point(`P-${n}`));
    const at = await made([space('A', { elements: [element('E', { points })] })]);
    await observe(
      at,
      Object.values(at.points).map((id) => [id, 20] as const),
    );
    const now = await coloursOf(at, `colour=point:${CLASS}`);
    expect(now.body.spaces).toEqual([{ spaceId: at.rooms['A'], value: 20 }]);
    const { body } = await coloursOf(at, `colour=point:${CLASS}&at=${ago(1)}`);
    expect([body.code, body.errors[0].path]).toEqual(['VALIDATION_FAILED', 'at']);
  });

  it('is of the own organisation alone, and tickets need their permission', async () => {
    const at = await made();
    const foreign = api.as('manager@globex.test');
    expect((await coloursOf(at, 'colour=faults', foreign)).status).toBe(404);
    expect((await coloursOf(at, 'colour=tickets', foreign)).status).toBe(404);
    const developer = api.as('developer@acme.test');
    const asked = await coloursOf(at, 'colour=tickets', developer);
    expect([asked.status, asked.body.code]).toEqual([403, 'PERMISSION_DENIED']);
  });
});

describe('GET /api/v1/buildings/{id}/plan/colourings', () => {
  it("lists the storey's colourings; tickets only with the permission to read them", async () => {
    const at = await made();
    await manager.put(`${at.building}/data-layers/occupancy/values`, {
      keyBy: 'id',
      values: [{ key: at.rooms['A'], value: 1 }],
    });
    await observe(at, [
      [at.points['T-A']!, 20],
      [at.points['M-A']!, true],
    ]);
    const path = `${at.building}/plan/colourings`;
    const { items } = (await manager.get(path)).body;
    expect(items).toEqual([
      { colour: 'tickets', name: 'Open tickets', kind: 'level', unit: null },
      { colour: 'faults', name: 'Open faults', kind: 'level', unit: null },
      { colour: 'layer:occupancy', name: 'occupancy', kind: 'number', unit: null },
      {
        colour: `point:${CLASS}`,
        name: 'Zone Air Temperature Sensor',
        kind: 'number',
        unit: 'degC',
      },
      {
        colour: 'point:Occupancy_Sensor',
        name: 'Occupancy Sensor',
        kind: 'category',
        unit: null,
      },
    ]);
    const upstairs = (await idsOf(`${at.building}/storeys`))['01']!;
    expect((await manager.get(`${path}?storeyId=${upstairs}`)).body.items).toHaveLength(2);
    expect((await api.as('manager@globex.test').get(path)).status).toBe(404);
  });
});

describe('GET /api/v1/buildings/{id}/storeys/{storeyId}/plan.svg', () => {
  const pictureOf = ({ building, storeyId }: Made, query = '', headers = {}) =>
    manager.get(`${building}/storeys/${storeyId}/plan.svg${query}`, headers);

  it('is a coloured picture without scripts, marked as schematic', async () => {
    const at = await made();
    await observe(at, [
      [at.points['T-A']!, 20],
      [at.points['T-B']!, 30],
    ]);
    const { status, headers, body } = await pictureOf(at, `?colour=point:${CLASS}`);
    expect([status, headers['content-type']]).toEqual([200, 'image/svg+xml; charset=utf-8']);
    expect(headers['content-security-policy']).toContain('sandbox');
    expect(body).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox="/);
    expect(body.match(/style="fill:#/g)).toHaveLength(2);
    expect(body).toContain('A Room A: 20 degC');
    expect(body).toContain('schematic · 20 to 30 degC');
    expect(body).not.toContain('<script');
  });

  it('colours the largest numbers', async () => {
    const at = await made();
    const [a, b] = [1.7e308, -1.7e308];
    await observe(at, [
      [at.points['T-A']!, a, ago(60)],
      [at.points['T2-A']!, a, ago(60)],
      [at.points['T-B']!, b, ago(60)],
      [at.points['T2-B']!, b, ago(60)],
    ]);
    for (const query of [`colour=point:${CLASS}`, `colour=point:${CLASS}&at=${ago(30)}`])
      expect((await coloursOf(at, query)).body).toMatchObject({ scale: { min: b, max: a } });
    const { status, body } = await pictureOf(at, `?colour=point:${CLASS}`);
    expect(status).toBe(200);
    expect(body.match(/style="fill:#/g)).toHaveLength(2);
    expect(body).toContain('A Room A: 1.7e+308 degC');
    expect(body).not.toMatch(/undefined|Infinity|NaN/);
  });

  it('is a 304 until its colours change', async () => {
    const at = await made();
    const first = await pictureOf(at, '?colour=faults');
    const again = { 'if-none-match': first.headers['etag']! };
    expect((await pictureOf(at, '?colour=faults', again)).status).toBe(304);
  });

  it('refuses a moment without a colour, which would show nothing of it', async () => {
    const { status, body } = await pictureOf(await made(), `?at=${ago(30)}`);
    expect([status, body.errors]).toEqual([400, [{ path: 'at', message: 'needs a colour' }]]);
  });

  it('shows hostile names as text', async () => {
    const name = '"><script>alert(1)</script>&\u0001\ufffe<svg onload=x>';
    const at = await made([room('A', { name })]);
    const { body } = await pictureOf(at);
    expect(body).not.toMatch(/<script|<svg onload/);
    expect(body).toContain('&#60;script&#62;alert(1)&#60;/script&#62;&#38;');
  });

  it('answers 404 for a storey of another building or organisation', async () => {
    const [at, other] = [await made(), await made()];
    expect((await pictureOf({ ...at, storeyId: other.storeyId })).status).toBe(404);
    const path = `${at.building}/storeys/${at.storeyId}/plan.svg`;
    expect((await api.as('manager@globex.test').get(path)).status).toBe(404);
  });
});
