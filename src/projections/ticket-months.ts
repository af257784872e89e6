import {
  CELL,
  COUNT_BY_LABEL_MONTH,
  COUNT_BY_MONTH,
  type Base,
  type Cut,
  type OrderedBy,
} from './ticket-bases.ts';
import {
  bindings,
  conditionsOf,
  dimensionsOf,
  within,
  type TicketFilter,
} from './ticket-filter.ts';
import { labelledBy, labels, type Label, type Plan } from './ticket-plan.ts';
import type { Reading } from './ticket-reading.ts';

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
  const label = onlyLabelOf(filter);
  if (rows < reading.tuning.deepRows || !(label ?? within(filter, CELL))) return { base, cut };

  const months = label
    ? await labelMonthsOf(reading, filter, label)
    : await monthsOf(reading, filter);
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

/** The label, if the filter asks for nothing else. */
const onlyLabelOf = (filter: TicketFilter): Label | undefined =>
  dimensionsOf(filter).length === 1 ? labels.find((name) => filter[name] !== undefined) : undefined;

export interface Month {
  /** `2026-03`. */
  readonly month: string;
  /** Tickets created in it. */
  readonly n: number;
}

/** The months in which the cells of the filter have tickets, newest first. */
export const monthsOf = (reading: Reading, filter: TicketFilter): Promise<readonly Month[]> => {
  const { values, bind } = bindings();
  return reading.rows<Month>(
    `select month, sum(n)::float8 as n from ${COUNT_BY_MONTH}
     where organisation_id = ${bind(filter.organisation, 'text')}
       and ${conditionsOf(filter, CELL, bind)} and n > 0
     group by month order by month desc`,
    values,
  );
};

const labelMonthsOf = (
  reading: Reading,
  filter: TicketFilter,
  label: Label,
): Promise<readonly Month[]> => {
  const { values, bind } = bindings();
  return reading.rows<Month>(
    `select month, sum(n)::float8 as n from ${COUNT_BY_LABEL_MONTH}
     where organisation_id = ${bind(filter.organisation, 'text')}
       and ${labelledBy(filter, label, bind)} and n > 0
     group by month order by month desc`,
    values,
  );
};
