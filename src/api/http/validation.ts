/** Validation of route schemas: sizes first, then zod. contract.md section 1. */
import type { FastifySchemaCompiler } from 'fastify';
import { z } from 'zod';
import { ERRORS_NAMED_MAX } from '../../limits.ts';
import { EMPTY, isOptionalBody, unstorable } from './bodies.ts';
import { memberPath, precheck, UNKNOWN, type JsonSchema } from './schema-precheck.ts';
import { pathNamesOf } from './path-names.ts';
import { Problem, type FieldError } from './problems.ts';
import { NoQuery } from './text.ts';

/** A part of a request does not match its schema. */
export class SchemaMismatch extends Error {
  readonly errors: readonly FieldError[];

  constructor(errors: readonly FieldError[]) {
    super('does not fit its schema');
    this.name = 'SchemaMismatch';
    this.errors = errors;
  }
}

/**
 * Zod visits a whole value and lists all its errors, however many. The precheck therefore bounds
 * both the value's size and the number of errors first.
 */
export const schemaCheck = <Schema extends z.ZodType>(
  schema: Schema,
): ((
  value: unknown,
) => { readonly value: z.output<Schema> } | { readonly error: SchemaMismatch }) => {
  let bounds: JsonSchema | undefined;
  return (value) => {
    bounds ??= z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
    const { oversized, wrong } = precheck(bounds, value);
    if (oversized.length > 0) return { error: new SchemaMismatch(oversized) };
    if (wrong.length >= ERRORS_NAMED_MAX) return { error: new SchemaMismatch(wrong) };
    const read = schema.safeParse(value);
    return read.success
      ? { value: read.data }
      : { error: new SchemaMismatch(read.error.issues.flatMap(errorsOf)) };
  };
};

export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  if (httpPart === 'params') return pathCheck(schema);
  const fits = schemaCheck(schema);
  if (httpPart === 'body') return isOptionalBody(schema) ? absentAsEmpty(fits) : bodyCheck(fits);
  if (schema !== NoQuery) return fits;
  // Fast path of nearly every request to a route without parameters.
  return (query: object) => (Object.keys(query).length === 0 ? { value: query } : fits(query));
};

/** Fastify passes `null` for an absent body. */
const absentAsEmpty =
  (fits: ReturnType<typeof schemaCheck>): ReturnType<typeof schemaCheck> =>
  (body) =>
    fits(body === null ? {} : body);

/** Fastify validates a missing body as `null`, of which its schema would only say the type. */
const bodyCheck =
  (fits: ReturnType<typeof schemaCheck>): ReturnType<typeof schemaCheck> =>
  (body) => {
    const read = fits(body);
    return 'error' in read && body === null
      ? { error: new SchemaMismatch([{ path: '', message: EMPTY }]) }
      : read;
  };

/** A malformed id is a 404. In a path whose ids are well-formed, a malformed name is a 400. */
const pathCheck = (schema: z.ZodType) => {
  const fits = schemaCheck(schema);
  const names = pathNamesOf(schema);
  return (params: unknown) => {
    const read = fits(params);
    const unkept = 'error' in read ? null : unstorable(params, '');
    const errors = 'error' in read ? read.error.errors : unkept === null ? [] : [unkept];
    if (errors.length === 0) return read;
    const error = errors.every(({ path }) => names.has(path))
      ? new SchemaMismatch(errors)
      : new Problem('NOT_FOUND', 'No such thing.');
    return { error };
  };
};

/** The path of an unknown member is its own, not its object's. */
const errorsOf = (issue: z.core.$ZodIssue): readonly FieldError[] => {
  const path = pathOf(issue.path);
  return issue.code === 'unrecognized_keys'
    ? issue.keys.map((name) => ({ path: memberPath(path, name), message: UNKNOWN }))
    : [{ path, message: issue.message }];
};

/** `observations[1].pointId`. */
const pathOf = (parts: readonly PropertyKey[]): string =>
  parts.reduce<string>(
    (path, part) =>
      typeof part === 'number' ? `${path}[${part}]` : memberPath(path, String(part)),
    '',
  );
