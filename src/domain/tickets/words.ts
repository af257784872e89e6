/**
 * Searchable words of a ticket are trimmed, so that invisible blanks never matter. contract.md
 * section 5.
 */
import { z } from 'zod';
import { isBlank } from '../blank.ts';
import { REQUEST_TYPE_CHARACTERS_MAX } from './limits.ts';
import { ASSIGNEE_CHARACTERS_MAX, CATEGORY_CHARACTERS_MAX } from '../../limits.ts';

/** Text that is trimmed and not empty; stored ones may be of invisible characters. */
export const word = (charactersMax: number) =>
  z.string().trim().min(1, { error: 'must not be blank', abort: true }).max(charactersMax);

const visible = (text: z.ZodString) => text.refine((value) => !isBlank(value), 'must not be blank');

/** No commas, because filters separate several categories with them. */
export const storedCategory = word(CATEGORY_CHARACTERS_MAX).regex(
  /^[^,]*$/,
  'must not contain a comma',
);
export const categoryText = visible(storedCategory);

/** The form of an e-mail address; whether it exists is not checked. */
export const addressText = (charactersMax: number) =>
  z
    .string()
    .max(charactersMax)
    .regex(/^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/u, 'must be an address such as ana@example.com');

/** The id of a user or of a team. */
export const storedAssignee = word(ASSIGNEE_CHARACTERS_MAX);
export const assigneeText = visible(storedAssignee);

/** Its schema describes the untrimmed input. */
export const requestTypeText = z
  .string()
  .max(REQUEST_TYPE_CHARACTERS_MAX)
  .regex(/^\s*[a-z0-9][a-z0-9_-]{0,63}\s*$/, 'must be a slug')
  .trim();
