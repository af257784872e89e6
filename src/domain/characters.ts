/**
 * Characters of a text are Unicode code points, as JSON Schema's `maxLength`, zod and Postgres
 * count them. `text.length` counts UTF-16 units: two for an emoji.
 */
export const charactersIn = (text: string): number => {
  let characters = text.length;
  for (let at = 1; at < text.length; at += 1)
    if (isLow(text.charCodeAt(at)) && isHigh(text.charCodeAt(at - 1))) characters -= 1;
  return characters;
};

/** Counts only texts of at most two units per allowed character. */
export const isLongerThan = (text: string, charactersMax: number): boolean =>
  text.length > charactersMax &&
  (text.length > 2 * charactersMax || charactersIn(text) > charactersMax);

/** The halves of a surrogate pair. */
const isHigh = (unit: number): boolean => (unit & 0xfc00) === 0xd800;
const isLow = (unit: number): boolean => (unit & 0xfc00) === 0xdc00;
