import {
  CELL,
  COUNT,
  COUNT_BY_LABEL,
  COUNT_BY_TEAM,
  countOf,
  labelKinds,
  type Base,
  type OrderedBy,
} from './access-paths.ts';
import {
  bindings,
  conditionsOf,
  within,
  type Bind,
  type Dimension,
  type TicketFilter,
} from './filter.ts';
import type { Reading } from './read-snapshot.ts';

/** How a list is read, and how long it is. */
export interface Plan {
  /** Tickets that meet the filter: exact. */
  readonly total: number;
  /** Tickets of the organisation, or of the building where the filter names one. */
  readonly scope: number;
  /** The base from which `wanted` keys are read at the least cost, and the cost in rows. */
  cheapest(wanted: number): { readonly base: Base; readonly rows: number };
}

export type Label = keyof typeof labelKinds;
const owners = ['assignedUserId', 'assignedTeamId'] as const;
const places = ['elementId', 'spaceId', 'storeyId'] as const;
export const labels = Object.keys(labelKinds) as Label[];

/** Runs in a transaction that sees one state of the tables. */
export const planOf = async (reading: Reading, filter: TicketFilter): Promise<Plan> => {
  const tallied = await talliesOf(reading, filter);
  const narrow = [...owners, ...places].filter((dimension) => filter[dimension] !== undefined);
  return narrow.length > 0
    ? narrowPlan(reading, filter, tallied, narrow)
    : broadPlan(reading, filter, tallied);
};

interface Tallied {
  readonly scope: number;
  /** Tickets in the cells of the filter; with its team or its label, where that is tallied. */
  readonly matching: number;
  /** Cells of the filter, without its owner, and the tickets in them. */
  readonly cells: number;
  readonly cellTickets: number;
  readonly assignedUserId: number;
  readonly assignedTeamId: number;
}

const talliesOf = async (reading: Reading, filter: TicketFilter): Promise<Tallied> => {
  const { values, bind } = bindings();
  const organisation = `organisation_id = ${bind(filter.organisation, 'text')}`;
  const conditions = (among: readonly Dimension[]) => conditionsOf(filter, among, bind);
  const summed = (from: string) =>
    `(select coalesce(sum(n), 0)::float8 from ${from} and ${organisation})`;
  const sized = (asked: unknown, from: () => string) =>
    asked === undefined ? '0' : summed(from());
  const label = (name: Label) => `${COUNT_BY_LABEL} where ${labelledBy(filter, name, bind)}`;
  const team = () => `${COUNT_BY_TEAM} where ${conditions(['assignedTeamId'])}`;

  const cells = filter.category === undefined ? `${COUNT} where true` : label('category');
  const matching =
    filter.assignedTeamId !== undefined
      ? summed(`${team()} and ${conditions([...CELL, 'category'])}`)
      : filter.assignedUserId !== undefined
        ? summed(`${label('assignedUserId')} and ${conditions(CELL)}`)
        : 'cell_tickets';
  const [row] = await reading.rows<Tallied>(
    `select cells, cell_tickets as "cellTickets", ${matching} as matching,
       ${summed(`${COUNT} where ${conditions(['buildingId'])}`)} as scope,
       ${sized(filter.assignedUserId, () => label('assignedUserId'))} as "assignedUserId",
       ${sized(filter.assignedTeamId, team)} as "assignedTeamId"
     from (select coalesce(sum(n), 0)::float8 as cell_tickets, count(*)::float8 as cells
       from ${cells} and ${conditions(CELL)} and ${organisation} and n > 0) counted`,
    values,
  );
  return row!;
};

/** The tally's rows that are about the label the filter asks for. */
export const labelledBy = (filter: TicketFilter, name: Label, bind: Bind): string => {
  const value = filter[name];
  const label =
    typeof value === 'string' ? `= ${bind(value, 'text')}` : `= any(${bind(value, 'text[]')})`;
  return `kind = '${labelKinds[name]}' and label ${label}`;
};

/** `matching` is of all that the filter asks for, but for `overdue`. */
const isTallied = (filter: TicketFilter): boolean =>
  within(filter, [...CELL, 'category', 'assignedTeamId', 'overdue']) ||
  within(filter, [...CELL, 'assignedUserId', 'overdue']);

interface Way {
  readonly base: Base;
  /** What reading `wanted` of `total` keys costs, in rows of an index. */
  readonly cost: (wanted: number, total: number) => number;
}

/** Each cell is gone to; where more is asked than the index has, so is a ticket's whole row. */
const byCells = (reading: Reading, filter: TicketFilter, tallied: Tallied): Way => {
  const { cellCostRows, rowCostRows } = reading.tuning;
  const { cells, cellTickets } = tallied;
  const perTicket = within(filter, [...CELL, 'category', 'overdue']) ? 1 : rowCostRows;
  const inOrder = perTicket === 1 && filter.category !== undefined;
  return {
    base: { kind: 'cells' },
    cost: (wanted) =>
      cells * cellCostRows +
      perTicket * (inOrder ? Math.min(cellTickets, cells * wanted) : cellTickets),
  };
};

/** In the order of the list, until there are enough, among so many. */
const inOrder = (by: OrderedBy | null, rows: number): Way => ({
  base: { kind: 'ordered', by },
  cost: (wanted, total) => (total === 0 ? rows : Math.min(rows, (wanted * rows) / total)),
});

const isCelled = (filter: TicketFilter): boolean =>
  (filter.state ?? filter.priority ?? filter.category) !== undefined;

/** The cheapest of the ways for so many keys; the first, where two are alike. */
const planned = (total: number, scope: number, ways: readonly Way[]): Plan => ({
  total,
  scope,
  cheapest: (wanted) => {
    const [first, ...others] = ways.map(({ base, cost }) => ({ base, rows: cost(wanted, total) }));
    return others.reduce((a, b) => (b.rows < a.rows ? b : a), first!);
  },
});

/** A place or an owner has few tickets: from the smallest of them, in order. */
const narrowPlan = async (
  reading: Reading,
  filter: TicketFilter,
  tallied: Tallied,
  narrow: readonly (OrderedBy & Dimension)[],
): Promise<Plan> => {
  const least = await leastOf(reading, filter, tallied, narrow);
  const ways: Way[] = [inOrder(least.by, least.rows)];
  // Of a place alone the number is not known, nor whether it is many.
  if (isCelled(filter) && least.rows > 0) ways.push(byCells(reading, filter, tallied));
  const all = (base: Base) => counted(reading, filter, base);
  if (!isTallied(filter)) {
    const { base } = planned(least.rows, tallied.scope, ways).cheapest(least.rows);
    return planned((await all(base)).matching, tallied.scope, ways);
  }
  const { matching, scope } = tallied;
  if (filter.overdue === undefined || matching === 0) return planned(matching, scope, ways);
  const few = least.rows <= reading.tuning.cellsFirstRowsMax;
  const base: Base = few ? ways[0]!.base : { kind: 'overdue' };
  const late = await counted(reading, { ...filter, overdue: true }, base);
  if (!filter.overdue) return planned(matching - late.matching, scope, ways);
  if (!few) ways.push({ base, cost: () => late.scanned });
  return planned(late.matching, scope, ways);
};

/** Which of them has the fewest tickets, and how many: 0 if it is the only one and not tallied. */
const leastOf = async (
  reading: Reading,
  filter: TicketFilter,
  tallied: Tallied,
  narrow: readonly (OrderedBy & Dimension)[],
): Promise<{ readonly by: OrderedBy; readonly rows: number }> => {
  let least: { by: OrderedBy; rows: number } | undefined;
  // Those whose size is known come first: beside a small one, a storey need not be counted.
  for (const by of narrow) {
    const known = by === 'assignedUserId' || by === 'assignedTeamId';
    const small = least !== undefined && least.rows <= reading.tuning.cellsFirstRowsMax;
    if (small && by === 'storeyId') continue;
    const size = async () =>
      narrow.length === 1
        ? 0
        : (await counted(reading, onlyBy(filter, by), { kind: 'ordered', by })).matching;
    const rows = known ? tallied[by] : await size();
    if (least === undefined || rows < least.rows) least = { by, rows };
  }
  return least!;
};

const onlyBy = (filter: TicketFilter, by: OrderedBy): TicketFilter => ({
  organisation: filter.organisation,
  now: filter.now,
  [by]: filter[by],
});

/** Along the order of the list, or from where the tallies say the few are. */
const broadPlan = async (
  reading: Reading,
  filter: TicketFilter,
  tallied: Tallied,
): Promise<Plan> => {
  const { scope, matching, cellTickets } = tallied;
  const ways: Way[] = [];
  let total = matching;
  if (filter.overdue !== undefined && matching > 0) {
    const late = { ...filter, overdue: true };
    const few = isCelled(filter) && cellTickets <= reading.tuning.cellsFirstRowsMax;
    const base: Base = few ? { kind: 'cells' } : { kind: 'overdue' };
    const found = await counted(reading, late, base);
    total = filter.overdue ? found.matching : matching - found.matching;
    if (filter.overdue && !few) ways.push({ base, cost: () => found.scanned * 1.5 });
  }
  ways.push(inOrder(filter.buildingId === undefined ? null : 'buildingId', scope));
  if (isCelled(filter)) ways.push(byCells(reading, filter, tallied));
  return planned(total, scope, ways);
};

const counted = async (reading: Reading, filter: TicketFilter, base: Base) => {
  const { values, bind } = bindings();
  const [row] = await reading.rows<{ matching: number; scanned: number }>(
    countOf(filter, base, bind),
    values,
  );
  return row!;
};
