/**
 * What a value breaks of its JSON schema, found at little cost and not all of it: how much there is
 * comes before what it is, and what is too much is not looked into. Validation proper, with its
 * messages, is done by zod, which reads all of a value whatever it finds.
 */
import { ERRORS_NAMED_MAX, MEMBER_NAMED_CHARACTERS_MAX } from '../../limits.ts';
import type { FieldError } from './problems.ts';

/** The keywords that are looked at; whatever else there is, zod checks. */
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
  /** Places where there is more than there may be. */
  readonly oversized: readonly FieldError[];
  /** Places that are something else than they may be; {@link ERRORS_NAMED_MAX} at most. */
  readonly wrong: readonly FieldError[];
}

/** Reads at most as much of `value` as its schema allows, and stops where enough is wrong. */
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

/** The alternative that fits best, of those of the value's type. */
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
  } else found.wrong.push({ path, message: 'is none of what it may be' });
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
  if (text.length > maxLength) {
    const message = `must not have more than ${maxLength} characters`;
    found.oversized.push({ path, message });
  } else if (
    text.length < minLength ||
    (schema.enum && !schema.enum.includes(text)) ||
    (schema.const !== undefined && schema.const !== text) ||
    (pattern !== undefined && !new RegExp(pattern, 'u').test(text))
  ) {
    found.wrong.push({ path, message: 'is none of the texts that it may be' });
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

/** What is said of a member that nobody knows. */
export const UNKNOWN = 'is not known here';

/** `metadata.externalId`. A name may be as long as a body: what is told of it is cut. */
export const memberPath = (path: string, name: string): string => {
  const shown =
    name.length > MEMBER_NAMED_CHARACTERS_MAX
      ? `${name.slice(0, MEMBER_NAMED_CHARACTERS_MAX)}…`
      : name;
  return path === '' ? shown : `${path}.${shown}`;
};
