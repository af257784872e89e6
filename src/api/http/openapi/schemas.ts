/**
 * From what zod prints to what an integrator reads: what a query says is described as it is
 * written, a schema that is sent and answered alike stands there once, and one that nobody refers
 * to not at all.
 */
import { isObject, mapped, refersTo, refsIn, refTo, type JsonObject } from './json.ts';
import { EXAMPLE } from '../examples.ts';
import { PATH_NAME } from '../path-names.ts';
import { WRITTEN } from '../text.ts';

/** A schema as it is written on the wire, without what only a machine would read in it. */
export const plain = (document: unknown): unknown => mapped(document, plainSchema);

const plainSchema = ({ [EXAMPLE]: example, ...schema }: JsonObject): JsonObject => ({
  ...withoutNoise(schema),
  ...(example === undefined ? {} : { examples: [example] }),
});

const withoutNoise = (schema: JsonObject): JsonObject => {
  const written = schema[WRITTEN];
  if (isObject(written)) {
    const { description } = schema;
    return { ...written, ...(description === undefined ? {} : { description }) };
  }
  const kept = Object.entries(schema).filter(([name]) => !isNoise(schema, name));
  return listOf(Object.fromEntries(kept));
};

/** A tuple of equal members, as a list of that length: linters and generators know no other. */
const listOf = ({ prefixItems, ...schema }: JsonObject): JsonObject => {
  if (!Array.isArray(prefixItems)) return schema;
  const { length } = prefixItems;
  return { ...schema, items: prefixItems[0], minItems: length, maxItems: length };
};

const FORMATS: ReadonlySet<unknown> = new Set(['uuid', 'date-time', 'date', 'email']);

/** A marker of ours, a pattern that repeats the format, and bounds that only JavaScript has. */
const isNoise = (schema: JsonObject, name: string): boolean =>
  name === PATH_NAME ||
  (name === 'pattern' && typeof schema['pattern'] === 'string' && FORMATS.has(schema['format'])) ||
  (name === 'propertyNames' && JSON.stringify(schema[name]) === '{"type":"string"}') ||
  (name === 'minimum' && schema[name] === Number.MIN_SAFE_INTEGER) ||
  (name === 'maximum' && schema[name] === Number.MAX_SAFE_INTEGER);

/** As zod's plugin calls the form in which a schema is sent. */
const INPUT = 'Input';

/**
 * The schemas, and what refers to them, with each schema once. Of one that is sent and answered in
 * the same form the sent one stays, which says what else may not be sent; where the two differ the
 * sent one keeps the name with `Input`, unless it is the only one that is used.
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

/** zod writes a schema out where it is given a description of its own: there too, its name. */
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

/** An answer may gain members: only what is sent is closed. */
const open = (schema: unknown): unknown =>
  mapped(schema, (object) => {
    const { additionalProperties, ...rest } = object;
    return additionalProperties === false ? rest : object;
  });

/** Those of the pairs that are sent and answered in the same form, with all they refer to. */
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

/** Names of all schemas that are referred to, through others too. */
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
