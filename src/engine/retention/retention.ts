/**
 * The end of a journal: `retention-<journal>` holds the decision that its term is over, and a
 * process deletes the stream. design.md decisions 10 and 15.
 */
import { z } from 'zod';
import { refuse, type Decider } from '../aggregates/decider.ts';
import type { Terms } from './terms.ts';

export const retentionEventSchemas = {
  JournalRetired: z.strictObject({
    type: z.literal('JournalRetired'),
    /** The stream that may be deleted. */
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

/** Refuses `VALIDATION_FAILED` for a stream that is no journal, `CONFLICT` while its term runs. */
export const retentionDecider = (
  terms: Pick<Terms, 'retiresAt'>,
): Decider<RetentionCommand, Retention, RetentionEvent> => ({
  initial: { retired: false },
  decide: ({ journal }, { retired }, { at }) => {
    const due = terms.retiresAt(journal);
    if (due === null)
      return refuse('VALIDATION_FAILED', `${journal} is no journal of a day or a month.`);
    if (at < due) return refuse('CONFLICT', `${journal} is kept until ${due}.`);
    return retired ? [] : [{ type: 'JournalRetired', journal }];
  },
  evolve: () => ({ retired: true }),
});

export const retentionAfter = (): Retention => ({ retired: true });
