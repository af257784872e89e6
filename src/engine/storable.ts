/** Text that Postgres or UTF-8 could not carry. contract.md section 1. */

/** Why a text cannot be stored unchanged; `null` if it can. */
export const unstorableText = (text: string): string | null => {
  if (text.includes('\0')) return 'must not contain U+0000';
  return text.isWellFormed() ? null : 'must not contain lone surrogates';
};

/** Checks all texts in a JSON value of bounded depth, including member names. */
export const unstorableIn = (value: unknown): string | null => {
  if (typeof value === 'string') return unstorableText(value);
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, member] of Object.entries(value)) {
    const wrong = unstorableText(name) ?? unstorableIn(member);
    if (wrong !== null) return wrong;
  }
  return null;
};

/** The text with U+FFFD in place of each character that cannot be stored. */
export const asStorable = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed();
