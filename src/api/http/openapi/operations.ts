/** Completes an operation generated from schemas with the route's other facts. */
import { isJsonObject } from '../../../engine/json-object.ts';
import type { Permission } from '../../../identity/permissions.ts';
import { opensSome } from '../../../identity/keys/scopes.ts';
import { IMPORT_BODY_BYTES_MAX } from '../../../limits.ts';
import {
  conventions,
  requestHeaders,
  responseHeaders,
  type Convention,
  type ConventionName,
  type RequestHeader,
  type ResponseHeader,
} from '../conventions.ts';
import { FILTER_CHARACTERS_MAX } from '../limits.ts';
import { isTemporary, problems, type ProblemCode } from '../problems.ts';
import { mapped, refTo, type JsonObject } from './json.ts';
import { pascalCase, problemSchemaName, statusOf } from './problem-schemas.ts';

/** Facts about a route that its schemas do not have. */
export interface RouteFacts {
  readonly permission: Permission | 'authenticated' | 'public';
  /** Opens the route to requesters; `null`: requesters have no access. */
  readonly ownPermission: Permission | null;
  /** API keys are refused. */
  readonly portal: boolean;
  readonly person: boolean;
  /** Only the cookie of a browser session is accepted. */
  readonly session: boolean;
  /** Neither GET nor HEAD. */
  readonly changes: boolean;
  readonly conventions: readonly ConventionName[];
  readonly problems: readonly ProblemCode[];
  /** Media type → description of the body. */
  readonly files: Readonly<Record<string, string>>;
  /** JSON schema of the form that is accepted instead. */
  readonly form?: JsonObject;
  readonly takesPath: boolean;
  readonly hasOptionalBody: boolean;
  /** Query members whose names are the caller's, and how many; `null`: there are none. */
  readonly further: { readonly description: string; readonly max: number } | null;
  /** Served at the addresses of sandboxes. */
  readonly isSandbox: boolean;
}

export const completed = (operation: JsonObject, facts: RouteFacts): JsonObject => {
  const { requestBody, responses, description, parameters, ...rest } = operation;
  const applied = facts.conventions.map((name): Convention => conventions[name]);
  const takes = applied.flatMap((convention) => convention.takes ?? []);
  const gives = applied.flatMap((convention) => convention.gives ?? []);
  return {
    ...rest,
    ...described(description, facts),
    security: securityOf(facts),
    parameters: [
      ...(Array.isArray(parameters) ? parameters.map(parameterOf) : []),
      ...(facts.further ? [furtherOf(facts.further)] : []),
      ...(['X-Request-Id', ...takes] satisfies RequestHeader[]).map((name) => ({
        $ref: `#/components/parameters/${componentOf(name)}`,
      })),
    ],
    ...(isJsonObject(requestBody) ? { requestBody: bodyOf(requestBody, facts) } : {}),
    responses: responsesOf(
      {
        ...(responses as JsonObject),
        ...(applied.some(({ unchanged }) => unchanged) ? { '304': UNCHANGED } : {}),
      },
      gives,
      refusalsOf(facts, applied),
    ),
  };
};

/** `Idempotency-Key` → `IdempotencyKey`: the names of components have no hyphens by custom. */
const componentOf = (header: string): string => header.replaceAll('-', '');

/** The components that operations refer to. */
export const headerComponents = () => ({
  parameters: Object.fromEntries(
    Object.entries(requestHeaders).map(([name, { description, schema }]) => [
      componentOf(name),
      { name, in: 'header', required: false, description, schema },
    ]),
  ),
  headers: Object.fromEntries(
    Object.entries(responseHeaders).map(([name, header]) => [componentOf(name), header]),
  ),
});

const described = (description: unknown, { permission, ownPermission, person }: RouteFacts) => {
  const who = person ? ', and a signed-in person' : '';
  const isOther = ownPermission !== null && ownPermission !== permission;
  const own = isOther ? `, or \`${ownPermission}\` for requesters` : '';
  const needs = isOpen(permission) ? [] : [`Needs the permission \`${permission}\`${own}${who}.`];
  const parts = [...(typeof description === 'string' ? [description] : []), ...needs];
  return parts.length === 0 ? null : { description: parts.join('\n\n') };
};

/** Any credential, or none, is sufficient. */
const isOpen = (permission: RouteFacts['permission']) =>
  permission === 'public' || permission === 'authenticated';

const securityOf = ({ permission, portal, session: cookie }: RouteFacts): readonly JsonObject[] => {
  if (permission === 'public') return [];
  if (cookie) return [{ browserSession: [] }];
  const session = { portalSession: [] };
  return portal || (permission !== 'authenticated' && !opensSome(permission))
    ? [session]
    : [session, { apiKey: [] }];
};

/** Lists in a query are separated by commas. */
const parameterOf = (parameter: unknown): unknown => {
  if (!isJsonObject(parameter) || !isJsonObject(parameter['schema'])) return parameter;
  const isList = parameter['in'] === 'query' && parameter['schema']['type'] === 'array';
  const { required, schema: described, ...rest } = parameter;
  const { examples, ...schema } = described;
  return {
    ...(Array.isArray(examples) ? { example: examples[0] as unknown } : {}),
    schema,
    ...rest,
    required: required === true,
    ...(isList ? { style: 'form', explode: false } : {}),
  };
};

/** Each member is a parameter by its own name, so the name of this one is not sent. */
const furtherOf = ({ description, max }: NonNullable<RouteFacts['further']>): JsonObject => ({
  schema: {
    type: 'object',
    maxProperties: max,
    additionalProperties: { type: 'string', maxLength: FILTER_CHARACTERS_MAX },
  },
  in: 'query',
  name: 'fields',
  description,
  required: false,
  style: 'form',
  explode: true,
});

const bodyOf = (body: JsonObject, { files, form, hasOptionalBody }: RouteFacts): JsonObject => {
  const json = body['content'] as JsonObject;
  const others = Object.entries(files).map(([type, description]) => [
    type,
    { schema: { type: 'string', maxLength: IMPORT_BODY_BYTES_MAX, description } },
  ]);
  const forms = form ? { 'multipart/form-data': { schema: form } } : {};
  const content = { ...json, ...Object.fromEntries(others), ...forms };
  return { ...body, content, required: !hasOptionalBody };
};

/** The codes of one status that a route may refuse with. */
interface Refusal {
  readonly status: number;
  /** In the order of precedence. */
  readonly codes: readonly ProblemCode[];
}

const refusalsOf = (facts: RouteFacts, applied: readonly Convention[]): readonly Refusal[] => {
  const asked = facts.permission !== 'public';
  const may = new Set<ProblemCode>([
    'HEADERS_TOO_LARGE',
    ...(asked ? OF_ALL : []),
    ...(asked && facts.isSandbox ? OF_SANDBOXES : []),
    ...(asked && facts.changes ? (['CROSS_SITE'] as const) : []),
    ...(isOpen(facts.permission) ? [] : (['PERMISSION_DENIED'] as const)),
    ...(facts.person || facts.ownPermission ? (['PERSON_REQUIRED'] as const) : []),
    ...(facts.ownPermission ? (['REQUESTERS_OFF'] as const) : []),
    ...(facts.takesPath ? (['NOT_FOUND'] as const) : []),
    ...(facts.changes ? OF_BODIES : []),
    ...applied.flatMap((convention) => convention.problems ?? []),
    ...facts.problems,
  ]);
  const codes = (Object.keys(problems) as ProblemCode[]).filter((code) => may.has(code));
  const byStatus = Map.groupBy(codes, (code) => statusOf(code, facts.isSandbox));
  return [...byStatus].map(([status, ofStatus]) => ({ status, codes: ofStatus }));
};

/** For every route with a caller: any key can be presented to any of them. */
const OF_ALL = [
  'UNAUTHENTICATED',
  'KEY_EXPIRED',
  'KEY_REVOKED',
  'SCOPE_DENIED',
  'ORGANISATION_REQUIRED',
  'VALIDATION_FAILED',
  'UNAVAILABLE',
  'INTERNAL',
] as const satisfies readonly ProblemCode[];

const OF_BODIES = [
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'RATE_LIMITED',
] as const satisfies readonly ProblemCode[];

/**
 * Credentials without access to the sandbox; a sandbox that is not ready, or has used its share of
 * the process.
 */
const OF_SANDBOXES = [
  'NOT_FOUND',
  'SANDBOX_NOT_READY',
  'RATE_LIMITED',
] as const satisfies readonly ProblemCode[];

const responsesOf = (
  responses: JsonObject,
  gives: readonly ResponseHeader[],
  refusals: readonly Refusal[],
): JsonObject =>
  Object.fromEntries(
    [
      ...Object.entries(responses).map(([status, response]): [string, unknown] => [
        status,
        successOf(status, response as JsonObject, status < '400' ? gives : []),
      ]),
      ...refusals.map((refusal): [string, unknown] => [
        String(refusal.status),
        { [REFUSAL]: refusal },
      ]),
    ].toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );

/** Placeholder for a response until equal ones have become one component. */
const REFUSAL = 'x-refusal';

/** The paths with each kind of refusal as a component, by its possible codes. */
export const withRefusals = (
  paths: JsonObject,
): { readonly paths: JsonObject; readonly responses: JsonObject } => {
  const responses: Record<string, JsonObject> = {};
  const shared = mapped(paths, (object) => {
    const refusal = object[REFUSAL] as Refusal | undefined;
    if (refusal === undefined) return object;
    const name = refusal.codes.map(pascalCase).join('Or');
    responses[name] ??= refusalOf(refusal);
    return { $ref: `#/components/responses/${name}` };
  });
  return { paths: shared as JsonObject, responses };
};

const UNDESCRIBED = 'Default Response';

const UNCHANGED = { description: 'Not modified: the resource still matches `If-None-Match`.' };

const SUCCESS: Readonly<Record<string, string>> = {
  '200': 'Done.',
  '201': 'Created.',
  '202': 'Accepted; it continues in the background.',
  '204': 'Done.',
};

const successOf = (
  status: string,
  { description, ...response }: JsonObject,
  gives: readonly ResponseHeader[],
): JsonObject => ({
  description: description === UNDESCRIBED ? (SUCCESS[status] ?? 'Not ready.') : description,
  headers: headersOf([
    'X-Request-Id',
    ...gives,
    // A route may describe one that is no problem.
    ...(status === '503' ? (['Retry-After'] as const) : []),
  ]),
  ...response,
});

const refusalOf = ({ status, codes }: Refusal): JsonObject => {
  const schemas = codes.map((code) => ({ $ref: refTo(problemSchemaName(code)) }));
  return {
    description: codes.map((code) => `\`${code}\`: ${problems[code].title}.`).join('\n\n'),
    headers: headersOf([
      'X-Request-Id',
      ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
      ...(codes.some(isTemporary) ? (['Retry-After'] as const) : []),
    ]),
    content: {
      'application/problem+json': {
        schema: schemas.length === 1 ? schemas[0] : { oneOf: schemas },
      },
    },
  };
};

const headersOf = (names: readonly ResponseHeader[]): JsonObject =>
  Object.fromEntries(
    [...new Set(names)].map((name) => [
      name,
      { $ref: `#/components/headers/${componentOf(name)}` },
    ]),
  );
