/**
 * Shared journals: one stream per writing process that holds the records of many journals. Their
 * names, and the events in them beside the records. The same contract with stored events as in
 * `keyring/events.ts`. docs/decisions/0055.
 */
import { z } from 'zod';
import { text } from '../../engine/log/event-fields.ts';

export const sharedJournalEventSchemas = {
  /**
   * One process may write to the journal from here on. Stored in the list of journals, and as the
   * first event of the journal itself.
   */
  JournalOpened: z.strictObject({ type: z.literal('JournalOpened'), journal: text }),
  /** No record follows in the journal. Stored in the journal, then in the list. */
  JournalClosed: z.strictObject({ type: z.literal('JournalClosed'), journal: text }),
  /** A guard stream has changed: the records that follow were decided at `revision` or later. */
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

/** The journals that may share storage: those of one category and one period. */
export interface JournalFamily {
  /** `keyuse` */
  readonly category: string;
  /** `202603`, a month: journals of different months are deleted at different times. */
  readonly period: string;
}

/** `202701` after `202612`. */
export const periodAfter = (period: string): string => {
  const [year, month] = [Number(period.slice(0, 4)), Number(period.slice(4))];
  return month === 12 ? `${year + 1}01` : `${year}${String(month + 1).padStart(2, '0')}`;
};

/**
 * The list of all opened and closed shared journals. It is kept for ever: it grows by two events
 * per journal.
 */
export const SHARED_JOURNALS = 'sharedjournals-main';

/** Not a valid alias: those begin with a letter or a digit. */
const MARK = '@';

/** `keyuse-@3f0c1d5a.202603`: the journal of one writer. */
export const sharedJournalOf = ({ category, period }: JournalFamily, writer: string): string =>
  `${category}-${MARK}${writer}.${period}`;

/** The family of a shared journal; `null` for any other stream. */
export const familyOfShared = (journal: string): JournalFamily | null => {
  const [, category, period] = /^([^-]+)-@[^.]+\.(\d+)$/.exec(journal) ?? [];
  return category !== undefined && period !== undefined ? { category, period } : null;
};

export const isShared = (journal: string): boolean => familyOfShared(journal) !== null;
