import type { z } from 'zod';

export interface TolerantReading {
  readonly result: z.ZodSafeParseResult<unknown>;
  /** Members that the schema does not know were dropped. */
  readonly unknownMembers: boolean;
}

/**
 * Checks `value` as `schema` does, but for members of strict objects that it does not know: those
 * are dropped, at any depth. Only a value that has some is checked twice, so that events of this
 * release cost no more.
 */
export const readWith = (schema: z.ZodType, value: object): TolerantReading => {
  const result = schema.safeParse(value);
  if (result.success) return { result, unknownMembers: false };
  const issues = result.error.issues.filter(isUnknownMembers);
  if (issues.length < result.error.issues.length) return { result, unknownMembers: false };
  const cleaned = issues.reduce<unknown>(
    (rest, { path, keys }) => without(rest, path, new Set(keys)),
    value,
  );
  return { result: schema.safeParse(cleaned), unknownMembers: true };
};

type UnknownMembers = Extract<z.core.$ZodIssue, { code: 'unrecognized_keys' }>;

const isUnknownMembers = (issue: z.core.$ZodIssue): issue is UnknownMembers =>
  issue.code === 'unrecognized_keys';

/** A copy without the members `keys` of the object at `path`; all else is shared with `value`. */
const without = (
  value: unknown,
  [first, ...rest]: readonly PropertyKey[],
  keys: ReadonlySet<string>,
): unknown => {
  if (first === undefined)
    return Object.fromEntries(Object.entries(value as object).filter(([key]) => !keys.has(key)));
  const copy = Array.isArray(value) ? [...value] : { ...(value as object) };
  const members = copy as Record<PropertyKey, unknown>;
  members[first] = without(members[first], rest, keys);
  return copy;
};
