/**
 * Defence in depth: replaces texts that look like keys, tokens, passwords in addresses, or mail
 * addresses. The sections themselves must not contain any.
 */
export const scrubbed = (text: string): string =>
  PATTERNS.reduce((left, [pattern, by]) => left.replaceAll(pattern, by), text);

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/(:\/\/)[^/\s"@]*@/g, '$1***@'],
  [/[\w.+-]+@[\w-]+(\.[\w-]+)+/g, '***'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '***'],
  [/\b(Bearer|Basic) +[\w.~+/=-]+/gi, '$1 ***'],
  [/\b(atr|whsec)_[\w.+/=-]+/g, '***'],
];
