/** One report by its address: a chart, its numbers, a file. */
import type { JSX } from 'preact';
import { usePortal } from '../../context.ts';
import { useLoaded, useSubmission } from '../../loading.ts';
import { ask, go, useRoute } from '../../router.ts';
import { Card, PageHead, Table, type Column } from '../../ui/content.tsx';
import { Button } from '../../ui/controls.tsx';
import { Empty, Show, Trouble } from '../../ui/notices.tsx';
import {
  CHARTED,
  COMPARED,
  figureOf,
  FIGURES,
  intervalName,
  namesOf,
  reportNames,
  REPORTS,
  valueIn,
  written,
  type Report,
  type ReportName,
} from './figures.ts';
import { filtersIn, ReportToolbar } from './filters.tsx';
import { periodOf, suitable } from './period.ts';
import { Plot } from './plot.tsx';
import { downloadReport, readReport } from './reading.ts';

/** Groups in a chart and its table; more lines cannot be distinguished. */
const SERIES = 6;

export const ReportPage = (): JSX.Element => {
  const { api } = usePortal();
  const route = useRoute();
  const named = route.query.get('report') as ReportName;
  const report = reportNames.includes(named) ? named : 'throughput';
  const period = periodOf(route.query);
  const filters = {
    ...period,
    interval: route.query.get('interval') ?? suitable(period),
    groupBy: route.query.get('groupBy'),
    ...filtersIn(route.query),
  };
  const parameters = { ...filters, series: SERIES };
  const key = JSON.stringify([report, parameters]);
  const loaded = useLoaded((signal) => readReport(api, report, parameters, signal), [api, key]);
  const csv = useSubmission(() => downloadReport(api, report, filters));
  const figure = figureOf(report, route.query.get('figure') ?? COMPARED[report]);
  return (
    <>
      <PageHead title="Reports" lead="Statistics of tickets over time.">
        <Button icon="download" onPress={csv.submit} isBusy={csv.isBusy}>
          CSV
        </Button>
        <Button
          kind="primary"
          onPress={() => go(['reports', 'month'], { buildingId: filters.buildingId })}
        >
          Print month
        </Button>
      </PageHead>
      <Trouble error={csv.error} />
      <ReportToolbar
        report={report}
        query={route.query}
        figure={figure.name}
        interval={filters.interval}
        onValue={(query) => ask(route, query)}
      />
      <Show of={loaded}>
        {(data) =>
          // The previous answer stays until the next one arrives.
          data.report === report && data.series.length > 0 ? (
            <Result data={data} figure={figure.name} />
          ) : (
            <Empty title="Nothing to show">
              <p>No ticket matches these filters.</p>
            </Empty>
          )
        }
      </Show>
    </>
  );
};

const Result = ({
  data,
  figure,
}: {
  readonly data: Report;
  readonly figure: string;
}): JSX.Element => {
  const { report, intervals, series, interval, timeZone, groupBy } = data;
  const names = intervals.map((reportInterval) => intervalName(reportInterval, interval));
  const groups = namesOf(series);
  const chosen = figureOf(report, figure);
  const charted = groupBy === null ? CHARTED[report] : [chosen.name];
  const { unit } = figureOf(report, charted[0]!);
  const lines =
    groupBy === null
      ? charted.map((name) => ({
          name: figureOf(report, name).label,
          values: intervals.map((_, at) => valueIn(series[0], at, name)),
        }))
      : series.map((group, index) => ({
          name: groups[index]!,
          values: intervals.map((_, at) => valueIn(group, at, chosen.name)),
        }));
  const columns: readonly Column<number>[] = [
    { name: 'Interval', cell: (at) => names[at] },
    ...(groupBy === null
      ? FIGURES[report].map(({ name, label, unit }) => ({
          name: label,
          isNumber: true,
          cell: (at: number) => written(valueIn(series[0], at, name), unit),
        }))
      : series.map((group, index) => ({
          name: groups[index]!,
          isNumber: true,
          cell: (at: number) => written(valueIn(group, at, chosen.name), unit),
        }))),
  ];
  const title = groupBy === null ? REPORTS[report] : `${REPORTS[report]}: ${chosen.label}`;
  return (
    <div class="report">
      <Card title={title} actions={<span class="faint small">Days of {timeZone}</span>}>
        <Plot
          label={`${title}. The table below has the numbers.`}
          intervals={names}
          series={lines}
          kind={kindOf(data)}
          isWhole={unit === 'count'}
          written={(value) => written(value, unit)}
          {...(unit === 'share' && report === 'attainment' && { max: 1 })}
        />
      </Card>
      <Table
        caption={title}
        columns={columns}
        rows={intervals.map((_, at) => at).toReversed()}
        keyOf={(at) => intervals[at]!.from}
      />
    </div>
  );
};

const kindOf = ({ report, groupBy }: Report): 'bars' | 'stacked' | 'lines' => {
  if (groupBy !== null) return 'lines';
  if (report === 'backlog') return 'stacked';
  return report === 'throughput' || report === 'reopened' ? 'bars' : 'lines';
};
