import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { importDocument } from '../../../src/domain/buildings/document.ts';
import { draftsOf } from '../../../src/domain/buildings/nodes.ts';
import { DAY_MS } from '../../../src/engine/time/calendar.ts';
import { buildingDocument } from '../../../src/domain/sandboxes/generator/building.ts';
import { climateOf } from '../../../src/domain/sandboxes/generator/climate.ts';
import { curveOf } from '../../../src/domain/sandboxes/generator/curves.ts';
import { equipment } from '../../../src/domain/sandboxes/generator/equipment.ts';
import { pointModels, type PointModel } from '../../../src/domain/sandboxes/generator/points.ts';
import { seededTickets } from '../../../src/domain/sandboxes/generator/tickets.ts';
import {
  buildingTypes,
  equipmentDensities,
  occupancyProfiles,
  type SandboxParameters,
} from '../../../src/domain/sandboxes/parameters.ts';
import { parameters } from '../../support/domain/sandboxes.ts';

const MONDAY = Date.UTC(2026, 2, 2);
const digestOf = (value: unknown) =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
const pointsOf = (given: SandboxParameters): readonly PointModel[] =>
  [...pointModels(given, buildingDocument(given))].flat();
const momentsOf = (given: SandboxParameters, days: number, stepMs = 3_600_000, from = MONDAY) => {
  const climate = climateOf(given);
  return Array.from({ length: (days * DAY_MS) / stepMs }, (_, at) => climate(from + at * stepMs));
};

describe('a seed', () => {
  /** A change of the generator changes these hashes, and so every developer's test data. */
  it.each([
    ['an office', parameters, '03a5fa124b019833', 'b816e68e39b6af59'],
    [
      'a mall',
      { ...parameters, buildingType: 'mall', occupancyProfile: 'peak-evenings' },
      '24417a91444cec2d',
      '077775b6cd295d42',
    ],
    [
      'a large one',
      { ...parameters, storeys: 12, areaSqm: 14_000, equipmentDensity: 'dense' },
      '70220742099bf765',
      'a638d765667c2994',
    ],
  ] as const)(
    'gives %s the same building and curves on every machine',
    (_, given, building, curve) => {
      const document = buildingDocument(given);
      const moments = momentsOf(given, 2);
      const curves = pointsOf(given).map((point) => moments.map(curveOf(point)));
      expect([digestOf(document), digestOf(curves)]).toEqual([building, curve]);
    },
  );

  it('gives each kind of building distinct names and identifiers', () => {
    const idsOf = (seed: string) =>
      new Set(draftsOf(buildingDocument({ ...parameters, seed })).map((node) => node.externalId));
    const [alpha, beta] = [idsOf('alpha'), idsOf('beta')];
    expect([...alpha].filter((id) => beta.has(id))).toEqual([]);
  });
});

const anyParameters: fc.Arbitrary<SandboxParameters> = fc
  .record({
    buildingType: fc.constantFrom(...buildingTypes),
    storeys: fc.integer({ min: 1, max: 12 }),
    areaSqm: fc.integer({ min: 50, max: 60_000 }),
    spacesMin: fc.integer({ min: 1, max: 40 }),
    more: fc.integer({ min: 0, max: 40 }),
    equipmentDensity: fc.constantFrom(...equipmentDensities),
    occupancyProfile: fc.constantFrom(...occupancyProfiles),
    seed: fc.string({ minLength: 1, maxLength: 100 }),
  })
  .map(({ more, ...given }) => ({
    ...parameters,
    ...given,
    spacesMax: given.spacesMin + more,
  }));

describe('a generated building', () => {
  it('is accepted by the import, with unique codes and identifiers', () =>
    fc.assert(
      fc.property(anyParameters, (given) => {
        const document = buildingDocument(given);
        expect(importDocument.safeParse(document).error).toBeUndefined();
        const drafts = draftsOf(document);
        const codes = drafts.map(({ kind, code }) => `${kind} ${code}`);
        expect(new Set(codes).size).toBe(codes.length);
        const ids = drafts.map(({ externalId }) => externalId);
        expect(new Set(ids).size).toBe(ids.length);
        for (const id of ids) expect(id).toMatch(/^[0-3][0-9A-Za-z_$]{21}$/);
      }),
      { numRuns: 40 },
    ));

  it('has as many storeys and spaces as requested, in the requested area', () =>
    fc.assert(
      fc.property(anyParameters, (given) => {
        const { storeys = [] } = buildingDocument(given).building;
        expect(storeys.map(({ level }) => level)).toEqual(
          Array.from({ length: given.storeys }, (_, level) => level),
        );
        let area = 0;
        for (const { spaces = [] } of storeys) {
          expect(spaces.length).toBeGreaterThanOrEqual(given.spacesMin);
          expect(spaces.length).toBeLessThanOrEqual(given.spacesMax);
          for (const { areaSqm } of spaces) area += areaSqm ?? 0;
        }
        expect(area).toBeLessThanOrEqual(given.areaSqm);
      }),
      { numRuns: 40 },
    ));

  it.each([
    ['sparse', 40, 90],
    ['realistic', 120, 220],
    ['dense', 220, 420],
  ] as const)(
    'that is %s has a typical number of points per storey',
    (equipmentDensity, least, most) => {
      const given = { ...parameters, storeys: 10, areaSqm: 10_000, equipmentDensity };
      const perStorey = pointsOf(given).length / 10;
      expect(perStorey).toBeGreaterThan(least);
      expect(perStorey).toBeLessThan(most);
    },
  );

  it('has tickets in several states, in its own rooms', () => {
    const places = [
      { code: '00-001', name: 'x', type: 'open-office' },
      { code: '00-002', name: 'y', type: 'toilet' },
    ];
    const tickets = seededTickets('alpha', places);
    expect(new Set(tickets.map(({ path }) => path.at(-1))).size).toBeGreaterThan(2);
    const codes = new Set(tickets.map(({ spaceCode }) => spaceCode));
    expect(codes).toEqual(new Set(['00-001', '00-002', null]));
    expect(seededTickets('alpha', places)).toEqual(tickets);
  });
});

describe('a curve', () => {
  const points = pointsOf({ ...parameters, storeys: 6, areaSqm: 6_000 });
  const first = (pointClass: string) => points.find((point) => point.pointClass === pointClass)!;
  const during = (pointClass: string, days = 7) =>
    momentsOf(parameters, days)
      .map((moment) => ({ ...moment, value: curveOf(first(pointClass))(moment) }))
      .filter((one): one is typeof one & { value: number } => one.value !== null);
  const meanOf = (values: readonly { value: number }[]) =>
    values.reduce((sum, { value }) => sum + value, 0) / values.length;

  it('differs between point classes', () => {
    const classes = Object.values(equipment).flatMap(({ points: all }) =>
      all.map(([, , pointClass]) => pointClass),
    );
    const dense = pointsOf({ ...parameters, equipmentDensity: 'dense' });
    const summer = momentsOf(parameters, 2, 3_600_000, Date.UTC(2026, 6, 6));
    for (const pointClass of new Set<string>(classes)) {
      const point = dense.find((one) => one.pointClass === pointClass)!;
      const values = summer.map(curveOf(point)).filter((value) => value !== null);
      expect(values.every(Number.isFinite), pointClass).toBe(true);
      // An unknown class would give a steady 20.
      expect(
        values.every((value) => Math.abs(value - 20) <= 1.01),
        pointClass,
      ).toBe(false);
    }
  });

  it('of carbon dioxide follows the people', () => {
    const all = during('Zone_CO2_Level_Sensor');
    const busy = all.filter(({ occupancy }) => occupancy > 0.7);
    const empty = all.filter(({ occupancy }) => occupancy < 0.05);
    expect(meanOf(busy)).toBeGreaterThan(meanOf(empty) + 200);
    expect(Math.min(...all.map(({ value }) => value))).toBeGreaterThan(380);
  });

  it.each(['Electric_Energy_Sensor', 'Water_Volume_Sensor'])('of %s never falls', (pointClass) => {
    const values = during(pointClass, 60).map(({ value }) => value);
    expect(values.filter((value, at) => at > 0 && value < values[at - 1]!)).toEqual([]);
    expect(values.at(-1)).toBeGreaterThan(values[0]!);
  });

  it('misses a few samples in a thousand', () => {
    const moments = momentsOf(parameters, 1, 900_000);
    const values = points.flatMap((point) => moments.map(curveOf(point)));
    const missing = values.filter((value) => value === null).length / values.length;
    expect(missing).toBeGreaterThan(0.001);
    expect(missing).toBeLessThan(0.02);
  });

  it('shows some faults, and not in most of the building', () => {
    const nine = momentsOf(parameters, 9);
    const dampers = pointsOf({ ...parameters, storeys: 30, areaSqm: 30_000 }).filter(
      ({ pointClass }) => pointClass === 'Damper_Position_Command',
    );
    const stuck = dampers.filter((point) => {
      const curve = curveOf(point);
      return nine.filter((moment) => curve(moment) === 100).length >= 70;
    });
    expect(stuck.length).toBeGreaterThan(0);
    expect(stuck.length).toBeLessThan(dampers.length / 10);
  });
});
