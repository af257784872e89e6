/** The members `field.<key>` of a query, which no schema can list. contract.md section 5. */
import { z } from 'zod';
import {
  FIELD_FILTER,
  FIELD_FILTER_FORM,
  type FieldFilters,
} from '../../domain/service-desk/field-filters.ts';
import { OPTION_VALUE_CHARACTERS_MAX } from '../../domain/service-desk/limits.ts';
import { queryList, text, WRITTEN } from '../http/text.ts';
import { FIELD_FILTERS_MAX } from './limits.ts';

// No type: in generated clients, the type of further members must also hold for listed members.
const answers = queryList(text(OPTION_VALUE_CHARACTERS_MAX)).meta({ [WRITTEN]: {} });

const description =
  'Filters by the answer to a form field, `field.<key>`, of kind choice, choices or ' +
  'flag (`true`, `false`). Comma-separated values match any of them. At most ' +
  `${FIELD_FILTERS_MAX} fields, all of which must match. A key that is no longer in ` +
  'any form matches tickets that still have an answer to it.';

type Members<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;

/** A strict object of a query with filters by fields, which are gathered in `fields`. */
export const withFieldFilters = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z
    .object(shape)
    .catchall(answers)
    .meta({ description, maxProperties: Object.keys(shape).length + FIELD_FILTERS_MAX })
    .transform((given, context): Members<Shape> & { readonly fields?: FieldFilters } => {
      const all = Object.entries<unknown>(given);
      const others = all.filter(([name]) => !Object.hasOwn(shape, name));
      const unknown = others.map(([name]) => name).filter((name) => !FIELD_FILTER_FORM.test(name));
      if (unknown.length > 0)
        context.issues.push({ code: 'unrecognized_keys', keys: unknown, input: given });
      const [first] = others.slice(FIELD_FILTERS_MAX);
      if (first) {
        const message = `exceeds the limit of ${FIELD_FILTERS_MAX} form-field filters`;
        context.addIssue({ code: 'custom', path: [first[0]], message });
      }
      const fields = others.map(([name, values]) => [name.slice(FIELD_FILTER.length), values]);
      const members = Object.fromEntries(all.filter(([name]) => Object.hasOwn(shape, name)));
      return {
        ...(members as Members<Shape>),
        ...(fields.length > 0 && { fields: Object.fromEntries(fields) as FieldFilters }),
      };
    });
