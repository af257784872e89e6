import {
  CELL,
  COUNT,
  COUNT_BY_LABEL,
  countOf,
  labelKinds,
  type Base,
  type OrderedBy,
} from './ticket-bases.ts';
import {
  bindings,
  conditionsOf,
  within,
  type Bind,
  type Dimension,
  type TicketFilter,
} from './ticket-filter.ts';
import type { Reading } from './ticket-reading.ts';

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
  const narrow = [...places, ...owners].filter((dimension) => filter[dimension] !== undefined);
  return narrow.length > 0
    ? narrowPlan(reading, filter, tallied, narrow)
    : broadPlan(reading, filter, tallied);
};

interface Tallied {
  readonly scope: number;
  /** Tickets in the cells of the filter; with its label, where it has but one. */
  readonly matching: number;
  readonly cells: number;
  readonly assignedUserId: number;
  readonly assignedTeamId: number;
}

const talliesOf = async (reading: Reading, filter: TicketFilter): Promise<Tallied> => {
  const { values, bind } = bindings();
  const organisation = `organisation_id = ${bind(filter.organisation, 'text')}`;
  const sized = (name: Label) =>
    filter[name] === undefined
      ? '0'
      : `(select coalesce(sum(n), 0)::float8 from ${COUNT_BY_LABEL}
           where ${organisation} and ${labelledBy(filter, name, bind)})`;
  const label = labels.filter((name) => filter[name] !== undefined);
  const counted =
    label.length === 1
      ? `${COUNT_BY_LABEL} where ${labelledBy(filter, label[0]!, bind)} and ${organisation}`
      : `${COUNT} where ${organisation}`;
  const [row] = await reading.rows<Tallied>(
    `select matching, cells,
       (select coalesce(sum(n), 0)::float8 from ${COUNT}
         where ${organisation} and ${conditionsOf(filter, ['buildingId'], bind)}) as scope,
       ${sized('assignedUserId')} as "assignedUserId",
       ${sized('assignedTeamId')} as "assignedTeamId"
     from (select coalesce(sum(n), 0)::float8 as matching, count(*)::float8 as cells
       from ${counted} and ${conditionsOf(filter, CELL, bind)} and n > 0) counted`,
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

/** A place or an owner has few tickets: from the smallest of them, in order. */
const narrowPlan = async (
  reading: Reading,
  filter: TicketFilter,
  tallied: Tallied,
  narrow: readonly (OrderedBy & Dimension)[],
): Promise<Plan> => {
  const sizes: { by: OrderedBy; rows: number }[] = [];
  for (const by of narrow) {
    const rows =
      by === 'assignedUserId' || by === 'assignedTeamId'
        ? tallied[by]
        : narrow.length === 1
          ? 0
          : (await counted(reading, onlyBy(filter, by), { kind: 'ordered', by })).matching;
    sizes.push({ by, rows });
  }
  const least = sizes.reduce((a, b) => (b.rows < a.rows ? b : a));
  const base: Base = { kind: 'ordered', by: least.by };
  const plan = (total: number, from: Base = base, rows = least.rows): Plan => ({
    total,
    scope: tallied.scope,
    cheapest: (wanted) => ({
      base: from,
      rows: total === least.rows ? Math.min(wanted, rows) : rows,
    }),
  });
  const single = labels.filter((name) => filter[name] !== undefined).length === 1;
  if (!single || !within(filter, [...CELL, ...labels, 'overdue'])) {
    return plan((await counted(reading, filter, base)).matching);
  }
  if (filter.overdue === undefined) return plan(tallied.matching);
  const few = least.rows <= reading.tuning.cellsFirstRowsMax;
  const from: Base = few ? base : { kind: 'overdue' };
  const late = await counted(reading, { ...filter, overdue: true }, from);
  if (!filter.overdue) return plan(tallied.matching - late.matching);
  return late.scanned < least.rows ? plan(late.matching, from, late.scanned) : plan(late.matching);
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
  const { scope, cells, matching } = tallied;
  const ordered: Base = {
    kind: 'ordered',
    by: filter.buildingId === undefined ? null : 'buildingId',
  };
  const celled = filter.state ?? filter.priority ?? filter.category;
  const costs: { base: Base; cost: (wanted: number) => number }[] = [];
  let total = matching;
  if (filter.overdue !== undefined && matching > 0) {
    const late = { ...filter, overdue: true };
    const few = celled !== undefined && matching <= reading.tuning.cellsFirstRowsMax;
    const base: Base = few ? { kind: 'cells' } : { kind: 'overdue' };
    const found = await counted(reading, late, base);
    total = filter.overdue ? found.matching : matching - found.matching;
    if (filter.overdue && !few) costs.push({ base, cost: () => found.scanned * 1.5 });
  }
  costs.push({ base: ordered, cost: (wanted) => Math.min(scope, (wanted * scope) / total) });
  if (celled !== undefined) {
    const cost = (wanted: number) =>
      cells * reading.tuning.cellCostRows +
      (filter.category === undefined ? matching : Math.min(matching, cells * wanted));
    costs.push({ base: { kind: 'cells' }, cost });
  }
  return {
    total,
    scope,
    cheapest: (wanted) => {
      const [first, ...others] = costs.map(({ base, cost }) => ({ base, rows: cost(wanted) }));
      return others.reduce((a, b) => (b.rows < a.rows ? b : a), first!);
    },
  };
};

const counted = async (reading: Reading, filter: TicketFilter, base: Base) => {
  const { values, bind } = bindings();
  const [row] = await reading.rows<{ matching: number; scanned: number }>(
    countOf(filter, base, bind),
    values,
  );
  return row!;
};
