/** The truth of the deliberate faults, and the choice of their kinds. contract.md section 4. */
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../src/engine/time/calendar.ts';
import { buildingDocument } from '../../../src/domain/sandboxes/generator/building.ts';
import { climateOf } from '../../../src/domain/sandboxes/generator/climate.ts';
import { curveOf } from '../../../src/domain/sandboxes/generator/curves.ts';
import {
  plantedFaults,
  type PlantedFault,
} from '../../../src/domain/sandboxes/generator/planted-faults.ts';
import { pointModels } from '../../../src/domain/sandboxes/generator/points.ts';
import {
  faultKinds,
  type FaultKind,
  type SandboxParameters,
} from '../../../src/domain/sandboxes/parameters.ts';
import { parameters } from '../../support/domain/sandboxes.ts';

/** Large enough for each kind. */
const large = { ...parameters, storeys: 30, areaSqm: 30_000 };
const FROM_MS = Date.UTC(2026, 2, 2);
const range = { fromMs: FROM_MS, toMs: FROM_MS + 9 * DAY_MS };
const STEP_MS = 900_000;

const faultsOf = (given: SandboxParameters, over = range) =>
  plantedFaults(given, buildingDocument(given), over);

/** The values of each point at the times of the seeded samples. */
const valuesOf = (given: SandboxParameters) => {
  const climate = climateOf(given);
  const moments = Array.from({ length: (9 * DAY_MS) / STEP_MS }, (_, at) =>
    climate(FROM_MS + at * STEP_MS),
  );
  const models = [...pointModels(given, buildingDocument(given))].flat();
  return new Map(models.map((model) => [model.code, moments.map(curveOf(model))]));
};

const only = (...kinds: readonly FaultKind[]): SandboxParameters => ({
  ...large,
  faultKinds: [...kinds],
});

describe('the ground truth of planted faults', () => {
  const healthy = valuesOf(only());

  it.each(faultKinds)(
    'of %s names exactly the values that differ from those without it',
    (kind) => {
      const given = only(kind);
      const faults = faultsOf(given);
      expect(faults.length).toBeGreaterThan(0);
      const coverOf = new Map<string, PlantedFault[]>();
      for (const fault of faults) {
        expect(fault.kind).toBe(kind);
        for (const code of fault.pointCodes)
          coverOf.set(code, [...(coverOf.get(code) ?? []), fault]);
      }
      const isCovered = (code: string, atMs: number) =>
        (coverOf.get(code) ?? []).some(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs);
      const differing = new Set<string>();
      const uncovered: string[] = [];
      for (const [code, values] of valuesOf(given))
        values.forEach((value, at) => {
          if (value === healthy.get(code)![at]) return;
          differing.add(code);
          if (!isCovered(code, FROM_MS + at * STEP_MS)) uncovered.push(`${code} at ${at}`);
        });
      expect(uncovered).toEqual([]);
      expect([...coverOf.keys()].filter((code) => !differing.has(code))).toEqual([]);
    },
  );

  it('of several kinds is the union', () => {
    const each = faultKinds.flatMap((kind) => faultsOf(only(kind)));
    const key = ({ kind, elementCode, fromMs }: PlantedFault) => `${fromMs} ${kind} ${elementCode}`;
    expect(faultsOf(large).map(key)).toEqual(each.map(key).toSorted());
  });

  it('has no night faults in a building with 24x7 occupancy', () => {
    const always: SandboxParameters = { ...only('night-fan'), occupancyProfile: '24x7' };
    expect(faultsOf(always)).toEqual([]);
  });

  it('is cut off at the ends of the values', () => {
    const whole = faultsOf(large);
    const cut = { fromMs: FROM_MS + DAY_MS, toMs: FROM_MS + 2 * DAY_MS };
    const some = faultsOf(large, cut);
    expect(some.length).toBeGreaterThan(0);
    for (const { fromMs, toMs } of some) {
      expect(fromMs).toBeGreaterThanOrEqual(cut.fromMs);
      expect(toMs).toBeLessThanOrEqual(cut.toMs);
    }
    expect(some.length).toBeLessThan(whole.length);
    expect(faultsOf(large, { fromMs: FROM_MS, toMs: FROM_MS })).toEqual([]);
  });
});

describe('without kinds', () => {
  it('nothing is planted, and all of them are the default', () => {
    expect(faultsOf(only())).toEqual([]);
    const small = { ...parameters, seed: 'with-faults-2' };
    const all = { ...small, faultKinds: [...faultKinds] };
    expect(faultsOf(small).length).toBeGreaterThan(0);
    expect(faultsOf(all)).toEqual(faultsOf(small));
    const written = (given: SandboxParameters) => JSON.stringify([...valuesOf(given)]);
    expect(written(all) === written(small)).toBe(true);
    expect(written({ ...small, faultKinds: [] }) === written(small)).toBe(false);
  });
});
