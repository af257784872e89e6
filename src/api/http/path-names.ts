/** Slugs and other names in paths. contract.md section 1. */
import { z } from 'zod';

/** In a path parameter's metadata: marks a name. */
export const PATH_NAME = 'x-path-name';

/** A malformed name is a 400 with its rule; any other path parameter is an id, and then a 404. */
export const pathName = (schema: z.ZodString): z.ZodString => schema.meta({ [PATH_NAME]: true });

/** The path parameters of a route that are names. */
export const pathNamesOf = (params: z.ZodType): ReadonlySet<string> => {
  const parameters = params instanceof z.ZodObject ? Object.entries<z.ZodType>(params.shape) : [];
  const names = parameters.filter(([, schema]) => schema.meta()?.[PATH_NAME] === true);
  return new Set(names.map(([name]) => name));
};
