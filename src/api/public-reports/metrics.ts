import { Counter } from 'prom-client';
import type { MetricRegistry } from '../../engine/observe/metrics.ts';

/** The outcomes of reports without sign-in, and of the requests that precede them. */
const reportOutcomes = [
  'recorded',
  'repeated',
  'source_limit',
  'room_limit',
  'proof_required',
  'unseen_field',
  'too_many_requests',
] as const;
export type ReportOutcome = (typeof reportOutcomes)[number];

export interface PublicReportMetrics {
  count(outcome: ReportOutcome): void;
}

export const publicReportMetrics = ({ registry }: MetricRegistry): PublicReportMetrics => {
  const reports = new Counter({
    name: 'atrium_public_reports_total',
    help: 'Reports without sign-in by what became of them',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of reportOutcomes) reports.inc({ outcome }, 0);
  return { count: (outcome) => reports.inc({ outcome }) };
};
