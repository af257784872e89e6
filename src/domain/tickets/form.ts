/** `formData` of a ticket, checked against the form of its request type. contract.md section 5. */
import { z } from 'zod';
import { refuse, type Refusal } from '../../engine/aggregates/decider.ts';
import { ERRORS_NAMED_MAX, MEMBER_NAMED_CHARACTERS_MAX } from '../../limits.ts';
import { isBlank } from '../blank.ts';
import { charactersIn } from '../characters.ts';
import { FORM_TEXT_CHARACTERS_MAX } from '../service-desk/limits.ts';
import {
  isShown,
  type FieldKind,
  type FormField,
  type RequestType,
} from '../service-desk/request-types.ts';
import { sameJson, type FreeForm, type Json, type JsonObject } from './free-form.ts';
import { assigneeText } from './words.ts';

/** The form that the `formData` of a command is checked against. */
export interface TicketForm {
  readonly requestType: RequestType;
  /** The ids of {@link spacesNamedIn} that are spaces of the ticket's building, in lower case. */
  readonly spaceIds: ReadonlySet<string>;
}

/**
 * The answers as they are stored: spaces in lower case, people trimmed. Total: any form and any
 * object have an answer.
 *
 * A required field must be answered where it is shown; an empty list of choices is no answer. A
 * value of an unknown key or of a field that is not shown is refused, unless `before` has it. If
 * the field was removed from the form, the value is kept; if the change has hidden the field, it is
 * dropped.
 *
 * Refuses `VALIDATION_FAILED`; `errors` names `formData.<key>`.
 *
 * @param before The ticket's current `formData`. Default: the ticket is new.
 */
export const answersBy = (
  form: TicketForm,
  formData: JsonObject,
  before: JsonObject = {},
): { readonly formData: JsonObject } | Refusal => {
  const { requestType, fields } = form.requestType;
  const keys = new Set(fields.map(({ key }) => key));
  const isAsBefore = (key: string) =>
    Object.hasOwn(before, key) && sameJson(before[key], formData[key]);
  const others = Object.keys(formData).filter((key) => !keys.has(key));
  const problems = others
    .filter((key) => !isAsBefore(key))
    .map((key) => ({ key, message: `is not a field of the request type "${requestType}"` }));
  const kept = others.filter(isAsBefore).map((key) => [key, formData[key]!] as const);

  const answers = new Map<string, Answer>();
  /** Fields with a wrong answer, and fields that depend on them, which are not checked. */
  const unsure = new Set<string>();
  for (const field of fields) {
    const { key, required = false, showIf } = field;
    const value = answerIn(formData, field);
    if (showIf && unsure.has(showIf.key)) {
      unsure.add(key);
    } else if (!isShown(field, answers)) {
      if (value !== undefined && !isAsBefore(key))
        problems.push({
          key,
          message: `is only accepted if the answer to "${showIf?.key}" shows this field`,
        });
    } else if (value === undefined) {
      if (required) {
        problems.push({ key, message: 'is required' });
        unsure.add(key);
      }
    } else {
      const isUnchanged = field.kind === 'space' && typeof value === 'string' && isAsBefore(key);
      const answer = isUnchanged ? value : checks[field.kind](value, field, form);
      if (isWrong(answer)) {
        problems.push({ key, message: answer.wrong });
        unsure.add(key);
      } else answers.set(key, answer);
    }
  }
  return problems.length === 0
    ? { formData: Object.fromEntries([...kept, ...answers]) }
    : refusalOf(problems);
};

/** The ids to look up in the building of the ticket, in lower case, each once. */
export const spacesNamedIn = (
  { fields }: Pick<RequestType, 'fields'>,
  formData: FreeForm,
): readonly string[] => {
  const named = fields.flatMap(({ key, kind }) => {
    const value = kind === 'space' && Object.hasOwn(formData, key) ? formData[key] : undefined;
    return typeof value === 'string' ? [value.toLowerCase()] : [];
  });
  return [...new Set(named)];
};

/** `undefined`: none. A list without a choice is none. */
const answerIn = (formData: JsonObject, { key, kind }: FormField): Json | undefined => {
  const value = Object.hasOwn(formData, key) ? formData[key] : undefined;
  return kind === 'choices' && Array.isArray(value) && value.length === 0 ? undefined : value;
};

type Answer = string | number | boolean | readonly string[];
interface Wrong {
  readonly wrong: string;
}
type Check = (given: Json, field: FormField, form: TicketForm) => Answer | Wrong;

const isWrong = (answer: Answer | Wrong): answer is Wrong =>
  typeof answer === 'object' && 'wrong' in answer;

const isDate = (text: string) => z.iso.date().safeParse(text).success;

const checks: Readonly<Record<FieldKind, Check>> = {
  text: (given, { min = 0, max = FORM_TEXT_CHARACTERS_MAX }) => {
    if (typeof given !== 'string') return { wrong: 'must be text' };
    if (isBlank(given)) return { wrong: 'must not be blank' };
    return outside(charactersIn(given), { min, max }, 'characters') ?? given;
  },
  number: (given, { min = -Infinity, max = Infinity }) => {
    if (typeof given !== 'number') return { wrong: 'must be a number' };
    if (given < min) return { wrong: `must be at least ${min}` };
    return given > max ? { wrong: `must be at most ${max}` } : given;
  },
  choice: (given, field) => {
    const values = valuesOf(field);
    return typeof given === 'string' && values.includes(given)
      ? given
      : { wrong: `must be one of ${namesOf(values)}` };
  },
  choices: (given, field) => {
    const values = valuesOf(field);
    const { min = 0, max = values.length } = field;
    const chosen = Array.isArray(given) ? (given as readonly Json[]) : [];
    const isChosen = (one: Json): one is string => typeof one === 'string' && values.includes(one);
    if (chosen.length === 0 || !chosen.every(isChosen))
      return { wrong: `must be a list of ${namesOf(values)}` };
    if (new Set(chosen).size < chosen.length) return { wrong: 'must name each option once' };
    return outside(chosen.length, { min, max }, 'options') ?? chosen;
  },
  date: (given) =>
    typeof given === 'string' && isDate(given)
      ? given
      : { wrong: 'must be a date such as 2026-02-28' },
  flag: (given) => (typeof given === 'boolean' ? given : { wrong: 'must be true or false' }),
  person: (given) =>
    assigneeText.safeParse(given).data ?? { wrong: 'must be the userId of a person' },
  space: (given, _, { spaceIds }) => {
    const spaceId = typeof given === 'string' ? given.toLowerCase() : '';
    return spaceIds.has(spaceId)
      ? spaceId
      : { wrong: 'must be the id of a space of the building of the ticket' };
  },
};

const outside = (
  count: number,
  { min, max }: { readonly min: number; readonly max: number },
  what: string,
): Wrong | null => {
  if (count < min) return { wrong: `must have at least ${min} ${what}; it has ${count}` };
  return count > max ? { wrong: `must have at most ${max} ${what}; it has ${count}` } : null;
};

const valuesOf = ({ options = [] }: FormField) => options.map(({ value }) => value);

/** Options that an error names. */
const NAMED_MAX = 10;

const namesOf = (values: readonly string[]): string =>
  values.length > NAMED_MAX
    ? `${values.slice(0, NAMED_MAX).join(', ')} and ${values.length - NAMED_MAX} more`
    : values.join(', ');

const refusalOf = (problems: readonly { key: string; message: string }[]): Refusal => {
  const errors = problems.slice(0, ERRORS_NAMED_MAX).map(({ key, message }) => ({
    path: `formData.${key.slice(0, MEMBER_NAMED_CHARACTERS_MAX).toWellFormed()}`,
    message,
  }));
  const [first] = errors;
  return refuse('VALIDATION_FAILED', `${first?.path}: ${first?.message}`, { errors });
};
