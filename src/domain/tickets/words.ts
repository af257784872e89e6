/**
 * Searchable words of a ticket are trimmed, so that invisible blanks never matter. contract.md
 * section 5.
 */
import { z } from 'zod';
import { REQUEST_TYPE_CHARACTERS_MAX } from './limits.ts';
import { ASSIGNEE_CHARACTERS_MAX, CATEGORY_CHARACTERS_MAX } from '../../limits.ts';

/** Text that is trimmed and not blank. */
export const word = (charactersMax: number) =>
  z.string().trim().min(1, 'must not be blank').max(charactersMax);

/** No commas, because filters separate several categories with them. */
export const categoryText = word(CATEGORY_CHARACTERS_MAX).regex(
  /^[^,]*$/,
  'must not contain a comma',
);

/** The form of an e-mail address; whether it exists is not checked. */
export const addressText = (charactersMax: number) =>
  z
    .string()
    .max(charactersMax)
    .regex(/^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/u, 'must be an address such as ana@example.com');

/** The id of a user or of a team. */
export const assigneeText = word(ASSIGNEE_CHARACTERS_MAX);

/** Its schema describes the untrimmed input. */
export const requestTypeText = z
  .string()
  .max(REQUEST_TYPE_CHARACTERS_MAX)
  .regex(/^\s*[a-z0-9][a-z0-9_-]{0,63}\s*$/, 'must be a slug')
  .trim();
