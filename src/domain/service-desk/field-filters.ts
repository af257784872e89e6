/** Filters of a list by the answers of forms: `field.<key>`. contract.md section 5. */
import { ERRORS_NAMED_MAX } from '../../limits.ts';
import type { FormProblem } from './form-problems.ts';
import { FIELD_KEY_FORM, type FieldKind, type WithRequestTypes } from './request-types.ts';

/** Precedes the key of a field in the name of a filter. */
export const FIELD_FILTER = 'field.';

/** The name of a filter by field: `field.leakSize`. */
export const FIELD_FILTER_FORM = new RegExp(`^field\\.${FIELD_KEY_FORM.source.slice(1)}`);

/** By key of a field: the ticket must have one of these answers. */
export type FieldFilters = Readonly<Record<string, readonly string[]>>;

const filtered: ReadonlySet<FieldKind> = new Set(['choice', 'choices', 'flag']);

/**
 * The filters by fields that have no options. A key that no form has is no problem: a field may
 * have been removed from a form while tickets keep its answers.
 */
export const fieldFilterProblems = (
  { requestTypes = [] }: WithRequestTypes,
  filters: FieldFilters,
): readonly FormProblem[] => {
  const fields = requestTypes.flatMap((type) => type.fields);
  return Object.keys(filters)
    .flatMap((key) => {
      const kinds = new Set(fields.filter((field) => field.key === key).map(({ kind }) => kind));
      if (kinds.size === 0 || [...kinds].some((kind) => filtered.has(kind))) return [];
      const kind = [...kinds].join(' or ');
      const message = `is of kind ${kind}: filters are for choice, choices and flag`;
      return [{ path: `${FIELD_FILTER}${key}`, message }];
    })
    .slice(0, ERRORS_NAMED_MAX);
};
