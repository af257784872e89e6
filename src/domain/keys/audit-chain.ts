/**
 * The stored hash chains of the audit: beside each journal of key use and each keyring a stream
 * `auditchain-<journal>` with a link for each of its records, and in `auditchains-<yyyymm>` and
 * `auditchains-keyring` the names of the chained journals. The same contract with stored events as
 * in `keyring/events.ts`. docs/decisions/0048.
 */
import { z } from 'zod';
import { AUDIT_RETENTION_MONTHS } from './limits.ts';
import { startOfMonth } from '../../engine/time/calendar.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import { text } from '../../engine/log/event-fields.ts';
import { useCategories } from './journals.ts';

export const auditChainEventSchemas = {
  /** The first record of the journal is about to be chained. Stored in the list of chains. */
  ChainBegun: z.strictObject({
    type: z.literal('ChainBegun'),
    journal: text,
  }),
  /** The digests of the journal's next records. Stored in its chain. */
  RecordsChained: z.strictObject({
    type: z.literal('RecordsChained'),
    /** Revision of the first record; the others follow without a gap. */
    from: z.int().min(0),
    /** For each record its id (16 bytes) and its digest (32 bytes), in base64. */
    links: z.base64(),
    /** The chain's hash after the last of them, in hex. */
    head: z.string().regex(/^[0-9a-f]{64}$/),
  }),
};

export type AuditChainEvent = {
  [T in keyof typeof auditChainEventSchemas]: Readonly<z.infer<(typeof auditChainEventSchemas)[T]>>;
}[keyof typeof auditChainEventSchemas];

/** The streams whose records are chained. */
export const chainedCategories = ['keyring', ...useCategories] as const;

/** The categories of chains and of their lists. */
export const auditChainCategories = ['auditchain', 'auditchains'] as const;

/** The stream with the chain of `journal`. */
export const chainOf = (journal: string): string => `auditchain-${journal}`;

/** The stream that lists the chain of `journal`; it is deleted with the journals of its month. */
export const chainListOf = (journal: string): string => {
  const [month] = /(?<=^key(?:use-.+\.|(?:denial|count)-))\d{6}$/s.exec(journal) ?? [];
  return `auditchains-${month ?? 'keyring'}`;
};

/** Every list that may name a chain at `now`, and next month's. */
export const chainListsAt = (now: Instant): readonly string[] => [
  'auditchains-keyring',
  ...Array.from({ length: AUDIT_RETENTION_MONTHS + 3 }, (_, index) => {
    const month = startOfMonth(now, index - AUDIT_RETENTION_MONTHS - 1);
    return `auditchains-${month.slice(0, 4)}${month.slice(5, 7)}`;
  }),
];
