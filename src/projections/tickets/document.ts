import { SEAM, searchable, searchableParts } from '../../domain/searchable-text.ts';
import { foldText } from '../../domain/fold-text.ts';
import { ticketNumberIn } from '../../domain/tickets/numbering.ts';

/** The searchable parts of a ticket. A searched word has no white space, so no match spans two. */
export interface SearchedParts {
  readonly number: string;
  readonly subject: string | null;
  readonly description: string;
  readonly category: string | null;
  readonly reporterName: string | null;
}

const PARTS = ['number', 'subject', 'description', 'category', 'reporterName'] as const;

export const documentOf = (parts: SearchedParts): string =>
  searchableParts(PARTS.map((part) => parts[part] ?? ''));

/** `document` with the changed parts replaced. */
export const documentAfter = (document: string, changes: Partial<SearchedParts>): string => {
  const before = document.split(SEAM);
  return PARTS.map((part, at) => {
    const changed = changes[part];
    return changed === undefined ? (before[at] ?? '') : searchable(changed ?? '');
  }).join(SEAM);
};

/** Encoded texts of which one must occur; the first is the word itself. */
export type SearchedWord = readonly [string, ...string[]];

/**
 * The words of a search, longest first; `[]` if it has none. A ticket's number without its leading
 * zeros also stands for the whole number.
 */
export const wordsOf = (search: string): readonly SearchedWord[] =>
  [...new Set(search.split(/\s+/).filter(Boolean))]
    .map((word): SearchedWord => {
      const number = ticketNumberIn(foldText(word));
      const [itself, whole] = [searchable(word), number === null ? null : searchable(number)];
      return whole === null || whole === itself ? [itself] : [itself, whole];
    })
    // A soft hyphen alone.
    .filter(([itself]) => itself !== '')
    .sort(([a], [b]) => b.length - a.length);
