/**
 * Checks whether a parsed value is a document of a building. Checking node by node bounds both the
 * work and the list of errors.
 */
import type { z } from 'zod';
import { MEMBER_NAMED_CHARACTERS_MAX, ERRORS_NAMED_MAX } from '../../limits.ts';
import { refuse, type Refusal } from '../../engine/aggregates/decider.ts';
import { isJsonObject } from '../../engine/json-object.ts';
import { buildingSchema, rootSchema, type ImportDocument, type NodeSchema } from './document.ts';

interface Place {
  readonly path: string;
  readonly message: string;
}

/**
 * The parsed value as a document, or a `VALIDATION_FAILED` that names the first {@link
 * ERRORS_NAMED_MAX} errors.
 */
export const documentOf = (parsed: unknown): ImportDocument | Refusal => {
  const errors: Place[] = [];
  check(rootSchema, parsed, '', errors);
  if (isJsonObject(parsed) && 'building' in parsed)
    checkNode(buildingSchema, parsed['building'], 'building', errors);
  if (errors.length === 0) return parsed as ImportDocument;
  const first = errors.map(({ path, message }) => `${path}: ${message}`).slice(0, 3);
  return refuse('VALIDATION_FAILED', first.join('; '), { errors });
};

/** Child nodes are checked even if the node itself is invalid. */
const checkNode = ({ own, holds }: NodeSchema, node: unknown, path: string, errors: Place[]) => {
  check(own, node, path, errors);
  if (!isJsonObject(node)) return;
  for (const [member, schema] of Object.entries(holds)) {
    const list = node[member];
    if (!Array.isArray(list)) continue;
    for (const [index, held] of list.entries()) {
      if (errors.length >= ERRORS_NAMED_MAX) return;
      checkNode(schema, held, `${path}.${member}[${index}]`, errors);
    }
  }
};

/** Adds the errors of the value to `errors`. */
const check = (schema: z.ZodType, value: unknown, path: string, errors: Place[]): void => {
  const outcome = schema.safeParse(value);
  if (outcome.success) return;
  const wrong = outcome.error.issues.flatMap((issue) => placesOf(issue, path));
  errors.push(...wrong.slice(0, ERRORS_NAMED_MAX - errors.length));
};

/** An unknown member is named itself, not its object. */
const placesOf = (issue: z.core.$ZodIssue, path: string): readonly Place[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => ({
        path: pathOf(path, [...issue.path, shortened(key)]),
        message: 'is unknown',
      }))
    : [{ path: pathOf(path, issue.path), message: issue.message }];

/** Limits the length of a member's name in an error. */
const shortened = (name: string): string =>
  name.length <= MEMBER_NAMED_CHARACTERS_MAX
    ? name
    : `${name.slice(0, MEMBER_NAMED_CHARACTERS_MAX).toWellFormed()}…`;

/** `building.storeys[0].spaces[2]`, as in the paths of problems. */
const pathOf = (from: string, steps: readonly PropertyKey[]): string =>
  steps
    .reduce<string>(
      (path, step) => path + (typeof step === 'number' ? `[${step}]` : `.${String(step)}`),
      from,
    )
    .replace(/^\./, '');
