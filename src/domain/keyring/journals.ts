/** Where uses of keys are recorded, by month. design.md decision 8. */
import type { Instant } from '../decider.ts';

/** Uses and denials of an organisation's keys. */
export const useJournal = (organisation: string, at: Instant): string =>
  `keyuse-${organisation}.${monthOf(at)}`;

/** Denials of unknown keys, which belong to nobody. */
export const denialJournal = (at: Instant): string => `keydenial-${monthOf(at)}`;

/** Which minutes processes have counted denials in. */
export const countingJournal = (at: Instant): string => `keycount-${monthOf(at)}`;

export const useCategories = ['keyuse', 'keydenial', 'keycount'] as const;

/** Whose records a journal of {@link useCategories} holds; `null`: nobody's. */
export const ownerOfJournal = (stream: string): string | null => {
  const [, organisation] = /^keyuse-(.+)\.\d{6}$/.exec(stream) ?? [];
  return organisation ?? null;
};

/** `202603` */
const monthOf = (at: Instant): string => at.slice(0, 4) + at.slice(5, 7);
