/** The tables of docs/operating/scale.md, as Markdown. */
import { quantile } from '../figures.ts';
import { L, M, modelOf, PEAK, ratesOf, S, SCENARIOS, XL, type Scenario } from './scenarios.ts';
import { simulate, type Result } from './simulate.ts';
import { BYTES, UNIT_COSTS } from './unit-costs.ts';

const SEED = 1;
/** The fewest arrivals with stable percentiles. */
const ARRIVALS = 20_000;
const STATIONS = ['process', 'api', 'projections', 'processes', 'postgres', 'log'] as const;

const percent = (share: number) => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
const milliseconds = (us: readonly number[], share: number) =>
  (quantile(us, share) / 1_000).toFixed(1);

const bottleneckOf = ({ bottleneck, overloaded, stations }: Result) =>
  overloaded.length > 0
    ? `**${overloaded.join(', ')}: overloaded**`
    : `${bottleneck}, at ${(1 / stations.get(bottleneck)!.offered).toFixed(1)} times the load`;

const rowOf = (scenario: Scenario) => {
  const result = simulate(modelOf(scenario, SEED, ARRIVALS));
  const { latenciesUs } = result.classes.get('list')!;
  const { lagsUs } = result.classes.get('command')!;
  const times = (us: readonly number[], tail: number) =>
    result.overloaded.length > 0 ? 'grows' : `${milliseconds(us, 0.5)} / ${milliseconds(us, tail)}`;
  const used = STATIONS.map((name) => result.stations.get(name)).map((station) =>
    station ? percent(station.utilisation) : '',
  );
  return [
    scenario.name,
    ...used,
    times(latenciesUs, 0.99),
    times(lagsUs, 0.95),
    bottleneckOf(result),
  ];
};

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`.replaceAll('  ', ' '))
    .join('\n');

/** Utilisation, callers' wait for processors, and the bottleneck of each scenario. */
export const scaleTable = (): string =>
  table(
    ['step', ...STATIONS, 'list: p50 / p99 ms', 'lag: p50 / p95 ms', 'first bottleneck'],
    SCENARIOS.map(rowOf),
  );

const SIZES = { S, M, L, XL };
const perSize = (value: (size: (typeof SIZES)[keyof typeof SIZES]) => string) =>
  Object.values(SIZES).map(value);

/** The sizes, and the derived rates of a busy hour. */
export const ratesTable = (): string =>
  table(
    ['', ...Object.keys(SIZES)],
    [
      ...(['tickets', 'points', 'webhooks'] as const).map((of) => [
        of,
        ...perSize((size) => size[of].toLocaleString('en')),
      ]),
      ...(['command', 'list', 'read', 'check', 'delivery', 'value'] as const).map((kind) => [
        `${kind}, a second`,
        ...perSize((size) => String(Number(ratesOf({ size })[kind].toPrecision(2)))),
      ]),
    ],
  );

const DAY_SECONDS = 86_400;
const YEAR_DAYS = 365;
const STORED: Readonly<Record<string, (size: typeof S) => number>> = {
  'tickets in the log': ({ tickets }) => tickets * BYTES.ticketInLog,
  'tickets in read models': ({ tickets }) => tickets * BYTES.ticketInReadModels,
  'uses of keys, 18 months': (size) =>
    (ratesOf({ size }).check / PEAK) * DAY_SECONDS * BYTES.useDays * BYTES.use,
  'sealed samples, each year': (size) =>
    ratesOf({ size }).value * DAY_SECONDS * YEAR_DAYS * BYTES.sample,
  'deliveries, 31 days': (size) =>
    ratesOf({ size }).delivery * DAY_SECONDS * BYTES.deliveryDays * BYTES.delivery,
};

/** Disk usage of the sizes, in GB. */
export const storageTable = (): string =>
  table(
    ['GB', ...Object.keys(SIZES)],
    Object.entries(STORED).map(([what, bytes]) => [
      what,
      ...perSize((size) => String(Number((bytes(size) / 1e9).toPrecision(2)))),
    ]),
  );

const CAPACITY_OF_SECONDS = 5;
const MEASURED = ['read', 'list', 'check', 'command', 'delivery'] as const;

export interface Capacity {
  readonly kind: (typeof MEASURED)[number];
  /** Requests a second, with one process and two cores for Postgres. */
  readonly predicted: number;
  readonly measured: number;
}

/**
 * The capacity for one kind alone: of the simulation's first saturated station, from processor
 * time, and measured in the runs of the unit costs.
 */
export const capacities = (): readonly Capacity[] =>
  MEASURED.map((kind) => {
    const { nodeUs, postgresUs, mostPerSecond } = UNIT_COSTS[kind];
    const perSecond = mostPerSecond / 2;
    const { stations, bottleneck } = simulate({
      seed: SEED,
      seconds: CAPACITY_OF_SECONDS,
      stations: [
        { name: 'process', servers: 1 },
        { name: 'postgres', servers: 2 },
      ],
      classes: [
        {
          name: kind,
          perSecond,
          steps: [
            { station: 'process', meanUs: nodeUs, service: 'constant' },
            { station: 'postgres', meanUs: postgresUs, service: 'constant' },
          ],
        },
      ],
    });
    const { offered, arrivalsPerSecond } = stations.get(bottleneck)!;
    return { kind, predicted: arrivalsPerSecond / offered, measured: mostPerSecond };
  });

/** {@link capacities} as Markdown. */
export const capacityTable = (): string =>
  table(
    ['most a second', 'predicted', 'measured', 'ratio'],
    capacities().map(({ kind, predicted, measured }) => [
      kind,
      predicted.toFixed(0),
      String(measured),
      (predicted / measured).toFixed(2),
    ]),
  );
