/** The air side of a generated building: fans, dampers, flows and the rooms that they supply. */
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../src/engine/time/calendar.ts';
import { buildingDocument } from '../../../src/domain/sandboxes/generator/building.ts';
import { climateOf, type Moment } from '../../../src/domain/sandboxes/generator/climate.ts';
import { curveOf } from '../../../src/domain/sandboxes/generator/curves.ts';
import { brokenPeriods } from '../../../src/domain/sandboxes/generator/faults.ts';
import { pointModels, type PointModel } from '../../../src/domain/sandboxes/generator/points.ts';
import { equipmentDensities } from '../../../src/domain/sandboxes/parameters.ts';
import { parameters } from '../../support/domain/sandboxes.ts';

/** Large enough for a broken damper and a broken fan. */
const large = { ...parameters, storeys: 50, areaSqm: 50_000 };
const MONDAY = Date.UTC(2026, 2, 2);
const climate = climateOf(large);
const moments = Array.from({ length: 9 * 48 }, (_, at) => climate(MONDAY + at * (DAY_MS / 48)));

const modelsOf = (given: typeof large): readonly PointModel[] =>
  [...pointModels(given, buildingDocument(given))].flat();
const models = modelsOf(large);
const byCode = new Map(models.map((model) => [model.code, model]));
const pointOf = (code: string) => byCode.get(code)!;
/** The points of a class, with where each is. */
const suffixed = (prefix: string, suffix: string) =>
  models.filter(({ code }) => code.startsWith(prefix) && code.endsWith(suffix));
const fanOf = (model: PointModel) =>
  suffixed('AHU-', '.RUN').find(({ element }) => element.hash === model.fan.hash)!;
const roomOf = ({ code }: PointModel) => code.split('-').slice(1).join('-').split('.')[0]!;

/** The points' values at the moments for which every point has a sample. */
const together = (points: readonly PointModel[], chosen: readonly Moment[] = moments) => {
  const curves = points.map(curveOf);
  return chosen
    .map((moment) => curves.map((curve) => curve(moment)))
    .filter((values): values is number[] => values.every((value) => value !== null));
};
const isBroken = (hash: number, atMs: number) =>
  brokenPeriods(hash, { fromMs: atMs, toMs: atMs + 1 }).length > 0;
const isBusy = ({ occupancy }: Moment) => occupancy > 0.3;
const isNight = ({ occupancy, hour }: Moment) => occupancy < 0.05 && hour < 5;

describe('the air side of a building', () => {
  it.each(equipmentDensities)('has a fan for each room of a building that is %s', (density) => {
    const all = modelsOf({ ...large, storeys: 7, equipmentDensity: density });
    const fans = new Set(
      all.filter(({ code }) => code.endsWith('.RUN')).map(({ element }) => element.hash),
    );
    const flows = all.filter(({ code }) => code.endsWith('.FSP'));
    expect(flows.length).toBeGreaterThan(0);
    expect(flows.filter(({ fan }) => !fans.has(fan.hash))).toEqual([]);
  });

  it('moves no air while the fan is off, and some while it runs', () => {
    for (const flow of suffixed('VAV-', '.FLOW').filter((_, at) => at % 9 === 0)) {
      const setpoint = pointOf(flow.code.replace('.FLOW', '.FSP'));
      const unit = fanOf(flow).code.replace('.RUN', '');
      const [pressure, power] = [pointOf(`${unit}.DSP`), pointOf(`${unit}.FKW`)];
      for (const [runs, ...air] of together([fanOf(flow), flow, setpoint, pressure, power])) {
        const moving = air.map((value) => value > 0);
        expect(moving).toEqual(air.map(() => runs === 1));
      }
    }
  });
});

describe('a damper that is stuck open', () => {
  const dampers = suffixed('VAV-', '.DMP');
  const stuck = dampers.filter(({ element }) =>
    moments.some((moment) => isBusy(moment) && isBroken(element.hash, moment.atMs)),
  );
  const during = ({ element }: PointModel) =>
    moments.filter((moment) => isBusy(moment) && isBroken(element.hash, moment.atMs));

  it('occurs, in a few rooms', () => {
    expect(stuck.length).toBeGreaterThan(0);
    expect(stuck.length).toBeLessThan(dampers.length / 10);
  });

  it("lets all air through, beyond the controller's setpoint", () => {
    for (const damper of stuck) {
      const [flow, setpoint] = ['.FLOW', '.FSP'].map((end) =>
        pointOf(damper.code.replace('.DMP', end)),
      );
      const values = together([damper, flow!, setpoint!], during(damper));
      expect(values.length).toBeGreaterThan(0);
      for (const [position, through, wanted] of values) {
        expect(position).toBe(100);
        expect(through! / (1.5 * damper.areaSqm)).toBeGreaterThan(0.97);
        expect(through!).toBeGreaterThanOrEqual(0.97 * wanted!);
      }
      const mean = (at: number) => values.reduce((sum, one) => sum + one[at]!, 0) / values.length;
      expect(mean(1)).toBeGreaterThan(1.1 * mean(2));
    }
  });

  it('cools the room, clears its air, and opens the valve that warms it again', () => {
    let rooms = 0;
    for (const damper of stuck) {
      const room = `RS-${roomOf(damper)}`;
      const changed = (code: string) => {
        const point = pointOf(code);
        // The same room with a box that works.
        const values = together([point, { ...point, box: null }], during(damper));
        return values.reduce((sum, [is, was]) => sum + is! - was!, 0) / values.length;
      };
      // A broken sensor says nothing.
      if (isBroken(pointOf(`${room}.CO2`).element.hash, during(damper)[0]!.atMs)) continue;
      rooms += 1;
      expect(changed(`${room}.T`)).toBeLessThan(-0.3);
      expect(changed(`${room}.CO2`)).toBeLessThan(-5);
      expect(changed(damper.code.replace('.DMP', '.VLV'))).toBeGreaterThan(2);
      expect(changed(damper.code.replace('.DMP', '.DAT'))).toBeGreaterThan(0.2);
    }
    expect(rooms).toBeGreaterThan(0);
  });
});

describe('a fan that runs at night', () => {
  const nightly = (fan: PointModel) =>
    moments.filter((moment) => isNight(moment) && isBroken(fan.element.hash, moment.atMs));
  const fans = suffixed('AHU-', '.RUN').filter((fan) => nightly(fan).length > 0);

  it('shows in each point of its unit, and in the rooms that it supplies', () => {
    expect(fans.length).toBeGreaterThan(0);
    for (const fan of fans) {
      const unit = fan.code.replace('.RUN', '');
      const own = ['FAN', 'FKW', 'DSP', 'DSPSP', 'FDP', 'OAD'].map((end) =>
        pointOf(`${unit}.${end}`),
      );
      const flows = suffixed('VAV-', '.FLOW').filter((flow) => flow.fan.hash === fan.element.hash);
      expect(flows.length).toBeGreaterThan(0);
      for (const values of together([fan, ...own, ...flows.slice(0, 3)], nightly(fan)))
        for (const value of values) expect(value).toBeGreaterThan(0);
      const flow = flows[0]!;
      const temperature = pointOf(`RS-${roomOf(flow)}.T`);
      const healthy = { ...temperature, fan: { code: 'other', hash: temperature.fan.hash ^ 1 } };
      for (const [cooled, was] of together([temperature, healthy], nightly(fan)))
        expect(cooled!).toBeLessThan(was!);
    }
  });
});
