/** A month of the service desk on one page, to be printed or saved as PDF. */
import type { JSX } from 'preact';
import { usePortal } from '../../context.ts';
import { useLoaded } from '../../loading.ts';
import { ask, to, useRoute } from '../../router.ts';
import type { Api } from '../../session/requests.ts';
import { Card, PageHead, Table, type Column } from '../../ui/content.tsx';
import { Button } from '../../ui/controls.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { Show } from '../../ui/notices.tsx';
import { nameIn, useBuildings } from '../places.ts';
import {
  CHARTED,
  figureOf,
  intervalName,
  nameOf,
  valueIn,
  written,
  type Figure,
  type Report,
  type ReportName,
} from './figures.ts';
import { daysOfMonth, lastMonths, monthName } from './period.ts';
import { Plot } from './plot.tsx';
import { readReport } from './reading.ts';

const MONTHS = 24;
const TOP = 10;

/** Report, figure, and the label of the figure here. */
const HEADLINES: readonly (readonly [ReportName, string, string])[] = [
  ['throughput', 'created', 'Created'],
  ['throughput', 'resolved', 'Resolved'],
  ['backlog', 'total', 'Open at the end'],
  ['response', 'medianMinutes', 'Median first response'],
  ['resolution', 'medianMinutes', 'Median resolution'],
  ['attainment', 'firstResponse.share', 'First response in time'],
  ['attainment', 'resolution.share', 'Resolution in time'],
  ['reopened', 'rate', 'Reopened per resolved'],
];

interface Month {
  /** The previous month and the month. */
  readonly months: ReadonlyMap<ReportName, Report>;
  readonly daily: ReadonlyMap<'throughput' | 'backlog', Report>;
  readonly attainment: Report;
  readonly rooms: Report;
  readonly categories: Report;
}

/** In sequence: the server runs two reports per caller at a time. */
const readMonth = async (
  api: Api,
  month: string,
  buildingId: string,
  signal: AbortSignal,
): Promise<Month> => {
  const days = { ...daysOfMonth(month), buildingId };
  const read = (report: ReportName, query: Readonly<Record<string, string | number>>) =>
    readReport(api, report, { ...days, ...query }, signal);
  const months = new Map<ReportName, Report>();
  const { from } = daysOfMonth(month, 1);
  for (const [report] of HEADLINES)
    if (!months.has(report)) months.set(report, await read(report, { from, interval: 'month' }));
  const top = { interval: 'month', series: TOP };
  return {
    months,
    daily: new Map([
      ['throughput', await read('throughput', { interval: 'day' })],
      ['backlog', await read('backlog', { interval: 'day' })],
    ]),
    attainment: await read('attainment', { interval: 'week' }),
    rooms: await read('throughput', { ...top, groupBy: 'space' }),
    categories: await read('throughput', { ...top, groupBy: 'category' }),
  };
};

export const MonthPage = (): JSX.Element => {
  const { api, me } = usePortal();
  const route = useRoute();
  const recent = lastMonths(MONTHS);
  const month = route.query.get('month') ?? recent[0]!;
  const months = recent.includes(month) ? recent : [month, ...recent];
  const buildingId = route.query.get('buildingId') ?? '';
  const buildings = useBuildings();
  const loaded = useLoaded(
    (signal) => readMonth(api, month, buildingId, signal),
    [api, month, buildingId],
  );
  const where = buildingId === '' ? 'all buildings' : nameIn(buildings, buildingId);
  return (
    <div class="report month">
      <PageHead
        title={`Service desk, ${monthName(month)}`}
        lead={`${me.organisation}, ${where}`}
        above={[to(['reports']), 'Reports']}
      >
        <SelectField
          label="Month"
          value={month}
          choices={months.map((name) => [name, monthName(name)])}
          onValue={(name) => ask(route, { month: name })}
        />
        <SelectField
          label="Building"
          value={buildingId}
          choices={[['', 'All'], ...buildings]}
          onValue={(id) => ask(route, { buildingId: id })}
        />
        <Button kind="primary" onPress={() => print()} isDisabled={loaded.data === undefined}>
          Print
        </Button>
      </PageHead>
      <Show of={loaded}>{(data) => <Result of={data} />}</Show>
    </div>
  );
};

const Result = ({
  of: { months, daily, attainment, rooms, categories },
}: {
  readonly of: Month;
}) => (
  <>
    <dl class="headlines">
      {HEADLINES.map(([report, name, label]) => (
        <Headline
          key={label}
          report={months.get(report)!}
          figure={figureOf(report, name)}
          label={label}
        />
      ))}
    </dl>
    <div class="month-charts">
      <Chart title="Created and resolved by day" kind="bars" report={daily.get('throughput')!} />
      <Chart title="Open tickets by day" kind="stacked" report={daily.get('backlog')!} />
    </div>
    <Card title="SLA attainment by week">
      <AttainmentTable report={attainment} />
    </Card>
    <div class="month-charts">
      <Top title="Rooms with the most tickets" report={rooms} />
      <Top title="Categories with the most tickets" report={categories} />
    </div>
  </>
);

const Headline = ({
  report,
  figure: { name, unit },
  label,
}: {
  readonly report: Report;
  readonly figure: Figure;
  readonly label: string;
}): JSX.Element => {
  const at = report.intervals.length - 1;
  const before = at < 1 ? null : valueIn(report.series[0], at - 1, name);
  return (
    <div>
      <dt>{label}</dt>
      <dd>{written(valueIn(report.series[0], at, name), unit)}</dd>
      <dd class="faint small">before: {written(before, unit)}</dd>
    </div>
  );
};

const Chart = ({
  title,
  kind,
  report,
}: {
  readonly title: string;
  readonly kind: 'bars' | 'stacked';
  readonly report: Report;
}): JSX.Element => {
  const names = report.intervals.map((reportInterval) =>
    intervalName(reportInterval, report.interval),
  );
  const figures = CHARTED[report.report].map((name) => figureOf(report.report, name));
  const series = figures.map(({ name, label }) => ({
    name: label,
    values: names.map((_, at) => valueIn(report.series[0], at, name)),
  }));
  const columns: readonly Column<number>[] = [
    { name: 'Day', cell: (at) => names[at] },
    ...series.map(({ name, values }) => ({
      name,
      isNumber: true,
      cell: (at: number) => written(values[at] ?? null, 'count'),
    })),
  ];
  return (
    <Card title={title}>
      <Plot
        label={`${title}. The table that follows has the numbers.`}
        intervals={names}
        series={series}
        kind={kind}
        isWhole
        written={(value) => written(value, 'count')}
      />
      <details class="numbers">
        <summary>Numbers</summary>
        <Table
          caption={title}
          columns={columns}
          rows={names.map((_, at) => at)}
          keyOf={(at) => names[at]!}
        />
      </details>
    </Card>
  );
};

const ATTAINED = [
  'firstResponse.met',
  'firstResponse.missed',
  'firstResponse.share',
  'resolution.met',
  'resolution.missed',
  'resolution.share',
];

const AttainmentTable = ({ report }: { readonly report: Report }): JSX.Element => {
  const columns: readonly Column<number>[] = [
    { name: 'Week', cell: (at) => intervalName(report.intervals[at]!, report.interval) },
    ...ATTAINED.map((name) => figureOf('attainment', name)).map(({ name, label, unit }) => ({
      name: label,
      isNumber: true,
      cell: (at: number) => written(valueIn(report.series[0], at, name), unit),
    })),
  ];
  return (
    <Table
      caption="SLA attainment by week"
      columns={columns}
      rows={report.intervals.map((_, at) => at)}
      keyOf={(at) => report.intervals[at]!.from}
    />
  );
};

const Top = ({
  title,
  report: { series },
}: {
  readonly title: string;
  readonly report: Report;
}): JSX.Element => {
  const rows = series.filter(({ kind }) => kind === 'group');
  const columns: readonly Column<Report['series'][number]>[] = [
    { name: 'Name', cell: (group) => <span class="words">{nameOf(group)}</span> },
    ...(['created', 'resolved'] as const).map((name) => ({
      name: figureOf('throughput', name).label,
      isNumber: true,
      cell: (group: Report['series'][number]) => written(valueIn(group, 0, name), 'count'),
    })),
  ];
  return (
    <Card title={title}>
      {rows.length === 0 ? (
        <p class="faint">None this month.</p>
      ) : (
        <Table caption={title} columns={columns} rows={rows} keyOf={({ key }) => key ?? ''} />
      )}
    </Card>
  );
};
