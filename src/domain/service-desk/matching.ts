/** Which tickets a rule or a policy is about. contract.md section 5. */
import { foldLetters } from '../fold-letters.ts';
import type { Configuration, Match } from './configuration.ts';
import type { Priority } from '../tickets/events.ts';
import { phraseFinder } from './phrases.ts';

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

type Said = Pick<Routable, 'subject' | 'description'>;

/**
 * Which of `texts` a ticket says, in its subject or its description: each looked for once, however
 * many matches name them.
 */
export const saidBy = (
  { subject, description }: Said,
  texts: readonly string[],
): ReadonlySet<string> => {
  const wanted = [...new Set(texts)];
  const find = finderOf(wanted);
  const found = new Set<string>();
  for (const part of [subject ?? '', description]) {
    for (const text of find(part)) found.add(text);
  }
  return found;
};

/** Which texts of all its rules and policies a ticket says. */
export const saidIn = (
  { routingRules, slaPolicies }: Pick<Configuration, 'routingRules' | 'slaPolicies'>,
  ticket: Said,
): ReadonlySet<string> =>
  saidBy(
    ticket,
    [...routingRules, ...slaPolicies].flatMap(({ match }) => match?.text ?? []),
  );

/**
 * Which of `texts` a text says: one after another its words occur, whatever their case and the
 * white space between them, with the hyphens and apostrophes of a keyboard or of a typesetter. They
 * are whole words: `lift` is not in `facelift`. Scripts that write no spaces have no such bounds.
 */
export const finderOf = (texts: readonly string[]): ((whole: string) => readonly string[]) => {
  const find = phraseFinder(texts.map(plain));
  return (whole) => (texts.length === 0 ? [] : [...find(plain(whole))].map((at) => texts[at]!));
};

/**
 * All that the match names must hold; one that names nothing is about every ticket.
 *
 * @param said Of the texts of all matches that are looked at: {@link saidBy}.
 */
export const matches = (
  { text, ...members }: Match,
  ticket: Omit<Routable, 'subject' | 'description'>,
  said: ReadonlySet<string>,
): boolean =>
  matchedMembers.every((name) => {
    const wanted = members[name];
    const is = ticket[name];
    return wanted === undefined || (is !== null && valuesOf(wanted).includes(is));
  }) &&
  (text === undefined || said.has(text));

/** Members whose value, or one of whose values, is the ticket's. */
export const matchedMembers = [
  'requestType',
  'priority',
  'category',
  'buildingId',
  'storeyId',
  'spaceId',
  'elementId',
] as const;

export const valuesOf = (wanted: string | readonly string[]): readonly string[] =>
  typeof wanted === 'string' ? [wanted] : wanted;

/** The same for all ways to write the same words: whoever sets a rule types them his own way. */
export const plain = (text: string): string =>
  foldLetters(text.replaceAll('\u00ad', ''))
    .replaceAll(apostrophes, "'")
    .replaceAll(hyphens, '-')
    .replaceAll(/\s+/gu, ' ')
    .trim();

const apostrophes = /[\u2018\u2019\u02bc]/gu;
/** And dashes: many a keyboard makes one of two hyphens. */
const hyphens = /[\u2010-\u2015]/gu;
