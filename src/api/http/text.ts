/** The texts of request bodies and queries, as the contract bounds them. */
import { z } from 'zod';
import { FILTER_CHARACTERS_MAX, FILTER_VALUES_MAX } from './limits.ts';
import { FREE_FORM_DEPTH_MAX, FREE_FORM_MEMBERS_MAX } from '../../limits.ts';

/** Code points; control of what can be stored at all happens where bodies are parsed. */
export const text = (charactersMax: number) => z.string().min(1).max(charactersMax);

/** With something to read in it. */
export const spokenText = (charactersMax: number) =>
  text(charactersMax).refine((value) => value.trim() !== '', 'must not be blank');

/**
 * Any JSON object of the caller's. Its depth, its bytes and its members on all levels are bounded
 * where it is kept: `keepableOf` in src/domain/tickets/free-form.ts.
 */
export const freeForm = z.record(z.string(), z.unknown()).meta({
  maxProperties: FREE_FORM_MEMBERS_MAX,
  description: `At most ${FREE_FORM_MEMBERS_MAX} members in all and ${FREE_FORM_DEPTH_MAX} levels.`,
});

/**
 * In a schema's metadata: how OpenAPI describes it, where zod sees only the text of a query. With
 * the default in it: zod tells none of what it transforms.
 */
export const WRITTEN = 'x-written';

const written = (schema: Readonly<Record<string, unknown>>) => ({ [WRITTEN]: schema });

/** A whole number in a query, exactly as its digits say; `1.0`, `+1` and `1e2` are not. */
export const queryNumber = (min: number, max: number, fallback: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(min).max(max))
    .default(fallback)
    .meta(written({ type: 'integer', minimum: min, maximum: max, default: fallback }));

/** Of a route without parameters, which is every route that names none: a typo is a 400. */
export const NoQuery = z.strictObject({});

/** `true` or `false`, spelt so. */
export const queryBoolean = z
  .enum(['true', 'false'])
  .transform((value) => value === 'true')
  .meta(written({ type: 'boolean' }));

/** As {@link queryBoolean}; absent, it is `fallback`. */
export const queryFlag = (fallback: boolean) =>
  queryBoolean.default(fallback).meta(written({ type: 'boolean', default: fallback }));

/** `a,b`: each of them one of the allowed. */
export const queryList = <T extends string>(item: z.ZodType<T, string>) =>
  z
    .string()
    .max(FILTER_CHARACTERS_MAX)
    .transform((value) => value.split(',').map((part) => part.trim()))
    .pipe(z.array(item).max(FILTER_VALUES_MAX))
    .meta(
      written({
        type: 'array',
        items: z.toJSONSchema(item, { io: 'input' }),
        maxItems: FILTER_VALUES_MAX,
      }),
    );
