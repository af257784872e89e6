import { COUNT, COUNT_BY_TEAM, LIST } from './tables.ts';
import { conditionsOf, within, type Dimension, type TicketFilter } from './filter.ts';
import type { Snapshot } from '../../snapshot.ts';

/** The tallied dimensions: their lists may be long, and are not counted ticket by ticket. */
const TALLIED: readonly Dimension[] = [
  'buildingId',
  'state',
  'priority',
  'category',
  'assignedTeamId',
];

/** The exact number of tickets of the filter. */
export const totalOf = async (snapshot: Snapshot, filter: TicketFilter): Promise<number> => {
  if (within(filter, TALLIED)) return tallied(snapshot, filter);
  const { overdue, ...others } = filter;
  // Few tickets are overdue, so counting those is cheaper.
  if (overdue === false && within(others, TALLIED)) {
    const late = await counted(snapshot, { ...filter, overdue: true });
    return (await tallied(snapshot, others)) - late;
  }
  return counted(snapshot, filter);
};

const tallied = async (snapshot: Snapshot, filter: TicketFilter): Promise<number> => {
  const tally = filter.assignedTeamId === undefined ? COUNT : COUNT_BY_TEAM;
  const [row] = await snapshot.rows<{ n: number }>(
    (bind) => `select coalesce(sum(t.n), 0)::float8 as n from ${tally} t
      where ${conditionsOf(filter, bind)}`,
  );
  return row!.n;
};

const counted = async (snapshot: Snapshot, filter: TicketFilter): Promise<number> => {
  const [row] = await snapshot.rows<{ n: number }>(
    (bind) => `select count(*)::float8 as n from ${LIST} t where ${conditionsOf(filter, bind)}`,
  );
  return row!.n;
};
