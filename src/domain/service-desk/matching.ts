/** Matching of tickets by rules and policies. contract.md section 5. */
import { foldText } from '../fold-text.ts';
import type { Configuration, Match } from './configuration.ts';
import type { Priority } from '../tickets/events.ts';
import { phraseFinder } from './phrases.ts';

/** The members of a ticket that a match compares. */
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

type SearchedTicket = Pick<Routable, 'subject' | 'description'>;

/** Which texts occur in a ticket's subject or description. */
export type TextsFinder = (ticket: SearchedTicket) => ReadonlySet<string>;

/** A finder of `texts`. Each is searched once in a ticket, however many matches name it. */
export const textsFinder = (texts: readonly string[]): TextsFinder => {
  const find = finderOf([...new Set(texts)]);
  return ({ subject, description }) =>
    new Set([subject ?? '', description].flatMap((part) => find(part)));
};

/** A finder of the texts of the rules and policies of all `configurations`. */
export const configuredTextsFinder = (
  configurations: readonly Pick<Configuration, 'routingRules' | 'slaPolicies'>[],
): TextsFinder =>
  textsFinder(
    configurations
      .flatMap(({ routingRules, slaPolicies }) => [...routingRules, ...slaPolicies])
      .flatMap(({ match }) => match?.text ?? []),
  );

/**
 * Finds the members of `texts` that occur in a text. Compares words in sequence, regardless of
 * case, of the white space between them, and of typographic hyphens and apostrophes. Only whole
 * words match: `lift` does not match `facelift`. Scripts without spaces have no word boundaries.
 */
export const finderOf = (texts: readonly string[]): ((whole: string) => readonly string[]) => {
  const find = phraseFinder(texts.map(plain));
  return (whole) => (texts.length === 0 ? [] : [...find(plain(whole))].map((at) => texts[at]!));
};

/**
 * All named conditions must hold; an empty match matches every ticket.
 *
 * @param foundTexts Texts in the ticket, of all matches to be tested: {@link textsFinder}.
 */
export const matches = (
  { text, ...members }: Match,
  ticket: Omit<Routable, 'subject' | 'description'>,
  foundTexts: ReadonlySet<string>,
): boolean =>
  matchedMembers.every((name) => {
    const condition = members[name];
    const is = ticket[name];
    return condition === undefined || (is !== null && valuesOf(condition).includes(is));
  }) &&
  (text === undefined || foundTexts.has(text));

/** Members that match if the value, or one of the values, is the ticket's. */
export const matchedMembers = [
  'requestType',
  'priority',
  'category',
  'buildingId',
  'storeyId',
  'spaceId',
  'elementId',
] as const;

export const valuesOf = (condition: string | readonly string[]): readonly string[] =>
  typeof condition === 'string' ? [condition] : condition;

/**
 * Normalises spellings of the same words that differ only in typing.
 */
export const plain = (text: string): string => foldText(text).replaceAll(/\s+/gu, ' ').trim();
