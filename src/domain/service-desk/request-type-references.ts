/** Request types that other parts of a configuration name and that have no entry. */
import { ticketDefaults } from '../tickets/draft.ts';
import type { Configuration } from './configuration.ts';
import { valuesOf } from './matching.ts';

/** Request types that one warning lists. */
const WARNED_TYPES_MAX = 10;

/**
 * In the order of the document; none while a desk has no entries. Tickets that name no request type
 * have the default one, so it needs no entry.
 */
export const missingRequestTypes = ({
  requestTypes = [],
  workflows,
  slaPolicies,
  routingRules,
}: Configuration): readonly string[] => {
  const defined = requestTypes.map(({ requestType }) => requestType);
  if (defined.length === 0) return [];
  const valid = new Set([...defined, ticketDefaults.requestType]);
  const warningsOf = (what: string, named: readonly string[]): readonly string[] => {
    const missing = named.filter((slug) => !valid.has(slug));
    if (missing.length === 0) return [];
    const some = missing.slice(0, WARNED_TYPES_MAX).map((slug) => {
      const meant = defined.find((requestType) => isAlmost(requestType, slug));
      return meant === undefined ? slug : `${slug} (did you mean ${meant}?)`;
    });
    const others = missing.length - some.length;
    const more = others > 0 ? ` and ${others} more` : '';
    return [`${what} names a request type that has no entry: ${some.join(', ')}${more}.`];
  };
  const typesOf = (match: Configuration['routingRules'][number]['match'] | undefined) =>
    match?.requestType === undefined ? [] : valuesOf(match.requestType);
  return [
    ...slaPolicies.flatMap(({ name, match }) => warningsOf(`Policy "${name}"`, typesOf(match))),
    ...routingRules.flatMap(({ ruleId, match }) => warningsOf(`Rule "${ruleId}"`, typesOf(match))),
    ...workflows.flatMap(({ requestType }) => warningsOf('A workflow', [requestType])),
  ];
};

/** Whether the edit distance is 1: an insertion, deletion, substitution or transposition. */
const isAlmost = (a: string, b: string): boolean => {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let end = 0;
  const shorter = Math.min(a.length, b.length) - start;
  while (end < shorter && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && left[0] === right[1] && left[1] === right[0];
};
