import type { z } from 'zod';

/**
 * Whether a text has no visible character: only white space, control characters, and characters
 * without a glyph, such as zero width spaces, soft hyphens and the byte order mark.
 */
export const isBlank = (text: string): boolean =>
  /^[\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*$/u.test(text);

/** For identifiers: one with white space around it looks like another and would not match it. */
export const unpadded = <Text extends z.ZodString>(text: Text): Text =>
  text.refine((value) => value === value.trim(), 'must not begin or end with a blank');
