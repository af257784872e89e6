/**
 * Journals that a backend of the log keeps together: one stream for each process that writes, with
 * the records of many journals in it. Their names, and what stands in them beside the records. The
 * same contract with stored events as in `keyring/events.ts`. docs/decisions/0055.
 */
import { z } from 'zod';
import { text } from '../../engine/aggregates/event-fields.ts';

export const sharedJournalEventSchemas = {
  /**
   * The journal may be written to from here on, by one process. In the list of journals, and as the
   * first event of the journal itself.
   */
  JournalOpened: z.strictObject({ type: z.literal('JournalOpened'), journal: text }),
  /** No record follows in the journal. In it, and then in the list. */
  JournalClosed: z.strictObject({ type: z.literal('JournalClosed'), journal: text }),
  /** A stream has changed: what follows was judged by it as it was at `revision`, or later. */
  GuardChanged: z.strictObject({
    type: z.literal('GuardChanged'),
    stream: text,
    revision: z.int().min(0),
  }),
};

export type SharedJournalEvent = {
  [T in keyof typeof sharedJournalEventSchemas]: Readonly<
    z.infer<(typeof sharedJournalEventSchemas)[T]>
  >;
}[keyof typeof sharedJournalEventSchemas];

/** Which journals may be kept together: those of one category and one period. */
export interface JournalFamily {
  /** `keyuse` */
  readonly category: string;
  /** `202603`, a month: journals of different ones go at different times. */
  readonly period: string;
}

/** `202701` after `202612`. */
export const periodAfter = (period: string): string => {
  const [year, month] = [Number(period.slice(0, 4)), Number(period.slice(4))];
  return month === 12 ? `${year + 1}01` : `${year}${String(month + 1).padStart(2, '0')}`;
};

/** The list of all shared journals, opened and closed. It has no term: it is a line a journal. */
export const SHARED_JOURNALS = 'sharedjournals-main';

/** No organisation is called so: their aliases begin with a letter or a digit. */
const MARK = '@';

/** `keyuse-@3f0c1d5a.202603`: of one writer. */
export const sharedJournalOf = ({ category, period }: JournalFamily, writer: string): string =>
  `${category}-${MARK}${writer}.${period}`;

/** The family that a shared journal is of; `null`: it is none. */
export const familyOfShared = (journal: string): JournalFamily | null => {
  const [, category, period] = /^([^-]+)-@[^.]+\.(\d+)$/.exec(journal) ?? [];
  return category !== undefined && period !== undefined ? { category, period } : null;
};

export const isShared = (journal: string): boolean => familyOfShared(journal) !== null;
