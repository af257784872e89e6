import {
  columnOf,
  conditionsOf,
  dimensionsOf,
  within,
  type Bind,
  type Dimension,
  type TicketFilter,
} from './filter.ts';
import { ticketList, type LabelKind } from './list.ts';
import { schemaOf } from '../projection.ts';

/**
 * The index a list is read from, chosen here and not by the planner, whose statistics know neither
 * how rare a combination is nor that the newest are wanted. A base gives the keys that meet its
 * own dimensions; whatever else the filter asks for is tested on them.
 */
export type Base =
  /** An index in the order of the list, under one value of one dimension, or of none. */
  | { readonly kind: 'ordered'; readonly by: OrderedBy | null }
  /** Each (building, state, priority[, category]) there is, one after the other. */
  | { readonly kind: 'cells' }
  /** The tickets past due. */
  | { readonly kind: 'overdue' };

export type OrderedBy = Extract<
  Dimension,
  'buildingId' | 'assignedUserId' | 'assignedTeamId' | 'spaceId' | 'storeyId' | 'elementId'
>;

export type Direction = 'asc' | 'desc';

/** Which of the keys, counted from the newest (`desc`) or from the oldest (`asc`). */
export interface Cut {
  readonly direction: Direction;
  readonly limit: number;
  readonly offset: number;
  /** Only tickets created before; for an ordered base. */
  readonly before?: string | undefined;
}

const schema = schemaOf(ticketList);
export const LIST = `${schema}.${ticketList.table.name}`;
export const COUNT = `${schema}.ticket_count`;
export const COUNT_BY_LABEL = `${schema}.ticket_count_by_label`;
export const COUNT_BY_TEAM = `${schema}.ticket_count_by_team`;
export const COUNT_BY_MONTH = `${schema}.ticket_count_by_month`;
export const COUNT_BY_LABEL_MONTH = `${schema}.ticket_count_by_label_month`;

/** What the tallies are kept by. */
export const CELL: readonly Dimension[] = ['buildingId', 'state', 'priority'];

export const labelKinds = {
  category: 'category',
  assignedUserId: 'user',
  assignedTeamId: 'team',
} as const satisfies Partial<Record<Dimension, LabelKind>>;

/** Keys `(id, created_at)` of the tickets that meet `filter`, in order, as a query. */
export const keysOf = (filter: TicketFilter, base: Base, cut: Cut, bind: Bind): string => {
  const { direction, limit, offset } = cut;
  return `select id, created_at from (${rowsOf(filter, base, cut, bind)}) base
    where ${conditionsOf(filter, residualOf(filter, base), bind)}
    order by created_at ${direction}, id ${direction}
    limit ${bind(limit, 'bigint')} offset ${bind(offset, 'bigint')}`;
};

/** How many of the base's rows meet `filter` in each month (`2026-03`), as a query. */
export const countByMonthOf = (filter: TicketFilter, base: Base, bind: Bind): string =>
  `select left(created_at, 7) as month, count(*)::float8 as n
    from (${rowsOf(filter, base, undefined, bind)}) base
    where ${conditionsOf(filter, residualOf(filter, base), bind)} group by 1`;

/** How many of the base's rows meet `filter`, and how many rows it has, as a query. */
export const countOf = (filter: TicketFilter, base: Base, bind: Bind): string =>
  `select count(*) filter (where ${conditionsOf(filter, residualOf(filter, base), bind)})::float8
      as matching, count(*)::float8 as scanned
    from (${rowsOf(filter, base, undefined, bind)}) base`;

/** What a base leaves to be tested. */
const residualOf = (filter: TicketFilter, base: Base): readonly Dimension[] =>
  dimensionsOf(filter).filter((dimension) => {
    if (base.kind === 'ordered') return dimension !== base.by;
    if (base.kind === 'overdue') return dimension !== 'overdue';
    return !ofCells.includes(dimension);
  });

/** What the cells themselves are tested for. */
const ofCells: readonly Dimension[] = [...CELL, 'category', 'overdue'];

/**
 * `offset 0` keeps the conditions of the outer query out of this one, so that nothing but the
 * base's own index fits it.
 */
const rowsOf = (filter: TicketFilter, base: Base, cut: Cut | undefined, bind: Bind): string => {
  const columns = [
    ...new Set(['id', 'created_at', ...residualOf(filter, base).map((name) => columnOf[name])]),
  ];
  // A value that is bound and not used would have no type.
  if (base.kind === 'cells') return cellsOf(filter, columns, cut, bind);
  const organisation = `organisation_id = ${bind(filter.organisation, 'text')}`;
  if (base.kind === 'overdue') {
    return `select ${columns.join(', ')} from ${LIST}
      where ${organisation} and ${conditionsOf(filter, ['overdue'], bind)} offset 0`;
  }
  const own = base.by === null ? 'true' : conditionsOf(filter, [base.by], bind);
  const before = cut?.before === undefined ? '' : `and created_at < ${bind(cut.before, 'text')}`;
  const direction = cut?.direction ?? 'desc';
  return `select ${columns.join(', ')} from ${LIST} where ${organisation} and ${own} ${before}
    order by created_at ${direction}, id ${direction} offset 0`;
};

/**
 * With a category, each cell is in the order of the list and need only be read so far; unless
 * something is left to be tested, of which no more can be said.
 */
const cellsOf = (
  filter: TicketFilter,
  columns: readonly string[],
  cut: Cut | undefined,
  bind: Bind,
): string => {
  const organisation = bind(filter.organisation, 'text');
  const cells =
    filter.category === undefined
      ? `select building_id, state, priority from ${COUNT}
          where organisation_id = ${organisation} and ${conditionsOf(filter, CELL, bind)} and n > 0`
      : `select building_id, state, priority, label from ${COUNT_BY_LABEL}
          where organisation_id = ${organisation} and kind = 'category'
            and label = any(${bind(filter.category, 'text[]')})
            and ${conditionsOf(filter, CELL, bind)} and n > 0`;
  const few =
    cut && filter.category && within(filter, ofCells)
      ? `order by t.created_at ${cut.direction}, t.id ${cut.direction}
          limit ${bind(cut.offset + cut.limit, 'bigint')}`
      : 'offset 0';
  return `select found.* from (${cells} offset 0) cell
    cross join lateral (
      select ${columns.map((name) => `t.${name}`).join(', ')} from ${LIST} t
      where t.organisation_id = ${organisation} and t.building_id = cell.building_id
        and t.state = cell.state and t.priority = cell.priority
        ${filter.category ? 'and t.category = cell.label' : ''}
        and ${conditionsOf(filter, ['overdue'], bind)} ${few}) found`;
};
