/** The form of a request type: its input, and the conversion from and to `formData`. */
import type { Schemas } from '../../session/me.ts';

export type Configuration = Schemas['StoredServiceDeskConfiguration'];
export type RequestType = Schemas['RequestType'];
export type FormField = Schemas['FormField'];

/** By key, as typed: several choices separated by commas, `yes` or `no` for a flag. */
export type Typed = Readonly<Record<string, string>>;

/** Answers by request type, so that they survive a change of the type; stored as JSON. */
export const answersIn = (text: string): ReadonlyMap<string, Typed> =>
  new Map(Object.entries(JSON.parse(text) as Readonly<Record<string, Typed>>));

/** @param answers As JSON. @returns the same with the answers of one request type replaced. */
export const withAnswers = (answers: string, slug: string, typed: Typed): string =>
  JSON.stringify({ ...Object.fromEntries(answersIn(answers)), [slug]: typed });

export const textIn = (typed: Typed, key: string): string =>
  Object.hasOwn(typed, key) ? typed[key]! : '';

export const requestTypeIn = (
  configuration: Pick<Configuration, 'requestTypes'> | undefined,
  slug: string,
): RequestType | undefined =>
  configuration?.requestTypes?.find(({ requestType }) => requestType === slug);

/**
 * The field of a key: in the form of this request type, else in the first form that has it.
 *
 * @param slug Default: any.
 */
export const fieldIn = (
  configuration: Pick<Configuration, 'requestTypes'> | undefined,
  key: string,
  slug = '',
): FormField | undefined => {
  const own = requestTypeIn(configuration, slug);
  const types = [...(own ? [own] : []), ...(configuration?.requestTypes ?? [])];
  return types.flatMap(({ fields }) => fields).find((field) => field.key === key);
};

/**
 * Request types by name: those of the configuration, the default one, and those that only workflows
 * name.
 */
export const typeChoices = (
  { requestTypes = [], workflows }: Pick<Configuration, 'requestTypes' | 'workflows'>,
  chosen: string,
): readonly (readonly [slug: string, name: string])[] => {
  const named = new Map(requestTypes.map(({ requestType, name }) => [requestType, name]));
  for (const slug of ['general', ...workflows.map(({ requestType }) => requestType), chosen])
    if (slug !== '' && !named.has(slug)) named.set(slug, slug);
  return [...named];
};

const FLAGS: Readonly<Record<string, boolean>> = { yes: true, no: false };

/** `undefined`: the field is left blank. */
const answerOf = (
  { kind, key }: Pick<FormField, 'kind' | 'key'>,
  typed: Typed,
): string | number | boolean | readonly string[] | undefined => {
  const text = textIn(typed, key);
  if (text.trim() === '') return undefined;
  if (kind === 'flag') return FLAGS[text];
  if (kind === 'choices') return text.split(',');
  return kind === 'number' ? Number(text) : text;
};

/** The visible fields with their answers, in the order of the form. */
const shownIn = ({ fields }: RequestType, typed: Typed) => {
  const answers = new Map<string, ReturnType<typeof answerOf>>();
  for (const field of fields) {
    const { showIf } = field;
    const actual: readonly unknown[] = [showIf && answers.get(showIf.key)].flat();
    const expected: readonly unknown[] = [showIf?.equals].flat();
    if (
      showIf === undefined ||
      actual.some((answer) => answer !== undefined && expected.includes(answer))
    )
      answers.set(field.key, answerOf(field, typed));
  }
  return answers;
};

export const shownFields = (type: RequestType, typed: Typed): readonly FormField[] => {
  const shown = shownIn(type, typed);
  return type.fields.filter(({ key }) => shown.has(key));
};

/** The keys of visible fields that must be answered, and are not. */
export const unansweredKeys = (type: RequestType, typed: Typed): readonly string[] => {
  const answers = shownIn(type, typed);
  return type.fields
    .filter(({ key, required }) => required && answers.has(key) && answers.get(key) === undefined)
    .map(({ key }) => key);
};

/** The form data to be sent; blank fields are left out. */
export const formDataOf = (type: RequestType, typed: Typed): Record<string, unknown> =>
  Object.fromEntries([...shownIn(type, typed)].filter(([, answer]) => answer !== undefined));

/** A merge patch of the changed fields; hidden fields are left to the server. */
export const formPatchOf = (
  type: RequestType,
  typed: Typed,
  changed: ReadonlySet<string>,
): Record<string, unknown> =>
  Object.fromEntries(
    [...shownIn(type, typed)]
      .filter(([key]) => changed.has(key))
      .map(([key, answer]) => [key, answer ?? null]),
  );

/** The stored answers, as they would be typed. */
export const typedOf = (
  { fields }: { readonly fields: readonly Pick<FormField, 'key'>[] },
  stored: Readonly<Record<string, unknown>>,
): Typed => {
  const text = (value: unknown): string => {
    if (value === undefined || value === null) return '';
    if (typeof value === 'boolean') return value ? 'yes' : 'no';
    if (Array.isArray(value)) return value.join();
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
  return Object.fromEntries(
    fields.map(({ key }) => [key, text(Object.hasOwn(stored, key) ? stored[key] : undefined)]),
  );
};

/** An answer in words: labels of options, names of people and rooms. */
export const answerWords = (
  { kind, options = [] }: Partial<Pick<FormField, 'kind' | 'options'>>,
  value: unknown,
  names: {
    readonly people: ReadonlyMap<string, string>;
    readonly rooms: ReadonlyMap<string, string>;
  },
): string => {
  if (Array.isArray(value))
    return value
      .map((option) => answerWords({ kind: 'choice', options }, option, names))
      .join(', ');
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return value.toLocaleString('en');
  if (typeof value !== 'string') return JSON.stringify(value);
  if (kind === 'person') return names.people.get(value) ?? value;
  if (kind === 'space') return names.rooms.get(value) ?? value;
  return options.find((option) => option.value === value)?.label ?? value;
};
