/** Each problem as its own schema, so that a client knows the members of each code. */
import { z } from 'zod';
import { problems, type ProblemCode, type ProblemKind } from '../problems.ts';
import { mapped, refTo, type JsonObject } from './json.ts';

/** `TRANSITION_NOT_ALLOWED` → `TransitionNotAllowed`. */
export const pascalCase = (code: ProblemCode): string =>
  code
    .split('_')
    .map((word) => word[0]! + word.slice(1).toLowerCase())
    .join('');

export const problemSchemaName = (code: ProblemCode): string => `${pascalCase(code)}Problem`;

/** Statuses that a sandbox host answers in place of the problem's own. */
const STATUS_AT_SANDBOXES: Partial<Record<ProblemCode, number>> = { SANDBOX_NOT_READY: 503 };

export const statusOf = (code: ProblemCode, isSandbox: boolean): number =>
  (isSandbox && STATUS_AT_SANDBOXES[code]) || problems[code].status;

/** By name: the common members, and one schema for each code. */
export const problemSchemas = (isSandbox: boolean): JsonObject => ({
  Problem: common,
  ...Object.fromEntries(
    (Object.keys(problems) as ProblemCode[]).map((code) => [
      problemSchemaName(code),
      schemaOf(code, { ...problems[code], status: statusOf(code, isSandbox) }),
    ]),
  ),
});

const common = {
  type: 'object',
  description: 'RFC 9457. The `code` determines the additional members.',
  required: ['type', 'title', 'status', 'code', 'requestId'],
  properties: {
    type: {
      type: 'string',
      format: 'uri-reference',
      description: 'Path of the page on this server that explains the code.',
    },
    title: { type: 'string' },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: { type: 'string', description: 'An explanation for people; the wording can change.' },
    code: { type: 'string', enum: Object.keys(problems), description: 'Stable, for programs.' },
    requestId: { type: 'string', description: 'The same as the header `X-Request-Id`.' },
  },
};

const schemaOf = (code: ProblemCode, { status, title, members }: ProblemKind): JsonObject => {
  const { properties = {}, required = [] } = z.toJSONSchema(z.object(members ?? {}));
  const extra = mapped(properties, referred) as JsonObject;
  return {
    description: title,
    allOf: [
      { $ref: '#/components/schemas/Problem' },
      {
        type: 'object',
        required: ['status', 'code', ...required],
        properties: { status: { const: status }, code: { const: code }, ...extra },
      },
    ],
  };
};

const DEFINITIONS = '#/$defs/';

/** A named schema becomes a component of the document, not of this one schema. */
const referred = (object: JsonObject): JsonObject => {
  const { $ref } = object;
  return typeof $ref === 'string' && $ref.startsWith(DEFINITIONS)
    ? { ...object, $ref: refTo($ref.slice(DEFINITIONS.length)) }
    : object;
};
