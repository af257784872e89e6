import { isLongerThan } from '../../domain/characters.ts';
import {
  FIELD_OPTIONS_MAX,
  OPTION_VALUE_CHARACTERS_MAX,
} from '../../domain/service-desk/limits.ts';
import { FIELD_KEY_FORM } from '../../domain/service-desk/request-types.ts';
import type { Json, JsonObject } from '../../domain/tickets/free-form.ts';
import { ANSWERED_FIELDS_MAX } from './limits.ts';
import { pairOf, ticketPairs } from './pairs.ts';

/**
 * Sorted, without duplicates. Beyond {@link ANSWERED_FIELDS_MAX} fields only the last are kept,
 * because the form's current fields follow removed ones.
 */
export const answersIn = (formData: JsonObject): readonly string[] => {
  const answered = Object.entries(formData)
    .filter(([key]) => FIELD_KEY_FORM.test(key))
    .slice(-ANSWERED_FIELDS_MAX);
  const pairs = answered.flatMap(([key, answer]) =>
    optionsIn(answer).map((option) => pairOf(key, option)),
  );
  return [...new Set(pairs)].sort();
};

/** The parts of an answer that a filter can name; none of a long text, a number or an object. */
const optionsIn = (answer: Json): readonly string[] => {
  if (typeof answer === 'boolean') return [String(answer)];
  const values: readonly Json[] = isList(answer) ? answer : [answer];
  return values.slice(0, FIELD_OPTIONS_MAX).filter(isOption);
};

const isList = (answer: Json): answer is readonly Json[] => Array.isArray(answer);

const isOption = (value: Json): value is string =>
  typeof value === 'string' && value !== '' && !isLongerThan(value, OPTION_VALUE_CHARACTERS_MAX);

/**
 * The answers of a ticket's form by which lists can be filtered: pairs of a field and an option,
 * `true` or `false`. Independent of the form: any possible option is kept, so that a change of the
 * form needs no rebuild.
 */
export const ticketAnswers = ticketPairs({ name: 'ticket-answers', member: 'formData' }, answersIn);
