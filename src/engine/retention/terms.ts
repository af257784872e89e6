/**
 * How long the streams of a category are kept. A journal is a stream of one day or one month
 * (`<category>-<key>.<yyyymmdd>`), and is deleted whole once all of it is older than its term.
 * design.md decision 15.
 */
import type { Instant } from '../aggregates/decider.ts';
import { categoryOf } from '../log/streams.ts';
import { daysAfter, startOfMonth } from '../time/calendar.ts';

export interface JournalTerm {
  readonly period: 'day' | 'month';
  /** Whole days or calendar months after the end of the journal's own. */
  readonly keptFor: number;
  /** Its first group is the day (`yyyymmdd`) or the month (`yyyymm`) in a stream's name. */
  readonly pattern: RegExp;
  /** Streams of the category that are no journals but kept for ever. Default: none. */
  readonly exempt?: (stream: string) => boolean;
}

export interface KeptStreams {
  readonly category: string;
  readonly kept: 'forever' | JournalTerm;
}

export const keptDays = (days: number): JournalTerm => ({
  period: 'day',
  keptFor: days,
  pattern: /\.(\d{8})$/,
});

export const keptMonths = (
  months: number,
  over: Partial<Pick<JournalTerm, 'pattern' | 'exempt'>> = {},
): JournalTerm => ({ period: 'month', keptFor: months, pattern: /\.(\d{6})$/, ...over });

/** When all of the journal is older than its term; `null` for a stream of another form. */
export const retiresAt = (term: JournalTerm, journal: string): Instant | null => {
  const [, digits] = term.pattern.exec(journal) ?? [];
  if (digits === undefined) return null;
  const day = `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6) || '01'}`;
  const start = Date.parse(`${day}T00:00:00.000Z`);
  if (Number.isNaN(start)) return null;
  const at = new Date(start).toISOString();
  return term.period === 'day'
    ? daysAfter(at, 1 + term.keptFor)
    : startOfMonth(at, 1 + term.keptFor);
};

/** The terms of all streams of a platform. */
export interface Terms {
  /** The categories of journals. */
  readonly journals: readonly string[];
  /** `null`: the stream is kept for ever. */
  of(stream: string): JournalTerm | null;
  isJournal(stream: string): boolean;
  /** As {@link retiresAt}; `null` also for a stream that is kept for ever. */
  retiresAt(stream: string): Instant | null;
  /** @throws For the first of these categories without a declared term. */
  assertDeclared(categories: readonly string[], reader: string): void;
}

/**
 * @throws For a category without a term, or with two: a forgotten term must neither keep a journal
 *   for ever nor delete it early.
 */
export const termsOf = (streams: readonly KeptStreams[]): Terms => {
  const byCategory = new Map<string, JournalTerm | null>();
  for (const { category, kept } of streams) {
    if (byCategory.has(category)) throw new Error(`the streams ${category}-… are declared twice`);
    if (kept !== 'forever' && !(Number.isInteger(kept?.keptFor) && kept.keptFor > 0))
      throw new Error(`the streams ${category}-… have no term`);
    byCategory.set(category, kept === 'forever' ? null : kept);
  }
  const of = (stream: string): JournalTerm | null => {
    const term = byCategory.get(categoryOf(stream)) ?? null;
    return term?.exempt?.(stream) ? null : term;
  };
  return {
    journals: [...byCategory].flatMap(([category, term]) => (term ? [category] : [])),
    of,
    isJournal: (stream) => of(stream)?.pattern.test(stream) ?? false,
    retiresAt(stream) {
      const term = of(stream);
      return term && retiresAt(term, stream);
    },
    assertDeclared(categories, reader) {
      const unknown = categories.find((category) => !byCategory.has(category));
      if (unknown !== undefined)
        throw new Error(`${reader} reads streams ${unknown}-…, which no capability declares`);
    },
  };
};
