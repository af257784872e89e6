/**
 * The end of a journal: streams by day (`building-<id>.<yyyymmdd>`, `bus-<id>.<yyyymmdd>`,
 * `delivery-<webhookId>.<yyyymmdd>`, `delivered-<webhookId>.<yyyymmdd>`) that carry
 * announcements, messages and deliveries, and by month (`keyuse-<organisation>.<yyyymm>`,
 * `keydenial-<yyyymm>`, `keycount-<yyyymm>`) that carry the use of API keys. They are forgotten
 * when all of one is older than its term; the hash chain of a journal goes with it, and the index
 * of shared ones (`keyuseindex-<organisation>.<yyyymm>`).
 * `retention-<journal>` holds the decision; what it decides is carried out by a process. design.md
 * decisions 10 and 15.
 */
import { z } from 'zod';
import {
  ANNOUNCEMENT_RETENTION_DAYS,
  AUDIT_RETENTION_MONTHS,
  DELIVERY_RETENTION_DAYS,
} from '../limits.ts';
import { daysAfter, monthsAfter, monthsBefore, startOfMonth } from '../time/calendar.ts';
import { refuse, type Decider, type Instant } from '../aggregates/decider.ts';

export const retentionEventSchemas = {
  JournalRetired: z.strictObject({
    type: z.literal('JournalRetired'),
    /** The stream that may be forgotten. */
    journal: z.string().min(1),
  }),
};

export type RetentionEvent = z.infer<typeof retentionEventSchemas.JournalRetired>;

export interface RetentionCommand {
  readonly type: 'RetireJournal';
  readonly journal: string;
}

export interface Retention {
  readonly retired: boolean;
}

/**
 * Refuses `VALIDATION_FAILED` for a stream that is no journal, and `CONFLICT` while its term runs:
 * whoever asks, the name and the occasion decide.
 */
export const retentionDecider: Decider<RetentionCommand, Retention, RetentionEvent> = {
  initial: { retired: false },
  decide: ({ journal }, { retired }, { at }) => {
    const due = retiresAt(journal);
    if (due === null)
      return refuse('VALIDATION_FAILED', `${journal} is no journal of a day or a month.`);
    if (at < due) return refuse('CONFLICT', `${journal} is kept until ${due}.`);
    return retired ? [] : [{ type: 'JournalRetired', journal }];
  },
  evolve: () => ({ retired: true }),
};

export const retentionAfter = (): Retention => ({ retired: true });

/** When all of the journal is older than its term; `null` for a stream of another form. */
export const retiresAt = (journal: string): Instant | null => {
  if (ofKeys.test(journal)) {
    const month = ofMonth.exec(journal);
    const start = startOf(month?.[1], month?.[2], '01');
    return start && startOfMonth(start, 1 + AUDIT_RETENTION_MONTHS);
  }
  const day = /\.(\d{4})(\d{2})(\d{2})$/.exec(journal);
  const start = startOf(day?.[1], day?.[2], day?.[3]);
  const days = /^deliver(?:y|ed)-/.test(journal)
    ? DELIVERY_RETENTION_DAYS
    : ANNOUNCEMENT_RETENTION_DAYS;
  return start && daysAfter(start, 1 + days);
};

/**
 * Whether an audit record of `at` is kept at `now`: until 18 calendar months after it, on the same
 * day and at the same time of day, or on the month's last day. No bound on `at` says the same:
 * records of several days end on a short month's last one. contract.md section 3.
 */
export const isAuditKept = (at: Instant, now: Instant): boolean =>
  monthsAfter(at, AUDIT_RETENTION_MONTHS) >= now;

/** No record that is kept at `now` is older; some that are younger are not kept. */
export const auditKeptSince = (now: Instant): Instant => monthsBefore(now, AUDIT_RETENTION_MONTHS);

/** An organisation may be called what a day is called. */
const ofKeys = /^(key(use|useindex|denial|count)|auditchains?)-/;
const ofMonth =
  /^(?:(?:auditchain-)?key(?:use(?:index)?-.+\.|(?:denial|count)-)|auditchains-)(\d{4})(\d\d)$/s;

const startOf = (year?: string, month?: string, day?: string): Instant | null => {
  const at = Date.parse(`${year}-${month}-${day}T00:00:00.000Z`);
  return Number.isNaN(at) ? null : new Date(at).toISOString();
};
