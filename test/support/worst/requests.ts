/** Every route that a server says it has, asked for the worst that its schemas allow. */
import { randomUUID } from 'node:crypto';
import { permissionTable } from '../../../src/identity/permissions.ts';
import { worstBodies, type Resolve, type Schema } from './bodies.ts';

export interface WorstRequest {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly role: string;
  readonly body?: () => string;
}

/** What there is of the attacking organisation, for paths and bodies that must name something. */
export interface Known {
  readonly buildingId: string;
  readonly ticketId: string;
}

interface Parameter extends Schema {
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
}

interface Operation {
  readonly description?: string;
  readonly parameters?: readonly Schema[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: Schema }>> };
}

interface Document extends Schema {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Schema;
}

export const worstRequests = (document: Document, known: Known): readonly WorstRequest[] => {
  const resolve: Resolve = (schema) => {
    const { $ref } = schema;
    if (typeof $ref !== 'string') return schema;
    const steps = $ref.slice(2).split('/');
    return resolve(steps.reduce<Schema>((at, step) => at[step] as Schema, document));
  };
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      ofOperation(path, method.toUpperCase(), operation, resolve, known),
    ),
  );
};

const ofOperation = (
  path: string,
  method: string,
  operation: Operation,
  resolve: Resolve,
  known: Known,
): readonly WorstRequest[] => {
  const parameters = (operation.parameters ?? []).map(resolve) as Parameter[];
  const place = pathOf(path, known);
  const role = roleFor(operation);
  const request = (name: string, query = '', body?: () => string): WorstRequest => ({
    name: `${method} ${path}, ${name}`,
    method,
    path: place + query,
    role,
    ...(body === undefined ? {} : { body }),
  });
  const schema = operation.requestBody?.content['application/json']?.schema;
  const bodies = schema ? worstBodies(schema, resolve, named(known)) : [];
  return [
    ...bodies.map(({ name, json }) => request(name, '', json)),
    ...(schema ? [] : queriesOf(parameters, resolve).map(([name, query]) => request(name, query))),
  ];
};

/** The role that a route needs, as its description says. */
const roleFor = ({ description = '' }: Operation): string => {
  const permission = /Needs the permission `([^`]+)`/.exec(description)?.[1];
  return permissionTable[permission as keyof typeof permissionTable]?.[0] ?? 'viewer';
};

const pathOf = (path: string, { buildingId, ticketId }: Known): string =>
  path
    .replace('{buildingId}', buildingId)
    .replace('/requests/{id}', `/requests/${ticketId}`)
    .replace('{layerSlug}', 'occupancy')
    .replace('{name}', 'ticket-list')
    .replace('{stream}', 'ticket-x')
    .replaceAll(/\{\w+\}/g, () => randomUUID());

/** Ids of what there is, where the body has members for them; the location contradicts nothing. */
const named =
  ({ buildingId }: Known) =>
  (body: unknown): unknown => {
    if (typeof body !== 'object' || body === null) return body;
    const { spaceId: _, storeyId: __, elementId: ___, ...members } = body as Schema;
    const inner =
      members['ticket'] === undefined
        ? {}
        : { ticket: named({ buildingId, ticketId: '' })(members['ticket']) };
    const own = members['buildingId'] === undefined ? {} : { buildingId };
    return Array.isArray(body) ? body : { ...members, ...inner, ...own };
  };

const queriesOf = (
  parameters: readonly Parameter[],
  resolve: Resolve,
): readonly (readonly [string, string])[] => {
  const own = parameters.filter((parameter) => parameter.in === 'query');
  const largest = own.flatMap(({ name, schema }) => {
    const { maximum } = resolve(schema);
    return maximum === undefined || name === 'wait' ? [] : [`${name}=${Number(maximum)}`];
  });
  const texts = own.flatMap(({ name, schema }) => {
    const { type, maxLength, format } = resolve(schema);
    if (type !== 'string' || format !== undefined) return [];
    const count = Math.min(Number(maxLength ?? 1_000), 2_000);
    return [[`the longest ${name}`, `?${name}=${'a'.repeat(count)}`] as const];
  });
  return [
    ['nothing', ''],
    ...(largest.length === 0 ? [] : [['the largest page', `?${largest.join('&')}`] as const]),
    ...own.flatMap(({ name }) =>
      name === 'limit' ? [['a full page', `?limit=${limitOf(own, resolve)}`] as const] : [],
    ),
    ...texts,
    ['many parameters', `?${Array.from({ length: 1_000 }, (_, at) => `p${at}=1`).join('&')}`],
    ['one of 10,000 characters', `?p=${'a'.repeat(10_000)}`],
  ];
};

const limitOf = (parameters: readonly Parameter[], resolve: Resolve): number => {
  const limit = parameters.find(({ name }) => name === 'limit');
  return Number(limit ? (resolve(limit.schema)['maximum'] ?? 1) : 1);
};
