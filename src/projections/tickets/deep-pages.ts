import { startOfMonth } from '../../domain/calendar.ts';
import {
  CELL,
  COUNT_BY_LABEL_MONTH,
  COUNT_BY_MONTH,
  countByMonthOf,
  LIST,
  type Base,
  type Cut,
  type Direction,
  type OrderedBy,
} from './access-paths.ts';
import { bindings, conditionsOf, dimensionsOf, within, type TicketFilter } from './filter.ts';
import { monthOf } from './list.ts';
import { labelledBy, labels, type Label, type Plan } from './plan.ts';
import type { Reading } from './read-snapshot.ts';

/**
 * The page of `limit` after `offset`, read from the nearer end, and by months where it lies deep:
 * the tallies say in which month it begins, and only that one is walked through.
 *
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
  const { base, rows } = plan.cheapest(cut.offset + cut.limit);
  const months = rows < reading.tuning.deepRows ? undefined : await monthsOf(reading, filter);
  if (months === undefined) return { base, cut };

  let before: string | undefined;
  let passed = 0;
  for (const { month, n } of months) {
    if (passed + n > offset) break;
    passed += n;
    before = month;
  }
  return {
    base: { kind: 'ordered', by: orderedBy(filter) },
    cut: { direction: 'desc', limit: cut.limit, offset: offset - passed, before },
  };
};

const orderedBy = (filter: TicketFilter): OrderedBy | null =>
  (['assignedUserId', 'assignedTeamId', 'buildingId'] as const).find(
    (dimension) => filter[dimension] !== undefined,
  ) ?? null;

export interface Month {
  /** `2026-03`. */
  readonly month: string;
  /** Tickets created in it. */
  readonly n: number;
}

/** In which months the tickets of `filter` lie, newest first, where the tallies can tell. */
const monthsOf = async (
  reading: Reading,
  filter: TicketFilter,
): Promise<readonly Month[] | undefined> => {
  const { overdue, ...all } = filter;
  if (overdue === true) return undefined;
  const label = onlyLabelOf(all);
  if (label === undefined && !within(all, CELL)) return undefined;
  const tallied = await talliedMonthsOf(reading, all, label);
  if (overdue === undefined) return tallied;
  const { values, bind } = bindings();
  const counted = countByMonthOf({ ...filter, overdue: true }, { kind: 'overdue' }, bind);
  const late = new Map(
    (await reading.rows<Month>(counted, values)).map(({ month, n }) => [month, n]),
  );
  return tallied.map(({ month, n }) => ({ month, n: n - (late.get(month) ?? 0) }));
};

/** The label, if the filter asks for nothing else. */
const onlyLabelOf = (filter: TicketFilter): Label | undefined =>
  dimensionsOf(filter).length === 1 ? labels.find((name) => filter[name] !== undefined) : undefined;

const talliedMonthsOf = (
  reading: Reading,
  filter: TicketFilter,
  label: Label | undefined,
): Promise<readonly Month[]> => {
  const { values, bind } = bindings();
  const [tally, among] =
    label === undefined
      ? [COUNT_BY_MONTH, conditionsOf(filter, CELL, bind)]
      : [COUNT_BY_LABEL_MONTH, labelledBy(filter, label, bind)];
  return reading.rows<Month>(
    `select month, sum(n)::float8 as n from ${tally}
     where organisation_id = ${bind(filter.organisation, 'text')} and ${among} and n > 0
     group by month order by month desc`,
    values,
  );
};

/** Every month from that of the newest ticket back to that of the oldest, in `filter`'s scope. */
export const monthsSpanned = async (
  reading: Reading,
  filter: TicketFilter,
): Promise<readonly string[]> => {
  const { values, bind } = bindings();
  const organisation = `organisation_id = ${bind(filter.organisation, 'text')}`;
  const scope = `${organisation} and ${conditionsOf(filter, ['buildingId'], bind)}`;
  const end = (direction: Direction) =>
    `(select created_at from ${LIST} where ${scope}
       order by created_at ${direction}, id ${direction} limit 1)`;
  const [row] = await reading.rows<{ newest: string | null; oldest: string | null }>(
    `select ${end('desc')} as newest, ${end('asc')} as oldest`,
    values,
  );
  const { newest, oldest } = row!;
  return newest === null || oldest === null ? [] : monthsBack(monthOf(newest), monthOf(oldest));
};

/** `2026-02`, `2026-01`, `2025-12`. */
const monthsBack = (newest: string, oldest: string): string[] => {
  const months: string[] = [];
  for (let month = newest; month >= oldest; month = monthOf(startOfMonth(month, -1)))
    months.push(month);
  return months;
};
