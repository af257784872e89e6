/** Which tickets a rule or a policy is about. contract.md section 5. */
import { foldLetters } from '../fold-letters.ts';
import type { Match } from './configuration.ts';
import type { Priority } from '../ticket/events.ts';

/** What of a ticket a match looks at. */
export interface Routable {
  readonly requestType: string;
  readonly priority: Priority;
  readonly category: string | null;
  readonly buildingId: string;
  readonly storeyId: string | null;
  readonly spaceId: string | null;
  readonly elementId: string | null;
  readonly subject: string | null;
  readonly description: string;
}

/** What a ticket says, as words are looked for in it: prepared once for all matches. */
export const wordsOf = ({ subject, description }: Said): readonly string[] =>
  [subject ?? '', description].map(plain);

type Said = Pick<Routable, 'subject' | 'description'>;

/** All that the match names must hold; one that names nothing is about every ticket. */
export const matches = (
  { text, ...members }: Match,
  ticket: Routable,
  words: readonly string[] = wordsOf(ticket),
): boolean =>
  matched.every((name) => {
    const wanted = members[name];
    const is = ticket[name];
    return wanted === undefined || (is !== null && valuesOf(wanted).includes(is));
  }) &&
  (text === undefined || words.some((said) => holds(said, plain(text))));

/**
 * Whether every ticket that `narrow` is about is one that `wide` is about; false where it cannot
 * be told. Both see the same ticket.
 */
export const covers = (wide: Match, narrow: Match): boolean =>
  matched.every((name) => {
    const [all, some] = [wide[name], narrow[name]];
    if (all === undefined) return true;
    return some !== undefined && valuesOf(some).every((value) => valuesOf(all).includes(value));
  }) &&
  (wide.text === undefined || (narrow.text !== undefined && says(narrow.text, wide.text)));

/**
 * Whether the words occur one after another, whatever their case and the white space between them,
 * with the hyphens and apostrophes of a keyboard or of a typesetter. They are whole words: `lift`
 * is not in `facelift`. Scripts that write no spaces have no such bounds.
 */
export const says = (whole: string, words: string): boolean => holds(plain(whole), plain(words));

const holds = (whole: string, words: string): boolean => {
  if (words === '') return false;
  for (let at = whole.indexOf(words); at >= 0; at = whole.indexOf(words, at + 1)) {
    if (!isWithinWord(whole, at) && !isWithinWord(whole, at + words.length)) return true;
  }
  return false;
};

/** A character has two units at most. */
const isWithinWord = (text: string, at: number): boolean =>
  joins(/.$/su.exec(text.slice(Math.max(0, at - 2), at))) &&
  joins(/^./su.exec(text.slice(at, at + 2)));

const joins = (found: RegExpExecArray | null): boolean =>
  found !== null && letter.test(found[0]) && !unspaced.test(found[0]);

const letter = /[\p{L}\p{N}\p{M}]/u;
const unspaced =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u;

/** Members whose value, or one of whose values, is the ticket's. */
const matched = [
  'requestType',
  'priority',
  'category',
  'buildingId',
  'storeyId',
  'spaceId',
  'elementId',
] as const;

const valuesOf = (wanted: string | readonly string[]): readonly string[] =>
  typeof wanted === 'string' ? [wanted] : wanted;

/** The same for all ways to write the same words: whoever sets a rule types them his own way. */
const plain = (text: string): string =>
  foldLetters(text.replaceAll('\u00ad', ''))
    .replaceAll(apostrophes, "'")
    .replaceAll(hyphens, '-')
    .replaceAll(/\s+/gu, ' ')
    .trim();

const apostrophes = /[\u2018\u2019\u02bc]/gu;
/** And dashes: many a keyboard makes one of two hyphens. */
const hyphens = /[\u2010-\u2015]/gu;
