/** The simulation behind docs/operating/scale.md: it obeys the laws of queueing theory. */
import { describe, expect, it } from 'vitest';
import { quantile } from '../bench/support/figures.ts';
import { simulate } from '../bench/support/simulation/simulate.ts';
import { split } from '../bench/support/simulation/split.ts';
import { Wakeups } from '../bench/support/simulation/wakeups.ts';
import type { Model, WorkClass } from '../bench/support/simulation/model.ts';

const COST_US = 1_000;
const SECONDS = 150;

/** One class through one station with one server. */
const single = (perSecond: number, more: Partial<Model> = {}): Model => ({
  seed: 1,
  seconds: SECONDS,
  warmUpSeconds: 1,
  stations: [{ name: 'api', servers: 1 }],
  classes: [{ name: 'read', perSecond, steps: [{ station: 'api', meanUs: COST_US }] }],
  ...more,
});

const station = (model: Model, name = 'api') => simulate(model).stations.get(name)!;
/** The relative error. */
const off = (value: number, expected: number) => Math.abs(value / expected - 1);

const raised: WorkClass = {
  name: 'raise',
  perSecond: 300,
  steps: [
    { station: 'api', meanUs: 1_000, service: 'constant' },
    { station: 'postgres', meanUs: 500, service: 'constant' },
  ],
  followed: [
    [{ station: 'projections', meanUs: 200, service: 'constant' }],
    [{ station: 'processes', meanUs: 700, service: 'constant' }],
  ],
};
const platform: Model = {
  seed: 5,
  seconds: 4,
  stations: [
    { name: 'api', servers: 1 },
    { name: 'projections', servers: 1 },
    { name: 'processes', servers: 1 },
    { name: 'postgres', servers: 2 },
  ],
  classes: [
    raised,
    {
      name: 'list',
      perSecond: 200,
      steps: [
        { station: 'api', meanUs: 1_500 },
        { station: 'postgres', meanUs: 3_000 },
      ],
    },
  ],
};
const overloaded: Model = {
  ...platform,
  classes: platform.classes.map((of) => ({ ...of, perSecond: of.perSecond * 3 })),
};

describe('the simulation', () => {
  it('is determined by its seed', () => {
    const latencies = (seed: number) =>
      simulate({ ...platform, seed })
        .classes.get('list')!
        .latenciesUs.join();
    expect(latencies(5) === latencies(5)).toBe(true);
    expect(latencies(6) === latencies(5)).toBe(false);
  });

  it.each([
    ['below its capacity', platform],
    ['beyond it', overloaded],
  ])('loses and invents nothing %s', (_, model) => {
    const { stations, classes } = simulate(model);
    for (const { arrived, done, waiting, serving } of stations.values())
      expect(arrived).toBe(done + waiting + serving);
    for (const { arrived, done, open } of classes.values()) expect(arrived).toBe(done + open);
    const [raise, list] = [classes.get('raise')!, classes.get('list')!];
    expect(stations.get('api')!.arrived).toBe(raise.arrived + list.arrived);
    expect(stations.get('projections')!.arrived).toBe(raise.latenciesUs.length);
    expect(raise.lagsUs.length).toBe(raise.done);
  });

  describe.each([300, 600])('with one server and %i requests of 1 ms a second', (perSecond) => {
    const load = (perSecond * COST_US) / 1e6;
    const { stations, classes } = simulate(single(perSecond));
    const api = stations.get('api')!;
    const read = classes.get('read')!;

    it('generates arrivals at the requested rate', () =>
      expect(off(read.arrived, perSecond * SECONDS)).toBeLessThan(0.02));

    it('uses load times cost', () => {
      expect(off(api.utilisation, load)).toBeLessThan(0.02);
      expect(off(api.offered, load)).toBeLessThan(0.02);
    });

    it("keeps Little's law", () => {
      const expected = (api.arrivalsPerSecond * api.meanStayUs) / 1e6;
      expect(off(api.meanPresent, expected)).toBeLessThan(0.01);
    });

    it('waits as M/M/1 does, in order of arrival', () => {
      const stayUs = COST_US / (1 - load);
      expect(off(api.meanWaitUs, load * stayUs)).toBeLessThan(0.05);
      expect(off(quantile(read.latenciesUs, 0.99), -Math.log(0.01) * stayUs)).toBeLessThan(0.05);
    });

    it('waits half as long with a constant service time, as M/D/1 does', () => {
      const steps = [{ station: 'api', meanUs: COST_US, service: 'constant' }] as const;
      const { meanWaitUs } = station(
        single(perSecond, { classes: [{ name: 'read', perSecond, steps }] }),
      );
      expect(off(meanWaitUs, (load * COST_US) / 2 / (1 - load))).toBeLessThan(0.05);
    });
  });

  it('waits as M/M/2 does with two servers, and divides the work among them', () => {
    const two = station(single(1_000, { stations: [{ name: 'api', servers: 2 }] }));
    const load = 0.5;
    expect(off(two.utilisation, load)).toBeLessThan(0.02);
    expect(off(two.meanWaitUs, (COST_US * load ** 2) / (1 - load ** 2))).toBeLessThan(0.05);
  });

  it('counts steps after an answer as lag, in parallel, and not as latency', () => {
    const alone = { ...platform, classes: [{ ...raised, perSecond: 1 }] };
    const { latenciesUs, lagsUs } = simulate(alone).classes.get('raise')!;
    expect(quantile(latenciesUs, 0.5)).toBeCloseTo(1_500, 3);
    expect(quantile(lagsUs, 0.5)).toBeCloseTo(700, 3);
  });

  it('names the overloaded stations, the worst first, and no other', () => {
    expect(simulate(platform)).toMatchObject({ bottleneck: 'api', overloaded: [] });
    expect(simulate(overloaded)).toMatchObject({
      bottleneck: 'api',
      overloaded: ['api'],
    });
    const cloned = overloaded.stations.map((one) =>
      one.name === 'api' ? { ...one, servers: 4 } : one,
    );
    expect(simulate({ ...overloaded, stations: cloned })).toMatchObject({
      bottleneck: 'postgres',
      overloaded: ['postgres'],
    });
  });

  it('refuses a step at a station that does not exist', () => {
    const model = single(10, { stations: [] });
    expect(() => simulate(model)).toThrow(new RangeError('there is no station api'));
  });
});

const appending = (name: string, perSecond: number, wakeupUs: number, appends = 1): WorkClass => ({
  name,
  perSecond,
  steps: [],
  wakes: { steps: [{ station: 'api', meanUs: wakeupUs, service: 'constant' }], appends },
});
const read = (...classes: readonly WorkClass[]) => {
  const reader = { busyUs: 20_000, restUs: 8_000 };
  const { wakeups, stations } = simulate(single(0, { classes, reader, warmUpSeconds: 0 }));
  return { wakeups: wakeups / SECONDS, busyUs: stations.get('api')!.utilisation * 1e6 };
};

describe('the reader of the log', () => {
  it('wakes for each append of a quiet log', () => {
    const { wakeups } = read(appending('key', 1, 0));
    expect(off(wakeups, 1)).toBeLessThan(0.15);
  });

  it('rests on a busy log, so that appends share wake-ups', () => {
    const { wakeups } = read(appending('key', 1_000, 0));
    expect(off(wakeups, 1e6 / 8_000)).toBeLessThan(0.02);
  });

  it('rests only after a wake-up that came soon after another', () => {
    const wakeups = new Wakeups({ busyUs: 20, restUs: 8 });
    const due = (nowUs: number) => {
      const at = wakeups.append({ of: appending('key', 1, 0), left: 0 }, nowUs);
      if (at !== null) wakeups.wake(at);
      return at;
    };
    expect([0, 5, 7, 40, 41, 60].map(due)).toEqual([0, 5, 13, 40, 41, 60]);
  });

  it('charges a shared wake-up once, as the dearest of its kinds', () => {
    const { wakeups, busyUs } = read(appending('key', 500, 100), appending('create', 500, 300));
    expect(off(busyUs, wakeups * 300)).toBeLessThan(0.03);
  });

  it('wakes again for each append that follows', () =>
    expect(off(read(appending('create', 1, 0, 3)).wakeups, 3)).toBeLessThan(0.15));
});

describe('the costs of two rates', () => {
  const cost = (requests: number, wakeups: number, us: number) => ({ requests, wakeups, us });

  it('are split into those of a request and of a wake-up', () =>
    expect(split([cost(100, 80, 900), cost(300, 120, 1_800)])).toMatchObject({
      requestUs: expect.closeTo(3),
      wakeupUs: expect.closeTo(7.5),
    }));

  it('are those of requests without wake-ups', () =>
    expect(split([cost(100, 0, 200), cost(300, 0, 600)])).toEqual({ requestUs: 2, wakeupUs: 0 }));

  it('are never negative', () => {
    expect(split([cost(100, 80, 900), cost(300, 120, 900)]).requestUs).toBe(0);
    expect(split([cost(100, 80, 100), cost(300, 120, 900)]).wakeupUs).toBe(0);
  });
});
