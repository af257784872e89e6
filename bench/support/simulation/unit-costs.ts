/**
 * Measured unit costs, from docs/reference/performance.md and docs/operating/sizing.md; `recorded`
 * is the commit that documented the figure, with its day. All were measured on two cores. To
 * measure again, run the command and change the line.
 */

export interface UnitCost {
  /** Processor time of the Node process in microseconds. */
  readonly nodeUs: number;
  /** Processor time of Postgres in microseconds. */
  readonly postgresUs: number;
  readonly command: string;
  readonly recorded: string;
  /** Measured maximum rate per second, in the same runs on two cores, callers included. */
  readonly mostPerSecond?: number;
  /** Limitations of the figure. */
  readonly note?: string;
}

export const UNIT_COSTS = {
  read: {
    nodeUs: 112,
    postgresUs: 17,
    mostPerSecond: 10_100,
    command: 'node bench/shipped.ts 2 1',
    recorded: '2026-11-22 9315091a',
  },
  list: {
    nodeUs: 1_140,
    postgresUs: 700,
    mostPerSecond: 750,
    command: 'node bench/shipped.ts 2 1',
    recorded: '2026-11-22 9315091a',
    note: 'a page of 50, few tickets',
  },
  listOfMillion: {
    nodeUs: 1_140,
    postgresUs: 3_500,
    command: 'node bench/ticket-list.ts 1000000 --runs 25',
    recorded: '2026-11-23 d90bd184',
    note: 'the upper median of ordinary filters, by the clock; the server as above',
  },
  check: {
    nodeUs: 158,
    postgresUs: 75,
    mostPerSecond: 5_900,
    command: 'node bench/shipped.ts 2 1',
    recorded: '2026-11-23 94d02ea7',
  },
  chain: {
    nodeUs: 21,
    postgresUs: 9,
    command: 'node bench/audit-chain.ts',
    recorded: '2026-11-22 d5cd7c02',
    note: 'of each checked key, afterwards',
  },
  command: {
    nodeUs: 600,
    postgresUs: 250,
    mostPerSecond: 1_650,
    command: 'node bench/shipped.ts 2 1',
    recorded: '2026-11-23 d90bd184',
    note: 'a ticket raised, all roles; taken for every command',
  },
  projected: {
    nodeUs: 8.4,
    postgresUs: 13,
    command: 'node bench/projection.ts 100000 10000',
    recorded: '2026-11-23 d90bd184',
    note: 'an event in the ticket list',
  },
  delivery: {
    nodeUs: 95,
    postgresUs: 39,
    mostPerSecond: 9_200,
    command: 'node bench/webhooks.ts 20000 3 50',
    recorded: '2026-11-23 d90bd184',
    note: 'from the event on, with its outcome',
  },
  value: {
    nodeUs: 5.7,
    postgresUs: 15.6,
    command: 'node bench/ingest.ts 6',
    recorded: '2026-11-23 d90bd184',
    note: 'in requests of 1,000',
  },
} as const satisfies Readonly<Record<string, UnitCost>>;

/** Time of an append at the station `log`: the reciprocal of the maximum rate of appends. */
export const APPEND_US = {
  postgres: {
    us: 1e6 / 34_300,
    command: 'node bench/append.ts 3 1500',
    recorded: '2026-11-21 4fa1badb',
  },
  eventstoredb: {
    us: 1e6 / 19_000,
    command: 'node bench/eventstoredb.ts 3 2000 20000',
    recorded: '2026-11-23 d90bd184',
  },
} as const;

/** Bytes of rows and indexes, and retention in days, from docs/operating/sizing.md. */
export const BYTES = {
  command: 'node bench/sizing.ts',
  recorded: '2026-11-22 239eedff',
  ticketInLog: 4_380,
  ticketInReadModels: 4_860,
  use: 800 + 79 + 901,
  useDays: 580,
  sample: 2.94,
  delivery: 350,
  deliveryDays: 31,
} as const;
