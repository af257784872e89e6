/** The statements of a report. The caller's `bind` binds their values. */
import { utcDayOf } from '../../../domain/reports/history.ts';
import type { ReportFilter, ReportGroup, ReportName } from '../../../domain/reports/reports.ts';
import { schemaOf } from '../../../engine/projections/projection.ts';
import type { Bind } from '../../snapshot.ts';
import { ticketReports } from '../history.ts';
import { REPORT_RANKED_GROUPS_MAX } from '../limits.ts';
import type { Slice } from './slices.ts';
import { openAt, sources, type Source } from './sources.ts';

/** The table of element types, and its columns. */
export interface ElementTypes {
  readonly table: string;
  readonly id: string;
  readonly type: string;
}

/** The table of former ids of places and the ids that they have now, and its columns. */
export interface Successors {
  readonly table: string;
  readonly id: string;
  readonly successor: string;
}

/** The selected tickets, and their grouping. */
export interface Selection {
  readonly report: ReportName;
  /** Alias. */
  readonly organisation: string;
  readonly filter: ReportFilter;
  readonly groupBy: ReportGroup | null;
  readonly elementTypes: ElementTypes;
  readonly successors: Successors;
}

/** Cells of a source by their names; `percentiles` are milliseconds. */
export interface CountedRow {
  /** From 1, within the slice; 0 for {@link countsAtStart}. */
  readonly interval: number;
  /** These tickets have no group. */
  readonly none: boolean;
  /** `null`: they have none, or one without a series. */
  readonly key: string | null;
  readonly cells: Readonly<Record<string, number | readonly number[] | null>>;
}

export interface Weight {
  readonly key: string;
  readonly weight: number;
}

/** The counts of a slice, by interval and series. */
export const countsIn =
  (selection: Selection, slice: Slice, keys: readonly string[]) =>
  (bind: Bind): string => {
    const bounds = bind(boundsOf(slice), 'float8[]');
    const source = sources[selection.report];
    return counts(selection, source, keys, {
      bind,
      interval: `width_bucket(o.at, ${bounds})`,
      where: within(slice, bind),
    });
  };

/** The open tickets before a moment, by series. */
export const countsAtStart =
  (selection: Selection, startMs: number, keys: readonly string[]) =>
  (bind: Bind): string =>
    counts(selection, openAt(bind(startMs - 1, 'float8')), keys, {
      bind,
      interval: '0',
      where: wasOpen(startMs, bind),
    });

/** The share of each group in a slice, the largest first. */
export const weightsIn =
  (selection: Selection, slice: Slice) =>
  (bind: Bind): string =>
    weights(selection, sources[selection.report], bind, within(slice, bind));

/** As {@link weightsIn}, for the open tickets before a moment. */
export const weightsAtStart =
  (selection: Selection, startMs: number) =>
  (bind: Bind): string => {
    const source = openAt(bind(startMs - 1, 'float8'));
    return weights(selection, source, bind, wasOpen(startMs, bind));
  };

const counts = (
  selection: Selection,
  source: Source,
  keys: readonly string[],
  parts: { readonly bind: Bind; readonly interval: string; readonly where: string },
): string => {
  const { bind, interval, where } = parts;
  const key = keyOf(selection);
  const cells = Object.entries(source.cells).map(([name, sql]) => `'${name}', ${sql}`);
  return `select ${interval} as interval,
      ${key === null ? 'false' : `${key} is null`} as none,
      ${key === null ? 'null' : `case when ${key} = any(${bind(keys, 'text[]')}) then ${key} end`}
        as key,
      json_build_object(${cells.join(', ')}) as cells
    from ${from(selection, source)} where ${conditions(selection, bind)} and ${where}
    group by 1, 2, 3`;
};

const weights = (selection: Selection, source: Source, bind: Bind, where: string): string =>
  `select ${keyOf(selection)} as key, ${source.weight}::float8 as weight
    from ${from(selection, source)} where ${conditions(selection, bind)} and ${where}
      and ${keyOf(selection)} is not null
    group by 1 order by 2 desc, 1 limit ${REPORT_RANKED_GROUPS_MAX}`;

const HISTORY = `${schemaOf(ticketReports)}.${ticketReports.table.name}`;

const from = (selection: Selection, { rows }: Source): string =>
  `${HISTORY} t ${placesOf(selection)} cross join lateral (${rows}) o`;

/**
 * Ended tickets keep the former id of a place, and count under its present one. The limit makes
 * the planner look each one up: there may be many more former places than tickets in a slice.
 */
const placesOf = ({ groupBy, elementTypes: { table, id }, successors }: Selection): string => {
  const column = groupBy && columns[groupBy];
  if (column === null || !recreated.has(column)) return '';
  const successor = `select ${successors.successor} as id from ${successors.table}
    where ${successors.id} = t.${column} limit 1`;
  const place = `left join lateral (${successor}) p on true`;
  if (groupBy !== 'elementType') return place;
  return `${place} left join ${table} e on e.${id} = ${presentId(column)}`;
};

const keyOf = ({ groupBy, elementTypes }: Selection): string | null => {
  if (groupBy === null) return null;
  if (groupBy === 'elementType') return `e.${elementTypes.type}`;
  const column = columns[groupBy];
  return `${recreated.has(column) ? presentId(column) : `t.${column}`}::text`;
};

const presentId = (column: string): string => `coalesce(p.id, t.${column})`;

/** Columns with places that an import may recreate under other ids. */
const recreated: ReadonlySet<string> = new Set(['storey_id', 'space_id', 'element_id']);

const columns: Readonly<Record<ReportGroup, string>> = {
  building: 'building_id',
  storey: 'storey_id',
  space: 'space_id',
  elementType: 'element_id',
  category: 'category',
  team: 'assigned_team_id',
  priority: 'priority',
};

const tests: Readonly<Record<keyof ReportFilter, readonly [column: string, type: string]>> = {
  buildingId: ['building_id', 'uuid'],
  storeyId: ['storey_id', 'uuid'],
  spaceId: ['space_id', 'uuid'],
  elementId: ['element_id', 'uuid'],
  assignedTeamId: ['assigned_team_id', 'text'],
  category: ['category', 'text[]'],
  priority: ['priority', 'text[]'],
};

const conditions = ({ organisation, filter, successors }: Selection, bind: Bind): string =>
  [
    `t.organisation_id = ${bind(organisation, 'text')}`,
    ...(Object.keys(tests) as (keyof ReportFilter)[]).flatMap((member) => {
      const value = filter[member];
      if (value === undefined) return [];
      const [column, type] = tests[member];
      const bound = bind(value, type);
      if (recreated.has(column)) return [`t.${column} = any(${idsOf(bound, successors)})`];
      return [`t.${column} = ${type.endsWith('[]') ? `any(${bound})` : bound}`];
    }),
  ].join(' and ');

/** The present and the former ids of a place. */
const idsOf = (bound: string, { table, id, successor }: Successors): string =>
  `array(select ${id} from ${table} where ${successor} = ${bound}) || ${bound}`;

const boundsOf = ({ intervals }: Slice): readonly number[] => [
  intervals[0]!.startMs,
  ...intervals.map(({ endMs }) => endMs),
];

/** The days select tickets by the index; the times then select their occurrences. */
const within = (slice: Slice, bind: Bind): string => {
  const bounds = boundsOf(slice);
  const [start, end] = [bounds[0]!, bounds.at(-1)!];
  const [first, last] = [utcDayOf(start), utcDayOf(end)];
  const days = Array.from({ length: last - first + 1 }, (_, day) => first + day);
  return `t.days && ${bind(days, 'integer[]')}
    and o.at >= ${bind(start, 'float8')} and o.at < ${bind(end, 'float8')}`;
};

const wasOpen = (startMs: number, bind: Bind): string => {
  const start = bind(startMs, 'float8');
  return `(t.open_until is null or t.open_until >= ${start}) and t.created_at < ${start}`;
};
