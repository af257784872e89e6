/** A year of real weather: ingested, read back, and watched by rules. */
import { beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/engine/postgres/pool.ts';
import { loggerOf } from '../../../src/engine/observe/logging.ts';
import { telemetryCodec } from '../../../src/domain/telemetry/codecs.ts';
import { sealFinishedDays } from '../../../src/building/telemetry/sealing.ts';
import { testApi } from '../../support/api/api.ts';
import { importMetered, type MeteredBuilding } from '../../support/api/telemetry.ts';
import {
  crossings,
  weatherCodes,
  weatherOf2012,
  weatherPoints,
  type WeatherPoint,
} from '../../support/domain/weather.ts';
import { allEvents } from '../../support/log/all-events.ts';

const api = testApi();
const manager = api.as('manager@acme.test');
const year = weatherOf2012();

const hot = { title: 'Hot', severity: 'medium', comparison: 'gt', threshold: 28 } as const;
const stormy = { title: 'Storm', severity: 'high', comparison: 'gte', threshold: 40 } as const;

let station: MeteredBuilding;
let ids: Readonly<Record<string, string>>;
beforeAll(async () => {
  station = await importMetered(manager, weatherPoints);
  ids = await station.ids();
  const watch = (rule: object) => manager.post(`${station.path}/diagnostic-rules`, rule);
  await watch({ ...hot, pointId: ids['TEMPERATURE'] });
  await watch({ ...stormy, pointClass: weatherPoints.WIND.pointClass });
  // As the station sends it: hour after hour, five weeks a request.
  for (let from = 0; from < year.length; from += 833) {
    const observations = year
      .slice(from, from + 833)
      .flatMap(({ at, values }) =>
        weatherCodes.map((code) => ({ pointId: ids[code], value: values[code], timestamp: at })),
      );
    const { status, body } = await manager.post(`${station.path}/observations`, { observations });
    expect([status, body]).toEqual([200, { accepted: observations.length }]);
  }
});

const read = async (code: WeatherPoint, query = '') => {
  const path = `${station.path}/points/${ids[code]}/observations`;
  const items: object[] = [];
  for (let from: string | null = '2012-01-01T00:00:00Z'; from !== null;) {
    const { body } = await manager.get(`${path}?from=${from}&to=2013-01-01T00:00:00Z${query}`);
    items.push(...body.items);
    from = body.nextFrom;
  }
  return items;
};

/** By other means than the database's: sums over the lines of the file. */
const bucketsOf = (code: WeatherPoint, characters: number, rest: string) => {
  const buckets = Map.groupBy(year, ({ at }) => at.slice(0, characters) + rest);
  return [...buckets].map(([timestamp, hours]) => {
    const values = hours.map((hour) => hour.values[code]);
    const sum = values.reduce((all, value) => all + value, 0);
    return {
      timestamp,
      min: Math.min(...values),
      max: Math.max(...values),
      mean: expect.closeTo(sum / values.length, 9),
      count: values.length,
    };
  });
};

describe.each(['as it was sent', 'sealed'])('a year of weather, %s', (how) => {
  beforeAll(async () => {
    if (how !== 'sealed') return;
    const { pool, close } = openDatabase({ url: api.databaseUrl, logger: loggerOf('silent') });
    expect(await sealFinishedDays(pool, '2013-01-02T00:00:00.000Z')).toBe(366 * 6);
    await close();
  });

  it('reads back value by value', async () => {
    for (const code of weatherCodes)
      expect(await read(code)).toEqual(
        year.map(({ at, values }) => ({ timestamp: at, value: values[code] })),
      );
  });

  it('has the same daily and hourly aggregates as the file', async () => {
    for (const code of weatherCodes) {
      expect(await read(code, '&bucket=1d')).toEqual(bucketsOf(code, 10, 'T00:00:00.000Z'));
      expect(await read(code, '&bucket=1h')).toEqual(bucketsOf(code, 13, ':00:00.000Z'));
    }
  });
});

describe('rules over it', () => {
  const expected = [
    { title: 'Hot', faults: crossings(year, 'TEMPERATURE', (value) => value > 28) },
    { title: 'Storm', faults: crossings(year, 'WIND', (value) => value >= 40) },
  ];
  const found = async (title: string) => {
    const { items, total } = (await manager.get(`${station.path}/faults?limit=1000`)).body;
    expect(items).toHaveLength(total);
    return items
      .filter((fault: { title: string }) => fault.title === title)
      .map(({ openedAt, closedAt, value }: Record<string, unknown>) => ({
        openedAt,
        closedAt,
        value,
      }))
      .toReversed();
  };

  it('open and clear the faults that a script finds in the file', async () => {
    for (const { title, faults } of expected) {
      expect(faults.length).toBeGreaterThan(30);
      await expect.poll(() => found(title)).toEqual(faults);
    }
  });

  it('report each fault once, and the same ones in a dry run', async () => {
    const alarms = async (title: string) => {
      const events = await allEvents(api.log, { categories: ['telemetry'] });
      return events
        .map((event) => telemetryCodec.decode(event).event)
        .flatMap((event) =>
          event.type === 'AlarmTriggered' && event.title === title ? [event.triggeredAt] : [],
        );
    };
    // The list shows a fault before the log has its event.
    for (const { title, faults } of expected)
      await expect.poll(() => alarms(title)).toEqual(faults.map(({ openedAt }) => openedAt));
    const { body } = await manager.post(`${station.path}/diagnostic-rules/dry-run`, {
      rule: { ...hot, pointId: ids['TEMPERATURE'] },
      from: '2012-01-01T00:00:00Z',
      to: '2013-01-01T00:00:00Z',
    });
    expect(body.items).toEqual(
      expected[0]!.faults.map((fault) => ({ pointId: ids['TEMPERATURE'], ...fault })),
    );
  });
});
