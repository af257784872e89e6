/** Every value in a request has a maximum in its schema. contract.md section 1. */
import { describe, expect, it } from 'vitest';
import { text } from '../../support/sources.ts';

interface Schema {
  readonly [keyword: string]: unknown;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
}

interface Operation {
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: Schema }>> };
}

const document = JSON.parse(text('openapi.json')) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
};

/** Headers are components: the last step of the reference names one. */
const resolved = (parameter: Parameter | { readonly $ref: string }): Parameter =>
  '$ref' in parameter
    ? document.components.parameters[parameter.$ref.split('/').at(-1)!]!
    : parameter;

const boundedFormats = ['uuid', 'date', 'date-time', 'uri'];

/** Without a quantifier that has no end, outside of escapes and sets of characters. */
const isBounded = (pattern: string): boolean =>
  /^\^.*\$$/.test(pattern) &&
  !/[*+]|\{\d+,\}/.test(pattern.replaceAll(/\\./g, 'x').replaceAll(/\[[^\]]*\]/g, 'x'));

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The places of a schema at which there may be any amount. */
const endless = (schema: Schema, path: string, seen: readonly string[] = []): string[] => {
  const inside = (part: unknown, at: string) => (isObject(part) ? endless(part, at, seen) : []);
  const { $ref, type } = schema;
  if (typeof $ref === 'string') {
    const name = $ref.slice('#/components/schemas/'.length);
    return seen.includes(name)
      ? []
      : endless(document.components.schemas[name] ?? {}, path, [...seen, name]);
  }
  const alternatives = [schema['anyOf'], schema['oneOf'], schema['allOf']].flat().filter(isObject);
  if (alternatives.length > 0) return alternatives.flatMap((part) => inside(part, path));
  if (schema['enum'] ?? schema['const']) return [];
  const types = [type].flat();
  const found: string[] = [];
  if (types.includes('string')) {
    const { maxLength, pattern, format } = schema;
    const holds =
      maxLength !== undefined ||
      (typeof format === 'string' && boundedFormats.includes(format)) ||
      (typeof pattern === 'string' && isBounded(pattern));
    if (!holds) found.push(path);
  }
  if (types.includes('array')) {
    if (schema['maxItems'] === undefined) found.push(`${path}[]`);
    found.push(...inside(schema['items'], `${path}[]`));
  }
  if (types.includes('object')) {
    const others = schema['additionalProperties'];
    const names = schema['propertyNames'];
    const isListed = isObject(names) && Array.isArray(names['enum']);
    if (others !== false && schema['maxProperties'] === undefined && !isListed) {
      found.push(`${path}{}`);
    }
    // The contents of a free-form object are bounded as a whole: bytes, members and levels.
    const isFreeForm = isObject(others) && Object.keys(others).length === 0;
    if (!isFreeForm) found.push(...inside(others, `${path}{}`));
    const properties = isObject(schema['properties']) ? schema['properties'] : {};
    for (const [name, member] of Object.entries(properties)) {
      found.push(...inside(member, `${path}.${name}`));
    }
  }
  if (type === undefined) found.push(`${path}?`);
  return found;
};

describe('every value in a request', () => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );

  it.each(operations)('has a maximum everywhere: $name', ({ operation }) => {
    const { parameters = [], requestBody } = operation;
    const places = [
      ...parameters
        .map(resolved)
        .flatMap(({ name, in: part, schema }) => endless(schema, `${part} ${name}`)),
      // A file is no JSON: its bytes are bounded, and its reader bounds its contents.
      ...Object.entries(requestBody?.content ?? {})
        .filter(([type]) => type.endsWith('json') && !type.endsWith('ndjson'))
        .flatMap(([, { schema }]) => endless(schema, 'body')),
    ];
    expect(places).toEqual([]);
  });

  it('is covered by a check that finds unbounded schemas', () => {
    expect(endless({ type: 'string' }, 'a')).toEqual(['a']);
    expect(endless({ type: 'string', pattern: '^a+$' }, 'a')).toEqual(['a']);
    expect(endless({ type: ['array', 'null'], items: { type: 'string' } }, 'a')).toEqual([
      'a[]',
      'a[]',
    ]);
    expect(endless({ type: 'object', properties: { b: {} } }, 'a')).toEqual(['a{}', 'a.b?']);
    expect(endless({ anyOf: [{ type: 'null' }, { type: 'string' }] }, 'a')).toEqual(['a']);
  });
});
