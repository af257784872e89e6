import { COUNT, COUNT_BY_TEAM, LIST } from './tables.ts';
import { conditionsOf, within, type Dimension, type TicketFilter } from './filter.ts';
import { WHOLE, type Division } from './order.ts';
import type { Snapshot } from '../../snapshot.ts';

/** The tallied dimensions: their lists may be long, and are not counted ticket by ticket. */
const TALLIED: readonly Dimension[] = [
  'buildingId',
  'state',
  'priority',
  'category',
  'assignedTeamId',
];

/** The number of tickets by part; a part without tickets may be absent. */
export type Totals = ReadonlyMap<string, number>;

export const sumOf = (totals: Totals): number => {
  let sum = 0;
  for (const n of totals.values()) sum += n;
  return sum;
};

/** The exact numbers of tickets of the filter, by the parts of the division. */
export const totalsOf = async (
  snapshot: Snapshot,
  filter: TicketFilter,
  division: Division | null,
): Promise<Totals> => {
  if (within(filter, TALLIED)) return tallied(snapshot, filter, division);
  const { overdue, ...others } = filter;
  // Few tickets are overdue, so counting those is cheaper.
  if (overdue === false && within(others, TALLIED)) {
    const late = await counted(snapshot, { ...filter, overdue: true }, division);
    const all = await tallied(snapshot, others, division);
    return new Map([...all].map(([part, n]) => [part, n - (late.get(part) ?? 0)]));
  }
  return counted(snapshot, filter, division);
};

const tallied = (snapshot: Snapshot, filter: TicketFilter, division: Division | null) => {
  const tally = filter.assignedTeamId === undefined ? COUNT : COUNT_BY_TEAM;
  return summed(snapshot, filter, tally, 'sum(t.n)', division?.tallies);
};

const counted = (snapshot: Snapshot, filter: TicketFilter, division: Division | null) =>
  summed(snapshot, filter, LIST, 'count(*)', division?.rows);

const summed = async (
  snapshot: Snapshot,
  filter: TicketFilter,
  table: string,
  sum: string,
  part: string | undefined,
): Promise<Totals> => {
  const rows = await snapshot.rows<{ part: string; n: number }>(
    (bind) => `select ${part ?? `'${WHOLE}'`} as part, coalesce(${sum}, 0)::float8 as n
      from ${table} t where ${conditionsOf(filter, bind)}
      ${part === undefined ? '' : 'group by 1'}`,
  );
  return new Map(rows.map(({ part: name, n }) => [name, n]));
};
