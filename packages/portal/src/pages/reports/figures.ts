/** The figures of the reports and their formatting. */
import type { components } from '../../../../sdk/src/index.ts';

type Schemas = components['schemas'];

export const REPORTS = {
  backlog: 'Backlog',
  throughput: 'Throughput',
  response: 'First response',
  resolution: 'Resolution',
  attainment: 'SLA attainment',
  reopened: 'Reopened',
} as const;
export type ReportName = keyof typeof REPORTS;
export const reportNames = Object.keys(REPORTS) as ReportName[];

export type Report =
  | Schemas['BacklogReport']
  | Schemas['ThroughputReport']
  | Schemas['DurationReport']
  | Schemas['AttainmentReport']
  | Schemas['ReopenedReport'];
export type Series = Report['series'][number];
export type ReportInterval = Report['intervals'][number];

type Unit = 'count' | 'minutes' | 'share';

export interface Figure {
  readonly name: string;
  readonly label: string;
  readonly unit: Unit;
}

const count = (name: string, label: string): Figure => ({ name, label, unit: 'count' });
const minutes = (name: string, label: string): Figure => ({ name, label, unit: 'minutes' });
const share = (name: string, label: string): Figure => ({ name, label, unit: 'share' });

const durations: readonly Figure[] = [
  minutes('medianMinutes', 'Median'),
  minutes('p90Minutes', '90th percentile'),
  count('count', 'Tickets'),
  count('met', 'In time'),
  count('missed', 'Late'),
  share('share', 'Share in time'),
];

/** In the order of the table; the chart begins with the first. */
export const FIGURES: Readonly<Record<ReportName, readonly Figure[]>> = {
  backlog: [
    count('new', 'New'),
    count('triaged', 'Triaged'),
    count('in_progress', 'In progress'),
    count('waiting', 'Waiting'),
    count('reopened', 'Reopened'),
    count('total', 'Total'),
  ],
  throughput: [count('created', 'Created'), count('resolved', 'Resolved')],
  response: durations,
  resolution: durations,
  attainment: [
    share('firstResponse.share', 'First response in time'),
    share('resolution.share', 'Resolution in time'),
    count('firstResponse.met', 'First response met'),
    count('firstResponse.missed', 'First response missed'),
    count('resolution.met', 'Resolution met'),
    count('resolution.missed', 'Resolution missed'),
  ],
  reopened: [
    share('rate', 'Reopened per resolved'),
    count('reopened', 'Reopened'),
    count('resolved', 'Resolved'),
  ],
};

/** The figures of the chart of all tickets, which share a unit. */
export const CHARTED: Readonly<Record<ReportName, readonly string[]>> = {
  backlog: ['new', 'triaged', 'in_progress', 'waiting', 'reopened'],
  throughput: ['created', 'resolved'],
  response: ['medianMinutes', 'p90Minutes'],
  resolution: ['medianMinutes', 'p90Minutes'],
  attainment: ['firstResponse.share', 'resolution.share'],
  reopened: ['rate'],
};

/** The default figure for comparing groups. */
export const COMPARED: Readonly<Record<ReportName, string>> = {
  backlog: 'total',
  throughput: 'created',
  response: 'medianMinutes',
  resolution: 'medianMinutes',
  attainment: 'resolution.share',
  reopened: 'rate',
};

export const figureOf = (report: ReportName, name: string): Figure =>
  FIGURES[report].find((figure) => figure.name === name) ?? FIGURES[report][0]!;

/** The value of an interval; `null` if nothing was counted. */
export const valueIn = (
  series: { readonly values: readonly object[] } | undefined,
  at: number,
  name: string,
): number | null => {
  let value: unknown = series?.values[at];
  for (const member of name.split('.'))
    value = (value as Readonly<Record<string, unknown>> | undefined)?.[member];
  return typeof value === 'number' ? value : null;
};

const numbers = new Intl.NumberFormat('en');

export const written = (value: number | null, unit: Unit): string => {
  if (value === null) return '–';
  if (unit === 'share') return `${(value * 100).toFixed(value === 0 || value === 1 ? 0 : 1)} %`;
  if (unit === 'count') return numbers.format(value);
  if (value < 60) return `${Math.round(value)} min`;
  if (value < 48 * 60) return `${(value / 60).toFixed(1)} h`;
  return `${(value / 1_440).toFixed(1)} d`;
};

export const nameOf = ({ kind, key, label }: Series): string =>
  ({ all: 'All tickets', none: 'None', others: 'All others', group: label ?? key ?? '' })[kind];

/** The names of series; duplicates are numbered. */
export const namesOf = (series: readonly Series[]): readonly string[] => {
  const times = new Map<string, number>();
  return series.map((group) => {
    const name = nameOf(group);
    const time = (times.get(name) ?? 0) + 1;
    times.set(name, time);
    return time === 1 ? name : `${name} (${time})`;
  });
};

const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const months = new Intl.DateTimeFormat('en-GB', {
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** `2 Mar`, `2 – 8 Mar`, `Mar 2026`. */
export const intervalName = ({ from, to }: ReportInterval, length: string): string => {
  if (length === 'month') return months.format(new Date(from));
  return from === to ? days.format(new Date(from)) : days.formatRange(new Date(from), new Date(to));
};
