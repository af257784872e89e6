import { COUNT, COUNT_BY_TEAM, LIST } from './tables.ts';
import { conditionsOf, within, type Dimension, type TicketFilter } from './filter.ts';
import { WHOLE, type Division } from './order.ts';
import type { Bind, Snapshot } from '../../snapshot.ts';

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
  const totals = new Map<string, number>();
  for (const term of termsOf(filter)) {
    const part = division?.[term.table === LIST ? 'rows' : 'tallies'];
    const rows = await snapshot.rows<{ part: string; n: number }>(
      (bind) => `select ${part ?? `'${WHOLE}'`} as part, ${summed(term, bind)}
        ${part === undefined ? '' : 'group by 1'}`,
    );
    for (const { part: name, n } of rows)
      totals.set(name, (totals.get(name) ?? 0) + (term.subtracted ? -n : n));
  }
  return totals;
};

/** The exact number of tickets of the filter, as SQL. */
export const totalIn = (filter: TicketFilter, bind: Bind): string =>
  termsOf(filter)
    .map((term) => `${term.subtracted ? '- ' : ''}(select ${summed(term, bind)})`)
    .join(' ');

/** A sum of which a total is made. */
interface Term {
  /** {@link LIST} or a tally. */
  readonly table: string;
  readonly filter: TicketFilter;
  readonly subtracted?: true;
}

const termsOf = (filter: TicketFilter): readonly Term[] => {
  const table = filter.assignedTeamId === undefined ? COUNT : COUNT_BY_TEAM;
  if (within(filter, TALLIED)) return [{ table, filter }];
  const { overdue, ...others } = filter;
  // Few tickets are overdue, so counting those is cheaper.
  if (overdue === false && within(others, TALLIED))
    return [
      { table, filter: others },
      { table: LIST, filter: { ...filter, overdue: true }, subtracted: true },
    ];
  return [{ table: LIST, filter }];
};

const summed = ({ table, filter }: Term, bind: Bind): string =>
  `coalesce(${table === LIST ? 'count(*)' : 'sum(t.n)'}, 0)::float8 as n
    from ${table} t where ${conditionsOf(filter, bind)}`;
