/** How long the use of keys can be audited. contract.md section 3. */
import type { Instant } from '../../engine/aggregates/decider.ts';
import { keptMonths, retiresAt } from '../../engine/retention/terms.ts';
import { monthsAfter, monthsBefore } from '../../engine/time/calendar.ts';
import { AUDIT_RETENTION_MONTHS } from './limits.ts';

/** An organisation's name may end like a journal, so the month is the last part of the stream's. */
const month =
  /^(?:(?:auditchain-)?key(?:use(?:index)?-.+\.|(?:denial|count)-)|auditchains-)(\d{6})$/s;

/** Chains of keyrings and their list are kept for ever, as keyrings are. */
export const isChainKeptForEver = (stream: string): boolean =>
  stream === 'auditchains-keyring' || stream.startsWith('auditchain-keyring-');

/** Retention of all audit journals: the uses, their index, the hash chains and their lists. */
export const auditTerm = keptMonths(AUDIT_RETENTION_MONTHS, {
  pattern: month,
  exempt: isChainKeptForEver,
});

/** Whether the journal's term is over at `now`, so that it is deleted or about to be. */
export const isAuditRetired = (journal: string, now: Instant): boolean => {
  const due = retiresAt(auditTerm, journal);
  return due !== null && now >= due;
};

/**
 * Whether an audit record of `at` is kept at `now`: until 18 calendar months after it, on the same
 * day and at the same time of day, or on the month's last day. Not equivalent to a bound on `at`:
 * records of several days end on the last day of a short month.
 */
export const isAuditKept = (at: Instant, now: Instant): boolean =>
  monthsAfter(at, AUDIT_RETENTION_MONTHS) >= now;

/** A lower bound: no record that is kept at `now` is older, but not every younger one is kept. */
export const auditKeptSince = (now: Instant): Instant => monthsBefore(now, AUDIT_RETENTION_MONTHS);
