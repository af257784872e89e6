/** Scenarios from one process to 100 million tickets, 50,000 points and 10,000 webhooks. */
import { APPEND_US, UNIT_COSTS, type UnitCost } from './unit-costs.ts';
import type { Model, Step, WorkClass } from './model.ts';

export interface Size {
  readonly tickets: number;
  readonly points: number;
  readonly webhooks: number;
}

/** The running processes: `process` has all roles; without it there are processes by role. */
export interface Setup {
  readonly process?: number;
  readonly api?: number;
  readonly projections?: number;
  readonly processes?: number;
  readonly postgresCores: number;
  readonly log: keyof typeof APPEND_US;
}

export interface Scenario {
  readonly name: string;
  readonly size: Size;
  /** Factor of the rates derived from the size. Default: 1. */
  readonly times?: number;
  readonly setup: Setup;
}

export const S: Size = { tickets: 1e5, points: 500, webhooks: 100 };
export const M: Size = { tickets: 1e6, points: 5_000, webhooks: 1_000 };
export const L: Size = { tickets: 1e7, points: 20_000, webhooks: 3_000 };
export const XL: Size = { tickets: 1e8, points: 50_000, webhooks: 10_000 };

const ONE = { process: 1, postgresCores: 2, log: 'postgres' } as const;
const BY_ROLE = {
  api: 1,
  projections: 1,
  processes: 1,
  postgresCores: 4,
  log: 'postgres',
} as const;
const CLONED = { ...BY_ROLE, api: 4, log: 'eventstoredb' } as const;

export const SCENARIOS: readonly Scenario[] = [
  { name: '1 S: one process, 2 cores for Postgres', size: S, setup: ONE },
  { name: '2 M: the same', size: M, setup: ONE },
  { name: '3 L: the same', size: L, setup: ONE },
  { name: '4 XL: the same', size: XL, setup: ONE },
  { name: '5 XL: a process for each role, 4 cores', size: XL, setup: BY_ROLE },
  { name: '6 XL: 4 × api, EventStoreDB', size: XL, setup: CLONED },
  { name: '7 XL, three times the load: the same', size: XL, times: 3, setup: CLONED },
  {
    name: '8 XL, three times the load: 8 × api, 16 cores',
    size: XL,
    times: 3,
    setup: { ...CLONED, api: 8, postgresCores: 16 },
  },
];

const COMMANDS_OF_TICKET = 6;
const YEARS_OF_TICKETS = 3;
const SECONDS_A_YEAR = 365 * 86_400;
/** A busy hour has ten times the commands of the mean. */
export const PEAK = 10;
/** Requests per command of a ticket. */
const PER_COMMAND = { list: 8, read: 16, check: 32 } as const;
const SECONDS_BETWEEN_VALUES = 10;
const SECONDS_BETWEEN_DELIVERIES = 5;
const VALUES_A_REQUEST = 1_000;
/** List, search, metadata and clocks follow the events of a ticket. */
const READ_MODELS = 4;
const LARGE_LIST_TICKETS = 1e6;

export interface Rates {
  /** Rates per second, in a busy hour. */
  readonly command: number;
  readonly list: number;
  readonly read: number;
  readonly check: number;
  readonly delivery: number;
  readonly value: number;
}

export const ratesOf = ({ size, times = 1 }: Pick<Scenario, 'size' | 'times'>): Rates => {
  const mean = (size.tickets * COMMANDS_OF_TICKET) / YEARS_OF_TICKETS / SECONDS_A_YEAR;
  const command = mean * PEAK * times;
  return {
    command,
    list: command * PER_COMMAND.list,
    read: command * PER_COMMAND.read,
    check: command * PER_COMMAND.check,
    delivery: (size.webhooks / SECONDS_BETWEEN_DELIVERIES) * times,
    value: (size.points / SECONDS_BETWEEN_VALUES) * times,
  };
};

export const modelOf = (scenario: Scenario, seed: number, arrivals: number): Model => {
  const { setup } = scenario;
  const rates = ratesOf(scenario);
  const role = (name: 'api' | 'projections' | 'processes') => (setup.process ? 'process' : name);
  const cost = (at: string, { nodeUs, postgresUs }: UnitCost, count = 1): readonly Step[] => [
    { station: at, meanUs: nodeUs * count },
    { station: 'postgres', meanUs: postgresUs * count },
  ];
  const append: Step = { station: 'log', meanUs: APPEND_US[setup.log].us, service: 'constant' };
  const list =
    scenario.size.tickets < LARGE_LIST_TICKETS ? UNIT_COSTS.list : UNIT_COSTS.listOfMillion;
  const classes: readonly WorkClass[] = [
    {
      name: 'command',
      perSecond: rates.command,
      steps: [...cost(role('api'), UNIT_COSTS.command), append],
      followed: [cost(role('projections'), UNIT_COSTS.projected, READ_MODELS)],
    },
    { name: 'list', perSecond: rates.list, steps: cost(role('api'), list) },
    { name: 'read', perSecond: rates.read, steps: cost(role('api'), UNIT_COSTS.read) },
    {
      name: 'check',
      perSecond: rates.check,
      steps: [...cost(role('api'), UNIT_COSTS.check), append],
      followed: [cost(role('processes'), UNIT_COSTS.chain)],
    },
    {
      name: 'delivery',
      perSecond: rates.delivery,
      steps: cost(role('processes'), UNIT_COSTS.delivery),
    },
    {
      name: 'values',
      perSecond: rates.value / VALUES_A_REQUEST,
      steps: [...cost(role('api'), UNIT_COSTS.value, VALUES_A_REQUEST), append],
    },
  ];
  const nodes = setup.process
    ? [{ name: 'process', servers: setup.process }]
    : (['api', 'projections', 'processes'] as const).map((name) => ({
        name,
        servers: setup[name] ?? 1,
      }));
  const perSecond = classes.reduce((sum, of) => sum + of.perSecond, 0);
  const seconds = arrivals / perSecond;
  return {
    seed,
    seconds,
    warmUpSeconds: seconds / 10,
    stations: [
      ...nodes,
      { name: 'postgres', servers: setup.postgresCores },
      { name: 'log', servers: 1 },
    ],
    classes,
  };
};
