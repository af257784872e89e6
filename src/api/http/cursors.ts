import { z } from 'zod';
import { CURSOR_CHARACTERS_MAX } from '../../limits.ts';

/** An opaque cursor, so that callers cannot depend on its content. */
export const cursorFor = (place: object): string =>
  Buffer.from(JSON.stringify(place)).toString('base64url');

/** In a query: the position that {@link cursorFor} has encoded. */
export const cursorOf = <Place>(place: z.ZodType<Place>) =>
  z
    .string()
    .max(CURSOR_CHARACTERS_MAX)
    .transform((text, context) => {
      const read = place.safeParse(placeIn(text));
      if (read.success) return read.data;
      context.addIssue({ code: 'custom', message: 'is not a cursor of this list' });
      return z.NEVER;
    })
    .describe('`nextCursor` of the previous page.');

const placeIn = (text: string): unknown => {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
};
