/** Whether the request types of a configuration fit together. contract.md section 5. */
import { repeatsIn } from '../repeats.ts';
import { FORM_TEXT_CHARACTERS_MAX } from './limits.ts';
import type { FormField, RequestType } from './request-types.ts';

/** An error, and its path as in the problem's `errors`. */
export interface FormProblem {
  readonly path: string;
  readonly message: string;
}

/** In the order of the document; empty for forms that fit. */
export const formProblems = (types: readonly RequestType[]): readonly FormProblem[] => [
  ...repeatsIn(types.map(({ requestType }) => requestType)).map(({ value, index }) => ({
    path: `requestTypes[${index}].requestType`,
    message: `another request type is "${value}" already`,
  })),
  ...types.flatMap(({ requestType, fields }, type) =>
    fieldsProblems(fields).map(({ path, message }) => ({
      path: `requestTypes[${type}].${path}`,
      message: `request type "${requestType}": ${message}`,
    })),
  ),
];

const fieldsProblems = (fields: readonly FormField[]): readonly FormProblem[] => [
  ...repeatsIn(fields.map(({ key }) => key)).map(({ value, index }) => ({
    path: `fields[${index}].key`,
    message: `another field has the key "${value}" already`,
  })),
  ...fields.flatMap((field, index) =>
    [
      ...optionProblems(field),
      ...conditionProblems(field, fields.slice(0, index)),
      ...boundProblems(field),
    ].map(({ path, message }) => ({
      path: `fields[${index}].${path}`,
      message: `field "${field.key}" ${message}`,
    })),
  ),
];

const optionProblems = ({ kind, options }: FormField): readonly FormProblem[] => {
  const hasOptions = kind === 'choice' || kind === 'choices';
  if (!hasOptions) {
    const message = `is of kind ${kind}, which has no options`;
    return options === undefined ? [] : [{ path: 'options', message }];
  }
  if (options === undefined) {
    return [{ path: 'options', message: `is of kind ${kind}, which needs options` }];
  }
  return repeatsIn(options.map(({ value }) => value)).map(({ value, index }) => ({
    path: `options[${index}].value`,
    message: `has the option "${value}" twice`,
  }));
};

/** A condition names an earlier field, so that no two fields wait for each other. */
const conditionProblems = (
  { showIf }: FormField,
  earlier: readonly FormField[],
): readonly FormProblem[] => {
  if (showIf === undefined) return [];
  const { key, equals } = showIf;
  const condition = earlier.find((field) => field.key === key);
  if (!condition) {
    const message = `depends on "${key}", which is not an earlier field`;
    return [{ path: 'showIf.key', message }];
  }
  const mayBe = answersOf(condition);
  return [equals].flat().flatMap((value, index) =>
    mayBe(value)
      ? []
      : [
          {
            path: `showIf.equals${Array.isArray(equals) ? `[${index}]` : ''}`,
            message: `depends on the answer ${JSON.stringify(value)}, which "${key}" cannot have`,
          },
        ],
  );
};

/** Whether a value can be an answer to the field. */
const answersOf = ({ kind, options = [] }: FormField): ((value: unknown) => boolean) => {
  if (kind === 'number') return (value) => typeof value === 'number';
  if (kind === 'flag') return (value) => typeof value === 'boolean';
  if (kind !== 'choice' && kind !== 'choices') return (value) => typeof value === 'string';
  const values = new Set<unknown>(options.map(({ value }) => value));
  return (value) => values.has(value);
};

const boundProblems = ({ kind, options = [], min, max }: FormField): readonly FormProblem[] => {
  const values = { min, max };
  const bounds = (['min', 'max'] as const).flatMap((path) => {
    const value = values[path];
    return value === undefined ? [] : [{ path, value }];
  });
  if (kind !== 'number' && kind !== 'text' && kind !== 'choices') {
    return bounds.map(({ path }) => ({
      path,
      message: `is of kind ${kind}, which has no ${path}`,
    }));
  }
  const countMax = kind === 'text' ? FORM_TEXT_CHARACTERS_MAX : options.length;
  const wrong = bounds.filter(
    ({ value }) =>
      kind !== 'number' && !(Number.isInteger(value) && value >= 0 && value <= countMax),
  );
  if (wrong.length > 0) {
    return wrong.map(({ path }) => ({
      path,
      message: `needs a whole number from 0 to ${countMax} as ${path}`,
    }));
  }
  return min !== undefined && max !== undefined && min > max
    ? [{ path: 'min', message: `has a min of ${min}, which is above its max of ${max}` }]
    : [];
};
