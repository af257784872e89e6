/** Schemas of the report routes. contract.md section 5. */
import { z } from 'zod';
import { intervalLengths } from '../../domain/reports/intervals.ts';
import {
  REPORT_CELLS_MAX,
  REPORT_DAYS_DEFAULT,
  REPORT_DAYS_MAX,
  REPORT_INTERVALS_MAX,
  REPORT_SERIES_DEFAULT,
  REPORT_SERIES_MAX,
} from '../../domain/reports/limits.ts';
import { reportGroups, reportNames, type ReportName } from '../../domain/reports/reports.ts';
import { priorities } from '../../domain/tickets/events.ts';
import { storedAssignee, storedCategory } from '../../domain/tickets/words.ts';
import { id, queryList, queryNumber } from '../http/text.ts';
import { reportKinds, type ReportKind } from './values.ts';

const day = z.iso.date('must be a day such as 2026-03-01, without a time');

export const ReportQuery = z.strictObject({
  from: day
    .optional()
    .describe(
      `First day (\`YYYY-MM-DD\`), in the time zone of the configuration; at most ` +
        `${REPORT_DAYS_MAX} days. Default: so that the period has ${REPORT_DAYS_DEFAULT} days.`,
    ),
  to: day.optional().describe('Last day (`YYYY-MM-DD`), inclusive. Default: today.'),
  interval: z
    .enum(intervalLengths)
    .default('day')
    .describe(`Weeks begin on Monday. At most ${REPORT_INTERVALS_MAX} intervals.`),
  groupBy: z
    .enum(reportGroups)
    .optional()
    .describe(
      'Return one series for each of the largest groups. Default: one series for all tickets.',
    ),
  series: queryNumber(1, REPORT_SERIES_MAX, REPORT_SERIES_DEFAULT).describe(
    `Number of groups with a series of their own; at most ${REPORT_CELLS_MAX} values in ` +
      'total.',
  ),
  buildingId: id.optional(),
  storeyId: id.optional(),
  spaceId: id.optional(),
  elementId: id.optional(),
  assignedTeamId: storedAssignee.optional(),
  category: queryList(storedCategory).optional().describe('Comma-separated: any of them.'),
  priority: queryList(z.enum(priorities)).optional().describe('Comma-separated: any of them.'),
});

export const ReportIntervalBody = z
  .object({
    from: day,
    to: day.describe('The last day, inclusive.'),
    start: z.iso.datetime(),
    end: z.iso.datetime().describe('Exclusive.'),
  })
  .meta({ id: 'ReportInterval' });

/** @param name Prefix of the schemas' names. */
const reportBody = (name: string, { schema }: Pick<ReportKind, 'schema'>) =>
  z
    .object({
      report: z.enum(reportNames),
      timeZone: z.string(),
      interval: z.enum(intervalLengths),
      groupBy: z.enum(reportGroups).nullable(),
      intervals: z
        .array(ReportIntervalBody)
        .describe('In chronological order; intervals that begin in the future are left out.'),
      series: z.array(
        z
          .object({
            kind: z
              .enum(['all', 'group', 'none', 'others'])
              .describe(
                '`none`: tickets without a value for `groupBy`; `others`: all groups without a ' +
                  'series of their own.',
              ),
            key: z.string().nullable().describe('The value of `groupBy`: an id or a text.'),
            label: z
              .string()
              .nullable()
              .describe('The display name of a place or an element type.'),
            values: z.array(schema).describe('One for each interval.'),
          })
          .meta({ id: `${name}Series` }),
      ),
    })
    .meta({ id: `${name}Report` });

const durations = reportBody('Duration', reportKinds.response);

export const reportBodies: Readonly<Record<ReportName, ReturnType<typeof reportBody>>> = {
  backlog: reportBody('Backlog', reportKinds.backlog),
  throughput: reportBody('Throughput', reportKinds.throughput),
  response: durations,
  resolution: durations,
  attainment: reportBody('Attainment', reportKinds.attainment),
  reopened: reportBody('Reopened', reportKinds.reopened),
};
