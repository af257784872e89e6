/** The monthly journals of key use. design.md decision 8. */
import type { Instant } from '../../engine/aggregates/decider.ts';
import { isShared, type JournalFamily } from './shared-journals.ts';

/** Uses and denials of an organisation's keys. */
export const useJournal = (organisation: string, at: Instant): string =>
  `keyuse-${organisation}.${monthOf(at)}`;

/** The family of journals that may share storage with {@link useJournal}. */
export const useFamily = (at: Instant): JournalFamily => ({
  category: 'keyuse',
  period: monthOf(at),
});

/** Denials of unknown keys, which belong to no organisation. */
export const denialJournal = (at: Instant): string => `keydenial-${monthOf(at)}`;

/** The minutes in which processes have counted denials. */
export const countingJournal = (at: Instant): string => `keycount-${monthOf(at)}`;

export const useCategories = ['keyuse', 'keydenial', 'keycount'] as const;

/**
 * Whether a journal of {@link useCategories} may hold records of the organisation; `null`: records
 * without one.
 */
export const mayHoldUsesOf = (stream: string, organisation: string | null): boolean => {
  if (isShared(stream)) return organisation !== null;
  const [, owner = null] = /^keyuse-(.+)\.\d{6}$/.exec(stream) ?? [];
  return owner === organisation;
};

/** `202603` */
const monthOf = (at: Instant): string => at.slice(0, 4) + at.slice(5, 7);
