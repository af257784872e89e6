/**
 * Words of a ticket by which it is found again, as they are taken: without outer blanks, so that
 * nobody has to know of any. contract.md section 5.
 */
import { z } from 'zod';
import { REQUEST_TYPE_CHARACTERS_MAX } from './limits.ts';
import { ASSIGNEE_CHARACTERS_MAX, CATEGORY_CHARACTERS_MAX } from '../../limits.ts';

const word = (charactersMax: number) =>
  z.string().trim().min(1, 'must not be blank').max(charactersMax);

/** Filters take several categories with commas between them. */
export const categoryText = word(CATEGORY_CHARACTERS_MAX).regex(
  /^[^,]*$/,
  'must not contain a comma',
);

/** Of a user or of a team. */
export const assigneeText = word(ASSIGNEE_CHARACTERS_MAX);

/** Its schema is that of what is sent, blanks included. */
export const requestTypeText = z
  .string()
  .max(REQUEST_TYPE_CHARACTERS_MAX)
  .regex(/^\s*[a-z0-9][a-z0-9_-]{0,63}\s*$/, 'must be a slug')
  .trim();
