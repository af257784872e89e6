/**
 * A cheap and incomplete check of a value against its JSON schema: sizes are checked before
 * contents, and oversized values are not descended into. zod does the full validation with its
 * messages, but always visits the whole value.
 */
import { isLongerThan } from '../../domain/characters.ts';
import { ERRORS_NAMED_MAX, MEMBER_NAMED_CHARACTERS_MAX } from '../../limits.ts';
import type { FieldError } from './problems.ts';

/** The checked keywords; zod checks all others. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly items?: JsonSchema | boolean;
  readonly prefixItems?: readonly JsonSchema[];
  readonly maxProperties?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly propertyNames?: JsonSchema;
  readonly additionalProperties?: JsonSchema | boolean;
}

export interface PrecheckErrors {
  /** Paths with a size above its bound. */
  readonly oversized: readonly FieldError[];
  /** Paths with a wrong value, at most {@link ERRORS_NAMED_MAX}. */
  readonly wrong: readonly FieldError[];
}

/** Visits at most as much of `value` as its schema allows, and stops at enough errors. */
export const precheck = (schema: JsonSchema, value: unknown): PrecheckErrors => {
  const found: Found = { defs: schema.$defs ?? {}, oversized: [], wrong: [] };
  check(schema, value, '', found);
  return found;
};

interface Found {
  readonly defs: Readonly<Record<string, JsonSchema>>;
  readonly oversized: FieldError[];
  readonly wrong: FieldError[];
}

const check = (schema: JsonSchema, value: unknown, path: string, found: Found): void => {
  if (found.wrong.length >= ERRORS_NAMED_MAX || found.oversized.length > 0) return;
  const { $ref, anyOf, allOf } = schema;
  if ($ref !== undefined) {
    const named = found.defs[$ref.slice('#/$defs/'.length)];
    if (named) check(named, value, path, found);
    return;
  }
  for (const part of allOf ?? []) check(part, value, path, found);
  if (anyOf) checkEither(anyOf, value, path, found);
  if (!isOfType(schema, value)) {
    found.wrong.push({ path, message: `must be ${[schema.type].flat().join(' or ')}` });
  } else if (typeof value === 'string') checkText(schema, value, path, found);
  else if (Array.isArray(value)) checkList(schema, value, path, found);
  else if (typeof value === 'object' && value !== null) {
    checkObject(schema, Object.entries(value), path, found);
  }
};

/** Reports the errors of the best matching alternative of the value's type. */
const checkEither = (
  schemas: readonly JsonSchema[],
  value: unknown,
  path: string,
  found: Found,
): void => {
  let best: Found | undefined;
  for (const schema of schemas) {
    if (!isOfType(schema, value)) continue;
    const tried: Found = { defs: found.defs, oversized: [], wrong: [] };
    check(schema, value, path, tried);
    if (best === undefined || badness(tried) < badness(best)) best = tried;
    if (badness(best) === 0) return;
  }
  if (best) {
    found.oversized.push(...best.oversized);
    found.wrong.push(...best.wrong);
  } else found.wrong.push({ path, message: 'has none of the allowed types' });
};

const badness = ({ oversized, wrong }: Found): number =>
  oversized.length * ERRORS_NAMED_MAX + wrong.length;

const isOfType = ({ type }: JsonSchema, value: unknown): boolean => {
  if (type === undefined) return true;
  const is = typeOf(value);
  return [type].flat().some((one) => one === is || (one === 'integer' && is === 'number'));
};

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

const checkText = (schema: JsonSchema, text: string, path: string, found: Found): void => {
  const { maxLength = Infinity, minLength = 0, pattern } = schema;
  if (isLongerThan(text, maxLength)) {
    const message = `must not have more than ${maxLength} characters`;
    found.oversized.push({ path, message });
  } else if (
    text.length < minLength ||
    (schema.enum && !schema.enum.includes(text)) ||
    (schema.const !== undefined && schema.const !== text) ||
    (pattern !== undefined && !new RegExp(pattern, 'u').test(text))
  ) {
    found.wrong.push({ path, message: 'is not one of the allowed values' });
  }
};

const checkList = (
  { maxItems = Infinity, prefixItems = [], items }: JsonSchema,
  list: readonly unknown[],
  path: string,
  found: Found,
): void => {
  if (list.length > maxItems) {
    found.oversized.push({ path, message: `must not have more than ${maxItems} items` });
    return;
  }
  for (const [index, item] of list.entries()) {
    if (found.wrong.length >= ERRORS_NAMED_MAX) return;
    const schema = prefixItems[index] ?? items;
    if (typeof schema === 'object') check(schema, item, `${path}[${index}]`, found);
  }
};

const checkObject = (
  { maxProperties = Infinity, properties = {}, propertyNames, additionalProperties }: JsonSchema,
  members: readonly (readonly [string, unknown])[],
  path: string,
  found: Found,
): void => {
  if (members.length > maxProperties) {
    found.oversized.push({ path, message: `must not have more than ${maxProperties} members` });
    return;
  }
  for (const [name, member] of members) {
    if (found.wrong.length >= ERRORS_NAMED_MAX) return;
    const at = memberPath(path, name);
    if (Object.hasOwn(properties, name)) check(properties[name]!, member, at, found);
    else if (additionalProperties === false) found.wrong.push({ path: at, message: UNKNOWN });
    else {
      if (propertyNames) check(propertyNames, name, at, found);
      if (typeof additionalProperties === 'object') {
        check(additionalProperties, member, at, found);
      }
    }
  }
};

/** The message for an unknown member. */
export const UNKNOWN = 'is unknown';

/** `metadata.externalId`. A name may be as long as a body, so it is truncated. */
export const memberPath = (path: string, name: string): string => {
  const shown =
    name.length > MEMBER_NAMED_CHARACTERS_MAX
      ? `${name.slice(0, MEMBER_NAMED_CHARACTERS_MAX)}…`
      : name;
  return path === '' ? shown : `${path}.${shown}`;
};
