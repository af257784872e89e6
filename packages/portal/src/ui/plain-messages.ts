/** Refusals of a body's members, in words for the person who filled it in. */

/** Validation messages of the server's schemas; the other messages are sentences already. */
const PATTERNS: readonly (readonly [RegExp, (bound: string) => string])[] = [
  [/^Too small: expected string to have >=1 characters?$/, () => 'Must not be blank'],
  [/^Too small: expected string to have >=(\d+)/, (least) => `At least ${least} characters`],
  [/^Too big: expected string to have <=(\d+)/, (most) => `At most ${most} characters`],
  [/^Too small: expected array to have >=(\d+)/, (least) => `At least ${least}`],
  [/^Too big: expected array to have <=(\d+)/, (most) => `At most ${most}`],
  [/^Too small: expected \w+ to be >=(-?[\d.]+)/, (least) => `Must be at least ${least}`],
  [/^Too big: expected \w+ to be <=(-?[\d.]+)/, (most) => `Must be at most ${most}`],
  [/received undefined$/, () => 'Is missing'],
  [/^Invalid input: expected int, received number/, () => 'Must be a whole number'],
  [/^Invalid input: expected (?:int|number)/, () => 'Must be a number'],
  [/^Invalid input: expected (?:object|record)/, () => 'Must be an object'],
  [/^Invalid input: expected array/, () => 'Must be a list'],
  [/^Invalid input: expected string/, () => 'Must be a text'],
  [/^Invalid input: expected boolean/, () => 'Must be true or false'],
  [
    /^Invalid .*: expected (?:one of )?(".*)/,
    (words) => `Must be ${words.replaceAll('|', ' or ')}`,
  ],
  [/^Invalid ISO datetime/, () => 'Must be a date and time'],
  [/^Invalid ISO date/, () => 'Must be a date such as 2026-12-31'],
  [/^Invalid UUID/, () => 'Must be an internal id'],
  [/^must be a slug/, () => 'Lower-case letters, digits and hyphens only, such as lost-property'],
];

const grouped = (bound: string): string =>
  bound.startsWith('"') ? bound : Number(bound).toLocaleString('en');

/** @returns `Must be at least 1` for `Too small: expected number to be >=1`. */
export const plainMessage = (message: string): string => {
  for (const [pattern, words] of PATTERNS) {
    const found = pattern.exec(message);
    if (found) return words(found[1] === undefined ? '' : grouped(found[1]));
  }
  return message.slice(0, 1).toUpperCase() + message.slice(1);
};

/** `expires in days` for `expiresInDays`; a name that is no identifier is unchanged. */
export const spacedName = (member: string): string =>
  /^[A-Z]/.test(member)
    ? member
    : member.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** The name of a member without a label in its form: `Expires in days`. */
const memberWords = (path: string): string =>
  spacedName(
    path.split(/[.[\]]+/).findLast((part) => part !== '' && !/^\d+$/.test(part)) ?? 'the whole',
  ).replace(/^./, (letter) => letter.toUpperCase());

/** After a colon: `must be at least 1`. */
export const messageAfter = (message: string): string =>
  plainMessage(message).replace(/^./, (letter) => letter.toLowerCase());

/** `Expires in days: must be at least 1`. */
export const memberSentence = (path: string, message: string): string =>
  `${memberWords(path)}: ${messageAfter(message)}`;
