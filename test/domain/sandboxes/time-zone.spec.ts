/** A building follows the wall clock of its time zone. contract.md section 4. */
import { describe, expect, it } from 'vitest';
import { buildingDocument } from '../../../src/domain/sandboxes/generator/building.ts';
import { climateOf } from '../../../src/domain/sandboxes/generator/climate.ts';
import { curveOf } from '../../../src/domain/sandboxes/generator/curves.ts';
import { pointModels } from '../../../src/domain/sandboxes/generator/points.ts';
import { parameters } from '../../support/domain/sandboxes.ts';

const HOUR_MS = 3_600_000;
const BERLIN = 'Europe/Berlin';

/** The first quarter of an hour of a UTC day at which more than half of the people are in. */
const arrivalOf = (timeZone: string, dayMs: number) => {
  const climate = climateOf({ ...parameters, timeZone });
  const at = Array.from({ length: 96 }, (_, quarter) => dayMs + (quarter * HOUR_MS) / 4).find(
    (atMs) => climate(atMs).occupancy > 0.5,
  )!;
  return new Date(at).toISOString().slice(11, 16);
};

describe('a time zone', () => {
  it('has people arrive by its wall clock, in summer and in winter', () => {
    const [winter, summer] = [Date.UTC(2026, 2, 27), Date.UTC(2026, 2, 30)];
    const utc = arrivalOf('UTC', winter);
    expect(utc).toBe('08:30');
    expect(arrivalOf('UTC', summer)).toBe(utc);
    expect(arrivalOf(BERLIN, winter)).toBe('07:30');
    expect(arrivalOf(BERLIN, summer)).toBe('06:30');
    expect(arrivalOf('Asia/Kolkata', winter)).toBe('03:00');
  });

  it('decides which days are a weekend', () => {
    const atMs = Date.UTC(2026, 2, 1, 22);
    const occupancyIn = (timeZone: string) =>
      climateOf({ ...parameters, timeZone })(atMs).occupancy;
    // Sunday evening in UTC is Monday, 11 o'clock, in Auckland.
    expect(occupancyIn('UTC')).toBe(0.04);
    expect(occupancyIn('Pacific/Auckland')).toBeGreaterThan(0.9);
  });

  it('moves the sun by its standard time: it does not jump when clocks change', () => {
    const climate = climateOf({ ...parameters, timeZone: BERLIN });
    const sunAt = (day: number) => climate(Date.UTC(2026, 2, day, 11)).sun;
    const shine = [27, 28, 29, 30].map(sunAt);
    for (const sun of shine) expect(sun).toBeGreaterThan(0);
    const outside = (atMs: number) => climate(atMs).outsideC;
    const change = Date.UTC(2026, 2, 29, 1);
    expect(Math.abs(outside(change) - outside(change - 60_000))).toBeLessThan(0.1);
  });

  it.each([
    ['spring', Date.UTC(2026, 2, 28), 23],
    ['autumn', Date.UTC(2026, 9, 24), 25],
  ])('keeps meters rising when clocks change in %s', (_, fromMs, hours) => {
    const given = { ...parameters, timeZone: BERLIN };
    const climate = climateOf(given);
    const meters = [...pointModels(given, buildingDocument(given))]
      .flat()
      .filter(({ pointClass }) => pointClass === 'Electric_Energy_Sensor');
    expect(meters.length).toBeGreaterThan(0);
    const moments = Array.from({ length: 3 * 24 * 12 }, (__, at) =>
      climate(fromMs + (at * HOUR_MS) / 12),
    );
    for (const meter of meters) {
      const values = moments.map(curveOf(meter)).filter((value) => value !== null);
      expect(values).toEqual(values.toSorted((a, b) => a - b));
    }
    const days = Map.groupBy(moments, ({ day }) => day);
    const lengths = [...days.values()].map((of) => of.length / 12);
    expect(lengths).toContain(hours);
  });

  it('of zero offset is UTC', () => {
    const moments = Array.from({ length: 200 }, (_, at) => Date.UTC(2026, 2, 2) + at * 1_234_567);
    const [utc, named] = ['UTC', 'Africa/Abidjan'].map((timeZone) =>
      moments.map(climateOf({ ...parameters, timeZone })),
    );
    expect(named).toEqual(utc);
    expect(moments.map(climateOf(parameters))).toEqual(utc);
    expect(utc!.every(({ dayPart }) => dayPart >= 0 && dayPart < 1)).toBe(true);
  });
});
