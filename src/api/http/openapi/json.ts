import { isJsonObject } from '../../../engine/json-object.ts';

/** JSON as in the document. */
export interface JsonObject {
  readonly [name: string]: unknown;
}

/** Replaces every object of the document, the innermost first. */
export const mapped = (value: unknown, change: (object: JsonObject) => JsonObject): unknown => {
  if (Array.isArray(value)) return value.map((item) => mapped(item, change));
  if (!isJsonObject(value)) return value;
  return change(
    Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, mapped(member, change)]),
    ),
  );
};

const SCHEMAS = '#/components/schemas/';

/** The name of the component that a `$ref` names. */
export const refersTo = ({ $ref }: JsonObject): string | null =>
  typeof $ref === 'string' && $ref.startsWith(SCHEMAS) ? $ref.slice(SCHEMAS.length) : null;

export const refTo = (name: string) => `${SCHEMAS}${name}`;

/** Names of all components that `value` refers to directly. */
export const refsIn = (value: unknown): ReadonlySet<string> => {
  const found = new Set<string>();
  mapped(value, (object) => {
    const name = refersTo(object);
    if (name !== null) found.add(name);
    return object;
  });
  return found;
};
