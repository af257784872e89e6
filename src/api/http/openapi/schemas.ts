/**
 * Converts zod's schemas for integrators: a query is described in its written form, a schema for
 * both input and output appears once, and an unreferenced one not at all.
 */
import { isJsonObject } from '../../../engine/json-object.ts';
import { mapped, refersTo, refsIn, refTo, type JsonObject } from './json.ts';
import { EXAMPLE } from '../examples.ts';
import { PATH_NAME } from '../path-names.ts';
import { WRITTEN } from '../text.ts';

/** A schema in its wire form, without noise. */
export const plain = (document: unknown): unknown => mapped(document, plainSchema);

const plainSchema = ({ [EXAMPLE]: example, ...schema }: JsonObject): JsonObject => ({
  ...withoutNoise(schema),
  ...(example === undefined ? {} : { examples: [example] }),
});

const withoutNoise = (schema: JsonObject): JsonObject => {
  const written = schema[WRITTEN];
  if (isJsonObject(written)) {
    const { description } = schema;
    return { ...written, ...(description === undefined ? {} : { description }) };
  }
  const kept = Object.entries(schema).filter(([name]) => !isNoise(schema, name));
  return listOf(Object.fromEntries(kept));
};

/**
 * A tuple of equal members becomes a list of that length: linters and generators support no other
 * form.
 */
const listOf = ({ prefixItems, ...schema }: JsonObject): JsonObject => {
  if (!Array.isArray(prefixItems)) return schema;
  const { length } = prefixItems;
  return { ...schema, items: prefixItems[0], minItems: length, maxItems: length };
};

const FORMATS: ReadonlySet<unknown> = new Set(['uuid', 'date-time', 'date', 'email']);

/** Our own marker, a pattern that repeats the format, and bounds that only JavaScript has. */
const isNoise = (schema: JsonObject, name: string): boolean =>
  name === PATH_NAME ||
  (name === 'pattern' && typeof schema['pattern'] === 'string' && FORMATS.has(schema['format'])) ||
  (name === 'propertyNames' && JSON.stringify(schema[name]) === '{"type":"string"}') ||
  (name === 'minimum' && schema[name] === Number.MIN_SAFE_INTEGER) ||
  (name === 'maximum' && schema[name] === Number.MAX_SAFE_INTEGER);

/** The suffix by which zod's plugin marks input schemas. */
const INPUT = 'Input';

/**
 * The schemas and their references, with each schema once. If the input and output forms are equal,
 * the input form stays, because it also forbids unknown members; if they differ, the input form
 * gets the suffix `Input`, unless it is the only one in use.
 */
export const once = <Referring extends JsonObject>(
  schemas: JsonObject,
  referring: Referring,
): { readonly schemas: JsonObject; readonly referring: Referring } => {
  const pairs = Object.keys(schemas).filter((name) => `${name}${INPUT}` in schemas);
  const alike = alikeOf(pairs, schemas);
  const used = reachable(referring, schemas);
  const renamed = (name: string): string => {
    const base = name.endsWith(INPUT) ? name.slice(0, -INPUT.length) : name;
    if (!pairs.includes(base)) return name;
    return alike.has(base) || !used.has(base) ? base : name;
  };
  const rename = (value: unknown) =>
    mapped(value, (object) => {
      const name = refersTo(object);
      return name === null ? object : { ...object, $ref: refTo(renamed(name)) };
    });
  const kept = Object.entries(schemas)
    .filter(([name]) => used.has(name) || (alike.has(name) && used.has(`${name}${INPUT}`)))
    .map(([name, schema]): [string, unknown] => {
      const base = renamed(name);
      if (alike.has(base)) return [base, rename(schemas[`${base}${INPUT}`])];
      return [base, rename(name.endsWith(INPUT) ? schema : open(schema))];
    });
  const named = kept.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    schemas: referredIn(named),
    referring: rename(referring) as Referring,
  };
};

/** zod inlines a schema that has its own description; this restores the reference. */
const referredIn = (named: readonly (readonly [string, unknown])[]): JsonObject => {
  const names = new Map(named.map(([name, schema]) => [printed(schema), name]));
  const shortened = (value: unknown): unknown =>
    mapped(value, (object) => {
      const name = 'properties' in object ? names.get(printed(object)) : undefined;
      if (name === undefined) return object;
      const { description } = object;
      return { $ref: refTo(name), ...(description === undefined ? {} : { description }) };
    });
  return Object.fromEntries(
    named.map(([name, schema]) => [
      name,
      Object.fromEntries(
        Object.entries(schema as JsonObject).map(([key, part]) => [key, shortened(part)]),
      ),
    ]),
  );
};

const printed = (schema: unknown): string => {
  const { description: _, ...rest } = schema as JsonObject;
  return JSON.stringify(rest);
};

/** Responses may gain members, so only inputs are closed. */
const open = (schema: unknown): unknown =>
  mapped(schema, (object) => {
    const { additionalProperties, ...rest } = object;
    return additionalProperties === false ? rest : object;
  });

/** The pairs with equal input and output forms, with all they refer to. */
const alikeOf = (pairs: readonly string[], schemas: JsonObject): ReadonlySet<string> => {
  const base = (value: unknown) =>
    JSON.stringify(
      mapped(open(value), (object) => {
        const name = refersTo(object);
        const isSent = name?.endsWith(INPUT) && pairs.includes(name.slice(0, -INPUT.length));
        return name && isSent ? { ...object, $ref: refTo(name.slice(0, -INPUT.length)) } : object;
      }),
    );
  const same = (name: string) => base(schemas[name]) === base(schemas[`${name}${INPUT}`]);
  let alike = new Set(pairs.filter(same));
  for (;;) {
    const holds = (name: string) =>
      [...refsIn(schemas[name])].every((to) => !pairs.includes(to) || alike.has(to));
    const left = new Set([...alike].filter(holds));
    if (left.size === alike.size) return left;
    alike = left;
  }
};

/** Names of all schemas that are referred to, directly or not. */
const reachable = (referring: JsonObject, schemas: JsonObject): ReadonlySet<string> => {
  const found = new Set<string>();
  const rest = [...refsIn(referring)];
  for (let name = rest.pop(); name !== undefined; name = rest.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    rest.push(...refsIn(schemas[name]));
  }
  return found;
};
