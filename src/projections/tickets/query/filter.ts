import type { Instant } from '../../../engine/aggregates/decider.ts';
import type { Bind } from '../../snapshot.ts';
import { answersIn } from './answers.ts';

/** The filters of a list, all of which must hold. interface.md, list filters. */
export interface TicketFilter {
  /** Alias. Tickets of other organisations are never returned. */
  readonly organisation: string;
  readonly buildingId?: string | undefined;
  /** One of these. */
  readonly state?: readonly string[] | undefined;
  readonly priority?: readonly string[] | undefined;
  /** Exactly one of these. */
  readonly category?: readonly string[] | undefined;
  readonly assignedUserId?: string | undefined;
  readonly assignedTeamId?: string | undefined;
  readonly spaceId?: string | undefined;
  readonly storeyId?: string | undefined;
  readonly elementId?: string | undefined;
  /** The user who raised it. */
  readonly reporterUserId?: string | undefined;
  /** `SR-000042`, in exactly this form. */
  readonly number?: string | undefined;
  /** `true`: a running clock is past due at `now`; `false`: all others. */
  readonly overdue?: boolean | undefined;
  /** By key of a form's field; one of its values must be an answer of the ticket. */
  readonly fields?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly now: Instant;
}

export type Dimension = Exclude<keyof TicketFilter, 'organisation' | 'now'>;

type Test = (filter: TicketFilter, bind: Bind, table: string) => string;

const is =
  (dimension: Dimension, column: string, type: 'text' | 'uuid'): Test =>
  (filter, bind, table) =>
    `${table}.${column} = ${bind(filter[dimension], type)}`;

/** A single value uses `=`: only then does the planner recognise an index's order. */
const isOneOf =
  (dimension: 'state' | 'priority' | 'category'): Test =>
  (filter, bind, table) => {
    const [value, ...others] = filter[dimension] ?? [];
    return value !== undefined && others.length === 0
      ? `${table}.${dimension} = ${bind(value, 'text')}`
      : `${table}.${dimension} = any(${bind(filter[dimension], 'text[]')})`;
  };

const tests: Readonly<Record<Dimension, Test>> = {
  buildingId: is('buildingId', 'building_id', 'uuid'),
  state: isOneOf('state'),
  priority: isOneOf('priority'),
  category: isOneOf('category'),
  assignedUserId: is('assignedUserId', 'assigned_user_id', 'text'),
  assignedTeamId: is('assignedTeamId', 'assigned_team_id', 'text'),
  spaceId: is('spaceId', 'space_id', 'uuid'),
  storeyId: is('storeyId', 'storey_id', 'uuid'),
  elementId: is('elementId', 'element_id', 'uuid'),
  reporterUserId: is('reporterUserId', 'reporter_user_id', 'text'),
  number: is('number', 'number', 'text'),
  overdue: ({ overdue, now }, bind, table) => {
    const late = `${table}.next_due_at < ${bind(now, 'text')}`;
    return overdue ? late : `(${late}) is not true`;
  },
  fields: (filter, bind, table) =>
    Object.keys(filter.fields ?? {})
      .map((key) => `exists (${answersIn(filter, key, bind, table)})`)
      .join(' and '),
};

const dimensions = Object.keys(tests) as Dimension[];

/** Whether the filter uses only these dimensions. */
export const within = (filter: TicketFilter, among: readonly Dimension[]): boolean =>
  dimensions.every((dimension) => filter[dimension] === undefined || among.includes(dimension));

/** The filter as SQL for `table`: the organisation and the dimensions of `among`. */
export const conditionsOf = (
  filter: TicketFilter,
  bind: Bind,
  among: readonly Dimension[] = dimensions,
  table = 't',
): string =>
  [
    `${table}.organisation_id = ${bind(filter.organisation, 'text')}`,
    ...among
      .filter((dimension) => filter[dimension] !== undefined)
      .map((dimension) => tests[dimension](filter, bind, table)),
  ].join(' and ');
