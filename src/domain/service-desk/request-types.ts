/**
 * The request types of a service desk: the defaults of their tickets, and the forms for `formData`.
 * contract.md section 5.
 *
 * The schemas bound shapes and sizes; `form-problems.ts` checks whether the parts fit together.
 */
import { z } from 'zod';
import { priorities } from '../tickets/events.ts';
import { requestTypeText, storedCategory, word } from '../tickets/words.ts';
import {
  DESK_NAME_CHARACTERS_MAX,
  FIELD_LABEL_CHARACTERS_MAX,
  FIELD_OPTIONS_MAX,
  FORM_BOUND_MAX,
  FORM_FIELDS_MAX,
  OPTION_VALUE_CHARACTERS_MAX,
  REQUEST_TYPE_DESCRIPTION_CHARACTERS_MAX,
  REQUEST_TYPE_ICON_CHARACTERS_MAX,
  REQUEST_TYPES_MAX,
} from './limits.ts';

export const fieldKinds = [
  'text',
  'number',
  'choice',
  'choices',
  'date',
  'flag',
  'person',
  'space',
] as const;
export type FieldKind = (typeof fieldKinds)[number];

/** No `__proto__`, and nothing that a query or a path would have to escape. */
export const FIELD_KEY_FORM = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const fieldKey = z.string().regex(FIELD_KEY_FORM, 'must be a name such as leakSize');

/** No commas, because filters separate several values with them. */
const optionValue = word(OPTION_VALUE_CHARACTERS_MAX).regex(/^[^,]*$/, 'must not contain a comma');

const optionSchema = z
  .strictObject({ value: optionValue, label: word(FIELD_LABEL_CHARACTERS_MAX) })
  .meta({ id: 'FieldOption' });

const comparedValue = z.union([
  z.string().min(1).max(OPTION_VALUE_CHARACTERS_MAX),
  z.number(),
  z.boolean(),
]);

const conditionSchema = z
  .strictObject({
    key: fieldKey.describe('Key of an earlier field of the form.'),
    equals: z
      .union([comparedValue, z.array(comparedValue).min(1).max(FIELD_OPTIONS_MAX)])
      .describe(
        'The answer that shows this field, or a list of such answers. With several choices, ' +
          'one match is enough.',
      ),
  })
  .meta({ id: 'FieldCondition' });

const bound = z.number().min(-FORM_BOUND_MAX).max(FORM_BOUND_MAX);

const fieldSchema = z
  .strictObject({
    key: fieldKey.describe('The member of `formData`.'),
    label: word(FIELD_LABEL_CHARACTERS_MAX),
    kind: z
      .enum(fieldKinds)
      .describe(
        '`date` is `YYYY-MM-DD`, `person` a userId, `space` a spaceId of the building of the ' +
          'ticket, `flag` true or false, `choices` a list of options.',
      ),
    required: z
      .exactOptional(z.boolean())
      .describe('Whether the field needs an answer while it is shown. Default false.'),
    options: z
      .exactOptional(z.array(optionSchema).min(1).max(FIELD_OPTIONS_MAX))
      .describe('The options of `choice` and `choices`.'),
    showIf: z
      .exactOptional(conditionSchema)
      .describe('The condition that shows the field. Default: the field is always shown.'),
    min: z
      .exactOptional(bound)
      .describe(
        'Bound of a number, of the characters of a `text`, or of the number of `choices`. ' +
          'Default: none.',
      ),
    max: z.exactOptional(bound),
  })
  .meta({ id: 'FormField' });
export type FormField = z.infer<typeof fieldSchema>;

const requestTypeSchema = z
  .strictObject({
    requestType: requestTypeText.describe('The value of `requestType` in tickets.'),
    name: word(DESK_NAME_CHARACTERS_MAX),
    icon: z.exactOptional(word(REQUEST_TYPE_ICON_CHARACTERS_MAX)).describe('A symbol or a name.'),
    description: z.exactOptional(word(REQUEST_TYPE_DESCRIPTION_CHARACTERS_MAX)),
    category: z
      .exactOptional(storedCategory)
      .describe('Category of tickets that are created without one.'),
    priority: z
      .exactOptional(z.enum(priorities))
      .describe('Priority of tickets that are created without one. Default medium.'),
    requester: z
      .exactOptional(z.boolean())
      .describe('Whether requesters may choose it. Default true.'),
    fields: z
      .array(fieldSchema)
      .max(FORM_FIELDS_MAX)
      .describe('The fields, in the order of the form.'),
  })
  .meta({ id: 'RequestType' });
export type RequestType = z.infer<typeof requestTypeSchema>;

export const requestTypesSchema = z.array(requestTypeSchema).max(REQUEST_TYPES_MAX);

/** A configuration's part with the request types. */
export interface WithRequestTypes {
  readonly requestTypes?: readonly RequestType[];
}

/** `undefined`: the request type has no entry, and `formData` of its tickets is free-form. */
export const requestTypeOf = (
  { requestTypes = [] }: WithRequestTypes,
  requestType: string,
): RequestType | undefined => requestTypes.find((type) => type.requestType === requestType);

/**
 * Whether a field is shown. A field that depends on a hidden field is hidden, too.
 *
 * @param answers The answers to the earlier fields that are shown.
 */
export const isShown = (
  { showIf }: Pick<FormField, 'showIf'>,
  answers: ReadonlyMap<string, unknown>,
): boolean => {
  if (showIf === undefined) return true;
  const expected: readonly unknown[] = [showIf.equals].flat();
  return [answers.get(showIf.key)].flat().some((answer) => expected.includes(answer));
};
