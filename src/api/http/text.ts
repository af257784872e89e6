/** The texts of request bodies and queries, with the contract's bounds. */
import { z } from 'zod';
import { isBlank } from '../../domain/blank.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import { FILTER_CHARACTERS_MAX, FILTER_VALUES_MAX } from './limits.ts';
import { FREE_FORM_DEPTH_MAX, FREE_FORM_MEMBERS_MAX } from '../../limits.ts';

/** In code points; the body parser checks whether the text can be stored. */
export const text = (charactersMax: number) => z.string().min(1).max(charactersMax);

/** Text that is not blank. */
export const spokenText = (charactersMax: number) =>
  text(charactersMax).refine((value) => !isBlank(value), 'must not be blank');

/** Internal ids are lower case everywhere, but accepted in any case. */
export const id = z.uuid().transform((value) => value.toLowerCase());

/** Years 1 to 9999: other years neither sort as text nor are accepted by Postgres. */
export const isComparable = (at: Instant): boolean => /^(?!0000)\d{4}-/.test(at);

/** With any offset; converted to UTC milliseconds, like all compared times. */
export const comparableInstant = z.iso
  .datetime({ offset: true })
  .transform((at) => new Date(at).toISOString())
  .refine(isComparable, 'must be in the years 1 to 9999');

/**
 * A caller's JSON object. Depth, bytes and members on all levels are checked where it is stored:
 * `keepableOf` in src/domain/tickets/free-form.ts.
 */
export const freeForm = z.record(z.string(), z.unknown()).meta({
  maxProperties: FREE_FORM_MEMBERS_MAX,
  description:
    `At most ${FREE_FORM_MEMBERS_MAX} members in total and ` +
    `${FREE_FORM_DEPTH_MAX} levels deep.`,
});

/**
 * In a schema's metadata: the description for OpenAPI, because zod sees only the text of a query.
 * It includes the default, which zod does not print for transforms.
 */
export const WRITTEN = 'x-written';

const written = (schema: Readonly<Record<string, unknown>>) => ({ [WRITTEN]: schema });

/** A whole number in a query, digits only; `1.0`, `+1` and `1e2` are refused. */
export const queryNumber = (min: number, max: number, fallback: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(min).max(max))
    .default(fallback)
    .meta(written({ type: 'integer', minimum: min, maximum: max, default: fallback }));

/** For a route without parameters, which is the default: a typo is a 400. */
export const NoQuery = z.strictObject({});

/** `true` or `false`, in this spelling. */
export const queryBoolean = z
  .enum(['true', 'false'])
  .transform((value) => value === 'true')
  .meta(written({ type: 'boolean' }));

/** As {@link queryBoolean}; absent, it is `fallback`. */
export const queryFlag = (fallback: boolean) =>
  queryBoolean.default(fallback).meta(written({ type: 'boolean', default: fallback }));

/** `a,b`: a list of allowed values. */
export const queryList = <T extends string>(
  item: z.ZodType<T, string>,
  { charactersMax = FILTER_CHARACTERS_MAX, valuesMax = FILTER_VALUES_MAX } = {},
) =>
  z
    .string()
    .max(charactersMax)
    .transform((value) => value.split(',').map((part) => part.trim()))
    .pipe(z.array(item).max(valuesMax))
    .meta(
      written({
        type: 'array',
        items: z.toJSONSchema(item, { io: 'input' }),
        maxItems: valuesMax,
      }),
    );
