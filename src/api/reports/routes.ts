/** Reports on tickets. contract.md section 5. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Graph } from '../../building/graph/graph.ts';
import { typeNameOf } from '../../domain/buildings/space-type.ts';
import {
  dateAfter,
  dateAt,
  intervalsOf,
  periodProblem,
  type ReportInterval,
} from '../../domain/reports/intervals.ts';
import { REPORT_CELLS_MAX, REPORT_DAYS_DEFAULT } from '../../domain/reports/limits.ts';
import { reportNames, type ReportGroup } from '../../domain/reports/reports.ts';
import { timeZoneOf } from '../../domain/service-desk/configuration.ts';
import type { FairSemaphore } from '../../engine/concurrency/fair-semaphore.ts';
import type { CountedSeries, ReportQueries } from '../../projections/reports/query/queries.ts';
import type { ServiceDesks } from '../../use-cases/service-desk/service-desks.ts';
import { preferredForm } from '../http/accept.ts';
import type { Visibility } from '../http/commands.ts';
import { withPermit } from '../http/permits.ts';
import { invalid } from '../http/problems.ts';
import { holdRead } from '../http/reads.ts';
import { varyBy } from '../http/vary.ts';
import { organisationIn, type OccasionOf } from '../sessions/authenticate.ts';
import { reportCsv } from './csv.ts';
import { reportBodies, ReportQuery } from './schemas.ts';
import { reportKinds } from './values.ts';

export interface ReportRouteOptions {
  readonly queries: ReportQueries;
  readonly desks: Pick<ServiceDesks, 'configurationOf'>;
  readonly graph: Pick<Graph, 'placeNames'>;
  /** A report holds a database connection for longer than other requests. */
  readonly reports: FairSemaphore;
  readonly occasionOf: OccasionOf;
  readonly visibility: Visibility;
}

const SHOWN_BY = ['ticket-reports'];

export const reportRoutes: FastifyPluginAsyncZod<ReportRouteOptions> = async (
  app,
  { queries, desks, graph, reports, occasionOf, visibility },
) => {
  /** By key; groups whose key is their name have no labels. */
  const labelsOf = async (
    organisation: string,
    groupBy: ReportGroup | null,
    series: readonly CountedSeries[],
  ): Promise<ReadonlyMap<string, string>> => {
    const keys = series.flatMap(({ key }) => (key === null ? [] : [key]));
    if (groupBy === 'elementType') return new Map(keys.map((key) => [key, typeNameOf(key)]));
    const isPlace = groupBy === 'building' || groupBy === 'storey' || groupBy === 'space';
    return isPlace ? graph.placeNames(organisation, keys) : new Map();
  };

  for (const report of reportNames) {
    const kind = reportKinds[report];
    const name = report.charAt(0).toUpperCase() + report.slice(1);
    const path = `/api/service-desk/reports/${report}`;
    app.get(
      path,
      {
        config: { permission: 'service-desk.reports:read' },
        schema: {
          operationId: `get${name}Report`,
          tags: ['reports'],
          summary: kind.summary,
          description:
            `${kind.description} Tickets are filtered and grouped by their current values; all ` +
            'filters must match. With `Accept: text/csv`, one row per interval and series.',
          querystring: ReportQuery,
          conventions: ['read-your-writes', 'file'],
          problems: ['RATE_LIMITED'],
          response: {
            200: {
              description: 'The report.',
              content: {
                'application/json': { schema: reportBodies[report] },
                'text/csv': { schema: z.string() },
              },
            },
          },
        },
      },
      async (request, reply) => {
        const organisation = organisationIn(request);
        const { interval: length, groupBy = null, series: seriesMax, ...asked } = request.query;
        const timeZone = timeZoneOf(await desks.configurationOf(organisation));
        const nowMs = Date.parse(occasionOf(request).at);
        const { to = dateAt(timeZone, nowMs), ...rest } = asked;
        const { from = dateAfter(to, 1 - REPORT_DAYS_DEFAULT), ...filter } = rest;
        const period = { from, to, length, timeZone };
        const problem = periodProblem(period);
        if (problem) throw invalid([problem]);
        const intervals = intervalsOf(period, nowMs);
        if (groupBy !== null && intervals.length * seriesMax > REPORT_CELLS_MAX)
          throw invalid([
            { path: 'series', message: `gives more than ${REPORT_CELLS_MAX} values` },
          ]);

        await holdRead(request, reply, SHOWN_BY, visibility);
        const query = { report, organisation, filter, intervals, groupBy, seriesMax };
        const counted = await withPermit(reports, request, reply, (gone) =>
          queries.count(query, gone),
        );
        const labels = await labelsOf(organisation, groupBy, counted);
        const series = counted.map(({ kind: seriesKind, key, cells }) => ({
          kind: seriesKind,
          key,
          label: key === null ? null : (labels.get(key) ?? null),
          values: cells.map(kind.valueOf),
        }));
        varyBy(reply, 'accept');
        if (formOf(request.headers.accept) === 'application/json') {
          const body = { report, timeZone, interval: length, groupBy, series };
          return { ...body, intervals: intervals.map(intervalBody) };
        }
        void reply
          .type('text/csv; charset=utf-8; header=present')
          .header('content-disposition', `attachment; filename="${report}-${from}-${to}.csv"`);
        return reply.send(reportCsv(kind, { intervals, series }));
      },
    );
  }
};

const intervalBody = ({ from, to, startMs, endMs }: ReportInterval) => ({
  from,
  to,
  start: new Date(startMs).toISOString(),
  end: new Date(endMs).toISOString(),
});

const formOf = (accept: string | undefined): ReportForm =>
  preferredForm(accept, (range) => ranges[range] ?? null) ?? 'application/json';

type ReportForm = 'application/json' | 'text/csv';

const ranges: Readonly<Record<string, ReportForm>> = {
  'application/json': 'application/json',
  'application/*': 'application/json',
  '*/*': 'application/json',
  'text/csv': 'text/csv',
  'text/*': 'text/csv',
};
