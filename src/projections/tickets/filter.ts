import type { Instant } from '../../domain/decider.ts';

/** Which tickets a list is of. All that is given must hold. interface.md, list filters. */
export interface TicketFilter {
  /** Alias. Nobody sees another organisation's tickets. */
  readonly organisation: string;
  readonly buildingId?: string | undefined;
  /** One of these. */
  readonly state?: readonly string[] | undefined;
  readonly priority?: readonly string[] | undefined;
  /** One of these, to the letter. */
  readonly category?: readonly string[] | undefined;
  readonly assignedUserId?: string | undefined;
  readonly assignedTeamId?: string | undefined;
  readonly spaceId?: string | undefined;
  readonly storeyId?: string | undefined;
  readonly elementId?: string | undefined;
  /** `true`: a clock runs and is past due at `now`; `false`: all the others. */
  readonly overdue?: boolean | undefined;
  readonly now: Instant;
}

export type Dimension = Exclude<keyof TicketFilter, 'organisation' | 'now'>;

/** Collects the values of one statement; what it returns stands for the value in the text. */
export type Bind = (value: unknown, type: string) => string;

export const bindings = (): { readonly values: unknown[]; readonly bind: Bind } => {
  const values: unknown[] = [];
  return { values, bind: (value, type) => `$${values.push(value)}::${type}` };
};

/** The column that a dimension is tested on. */
export const columnOf: Readonly<Record<Dimension, string>> = {
  buildingId: 'building_id',
  state: 'state',
  priority: 'priority',
  category: 'category',
  assignedUserId: 'assigned_user_id',
  assignedTeamId: 'assigned_team_id',
  spaceId: 'space_id',
  storeyId: 'storey_id',
  elementId: 'element_id',
  overdue: 'next_due_at',
};

export const dimensions = Object.keys(columnOf) as Dimension[];

/** What `filter` asks for. */
export const dimensionsOf = (filter: TicketFilter): readonly Dimension[] =>
  dimensions.filter((dimension) => filter[dimension] !== undefined);

/** Those of `filter`'s conditions that are about `among`, and `true` where it has none. */
export const conditionsOf = (
  filter: TicketFilter,
  among: readonly Dimension[],
  bind: Bind,
): string =>
  dimensionsOf(filter)
    .filter((dimension) => among.includes(dimension))
    .map((dimension) => conditionOf(filter, dimension, bind))
    .join(' and ') || 'true';

const conditionOf = (filter: TicketFilter, dimension: Dimension, bind: Bind): string => {
  const column = columnOf[dimension];
  switch (dimension) {
    case 'state':
    case 'priority':
    case 'category':
      return `${column} = any(${bind(filter[dimension], 'text[]')})`;
    case 'assignedUserId':
    case 'assignedTeamId':
      return `${column} = ${bind(filter[dimension], 'text')}`;
    case 'buildingId':
    case 'spaceId':
    case 'storeyId':
    case 'elementId':
      return `${column} = ${bind(filter[dimension], 'uuid')}`;
    case 'overdue': {
      const now = bind(filter.now, 'text');
      return filter.overdue ? `${column} < ${now}` : `(${column} is null or ${column} >= ${now})`;
    }
  }
};

/** The filter asks for nothing but these. */
export const within = (filter: TicketFilter, among: readonly Dimension[]): boolean =>
  dimensionsOf(filter).every((dimension) => among.includes(dimension));
