import {
  CELL,
  COUNT,
  COUNT_BY_LABEL,
  COUNT_BY_MONTH,
  countOf,
  labelKinds,
  type Base,
  type Cut,
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
  /** The base from which `wanted` keys are read at the least cost. */
  baseFor(wanted: number): Base;
}

type Label = keyof typeof labelKinds;
const owners = ['assignedUserId', 'assignedTeamId'] as const;
const places = ['elementId', 'spaceId', 'storeyId'] as const;
const labels = Object.keys(labelKinds) as Label[];

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

const labelledBy = (filter: TicketFilter, name: Label, bind: Bind): string => {
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
  const single = labels.filter((name) => filter[name] !== undefined).length === 1;
  const total =
    single && within(filter, [...CELL, ...labels])
      ? tallied.matching
      : (await counted(reading, filter, base)).matching;
  return { total, scope: tallied.scope, baseFor: () => base };
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
    baseFor: (wanted) => costs.reduce((a, b) => (b.cost(wanted) < a.cost(wanted) ? b : a)).base,
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

/**
 * The page of `limit` after `offset`, from the nearer end; by months where it lies deep.
 * `offset` must lie before `plan.total`.
 */
export const cutOf = async (
  reading: Reading,
  filter: TicketFilter,
  plan: Plan,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<{ base: Base; cut: Cut }> => {
  const last = Math.min(plan.total, offset + limit);
  const fromEnd = plan.total - last;
  const cut: Cut =
    fromEnd < offset
      ? { direction: 'asc', limit: last - offset, offset: fromEnd }
      : { direction: 'desc', limit: last - offset, offset };
  const wanted = cut.offset + cut.limit;
  const base = plan.baseFor(wanted);
  if (base.kind !== 'ordered' || wanted < reading.tuning.deepRows || !within(filter, CELL))
    return { base, cut };
  const start = await monthOfRow(reading, filter, offset);
  return {
    base: { kind: 'ordered', by: filter.buildingId === undefined ? null : 'buildingId' },
    cut: {
      direction: 'desc',
      limit: cut.limit,
      offset: offset - start.rows,
      before: start.before,
    },
  };
};

/** How many rows precede the month in which the list's row `offset` lies, and where it ends. */
const monthOfRow = async (reading: Reading, filter: TicketFilter, offset: number) => {
  let rows = 0;
  let before: string | undefined;
  for (const { month, n } of await monthsOf(reading, filter)) {
    if (rows + n > offset) break;
    rows += n;
    before = month;
  }
  return { rows, before };
};

/** The months in which the cells of the filter have tickets, newest first. */
export const monthsOf = async (
  reading: Reading,
  filter: TicketFilter,
): Promise<readonly { readonly month: string; readonly n: number }[]> => {
  const { values, bind } = bindings();
  return reading.rows<{ month: string; n: number }>(
    `select month, sum(n)::float8 as n from ${COUNT_BY_MONTH}
     where organisation_id = ${bind(filter.organisation, 'text')}
       and ${conditionsOf(filter, CELL, bind)} and n > 0
     group by month order by month desc`,
    values,
  );
};
