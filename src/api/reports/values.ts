/** The figures of each report for an interval. contract.md section 5. */
import { z } from 'zod';
import type { ReportName } from '../../domain/reports/reports.ts';
import { openStates, type Cells } from '../../projections/reports/query/queries.ts';

/** The figures of one interval and series. A report always has the same members. */
export type ReportValue = Readonly<Record<string, Figure | Readonly<Record<string, Figure>>>>;

/** `null`: undefined, because nothing was counted. */
export type Figure = number | null;

export interface ReportKind {
  readonly summary: string;
  readonly description: string;
  readonly schema: z.ZodObject;
  /** `null`: an interval without events. */
  readonly valueOf: (cells: Cells | null) => ReportValue;
}

const count = z.int().min(0);
const share = z
  .number()
  .min(0)
  .max(1)
  .nullable()
  .describe('The share of `met` in `met` and `missed`.');
const minutes = z
  .number()
  .min(0)
  .nullable()
  .describe('`null` if the interval has no such tickets.');

const numberIn = (cells: Cells | null, name: string): number => Number(cells?.[name] ?? 0);

/** Four decimals; `null` for a whole of zero. */
const shareOf = (part: number, whole: number): Figure =>
  whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;

/** One decimal. */
const minutesOf = (ms: number | undefined): Figure =>
  ms === undefined ? null : Math.round(ms / 6_000) / 10;

const inTime = (met: number, missed: number) => ({
  met,
  missed,
  share: shareOf(met, met + missed),
});
const inTimeMembers = { met: count, missed: count, share };
const inTimeSchema = z.object(inTimeMembers).meta({ id: 'ClockResults' });
const durationSchema = z
  .object({ count, medianMinutes: minutes, p90Minutes: minutes, ...inTimeMembers })
  .meta({ id: 'DurationValue' });

const durations = (summary: string, counted: string): ReportKind => ({
  summary,
  description:
    `${counted}, with the elapsed minutes since the ticket was raised. Percentiles are ` +
    'actual values, not interpolated. `met` and `missed` count the tickets with that ' +
    'clock by their recorded breaches, so working hours and pauses are taken into ' +
    'account.',
  schema: durationSchema,
  valueOf: (cells) => {
    const [median, p90] = (cells?.['percentiles'] ?? []) as readonly number[];
    return {
      count: numberIn(cells, 'count'),
      medianMinutes: minutesOf(median),
      p90Minutes: minutesOf(p90),
      ...inTime(numberIn(cells, 'met'), numberIn(cells, 'missed')),
    };
  },
});

export const reportKinds: Readonly<Record<ReportName, ReportKind>> = {
  backlog: {
    summary: 'Open tickets at the end of each interval, by state',
    description:
      'Every state with pending work counts as open. For an interval that has not ended, ' +
      'the tickets that are open now.',
    schema: z
      .object(Object.fromEntries([...openStates, 'total'].map((name) => [name, count])))
      .meta({ id: 'BacklogValue' }),
    valueOf: (cells) => {
      const states = openStates.map((state) => [state, numberIn(cells, state)] as const);
      return {
        ...Object.fromEntries(states),
        total: states.reduce((sum, [, open]) => sum + open, 0),
      };
    },
  },
  throughput: {
    summary: 'Tickets created and resolved',
    description: 'A ticket that is reopened and resolved again counts again.',
    schema: z.object({ created: count, resolved: count }).meta({ id: 'ThroughputValue' }),
    valueOf: (cells) => ({
      created: numberIn(cells, 'created'),
      resolved: numberIn(cells, 'resolved'),
    }),
  },
  response: durations(
    'Time to the first response',
    'Tickets that were first assigned in the interval',
  ),
  resolution: durations(
    'Time to resolution',
    'All resolutions in the interval, including repeated ones',
  ),
  attainment: {
    summary: 'SLA clocks met and missed',
    description:
      'A clock counts as missed once, at its due time, if its breach is recorded. It ' +
      'counts as met if it ends without a breach: at the first response, or at each ' +
      'resolution. A cancellation meets no clock.',
    schema: z
      .object({ firstResponse: inTimeSchema, resolution: inTimeSchema })
      .meta({ id: 'AttainmentValue' }),
    valueOf: (cells) => ({
      firstResponse: inTime(
        numberIn(cells, 'firstResponseMet'),
        numberIn(cells, 'firstResponseMissed'),
      ),
      resolution: inTime(numberIn(cells, 'resolutionMet'), numberIn(cells, 'resolutionMissed')),
    }),
  },
  reopened: {
    summary: 'Tickets reopened and resolved',
    description: '`rate`: reopened tickets per resolved ticket; `null` if none was resolved.',
    schema: z
      .object({ reopened: count, resolved: count, rate: z.number().min(0).nullable() })
      .meta({ id: 'ReopenedValue' }),
    valueOf: (cells) => {
      const [reopened, resolved] = [numberIn(cells, 'reopened'), numberIn(cells, 'resolved')];
      return { reopened, resolved, rate: shareOf(reopened, resolved) };
    },
  },
};
