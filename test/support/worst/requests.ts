/** The most expensive requests that the schemas of every route allow. */
import { randomUUID } from 'node:crypto';
import { ATTACHMENT_BYTES_MAX } from '../../../src/domain/tickets/limits.ts';
import { BODY_BYTES_MAX } from '../../../src/limits.ts';
import { permissionTable } from '../../../src/identity/permissions.ts';
import { isObject, worstBodies, type Resolve, type Schema } from './bodies.ts';
import { FORM_TYPE, formWithFile } from './files.ts';
import type { Answer, MeasuredServer } from './server.ts';
import { takenBody, type Known } from './taken.ts';

export interface WorstRequest {
  readonly name: string;
  /** Method and path as in the document; `null` for requests that no schema describes. */
  readonly operation: string | null;
  readonly method: string;
  readonly path: string;
  readonly role: string;
  readonly body?: () => string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** Instead of the server's own. */
  readonly host?: string;
  /** Instead of one request: with a token of that role. */
  readonly act?: (server: MeasuredServer, token: string) => Promise<Answer>;
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

export interface Document extends Schema {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Schema;
}

/** The share of the requests that is sent. */
export interface Share {
  /**
   * Sends every request that does not depend on the schema to every route. Otherwise one per
   * route, and every second variant of a large schema, which two routes accept; of imports and
   * sandboxes, which start threads and databases, every fourth.
   */
  readonly everyFlood: boolean;
  /** Size of imports and of invalid files. */
  readonly importBytes: number;
}

export const worstRequests = (
  document: Document,
  known: Known,
  { everyFlood, importBytes }: Share,
): readonly WorstRequest[] => {
  const resolve: Resolve = (schema) => {
    const { $ref } = schema;
    if (typeof $ref !== 'string') return schema;
    const steps = $ref.slice(2).split('/');
    return resolve(steps.reduce<Schema>((at, step) => at[step] as Schema, document));
  };
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  return operations.flatMap(({ path, method, operation }, at) => {
    const all = ofOperation(path, method.toUpperCase(), operation, resolve, known, importBytes);
    if (everyFlood) return all;
    const floods = all.filter(({ isFlood }) => isFlood);
    const others = all.filter(({ isFlood }) => !isFlood);
    const one = /\/(import|sandboxes)$/.test(path) ? 4 : others.length > MANY ? 2 : 1;
    return [
      ...others.filter((_, index) => index === 0 || index % one === at % one),
      ...floods.slice(at % floods.length).slice(0, 1),
    ];
  });
};

const MANY = 25;

const fileOf = (bytes: number) => ({
  body: () => formWithFile(Math.min(bytes, ATTACHMENT_BYTES_MAX)),
  headers: { 'content-type': FORM_TYPE },
});

const ofOperation = (
  path: string,
  method: string,
  operation: Operation,
  resolve: Resolve,
  known: Known,
  importBytes: number,
): readonly (WorstRequest & { readonly isFlood: boolean })[] => {
  const name = `${method} ${path}`;
  const parameters = (operation.parameters ?? []).map(resolve) as Parameter[];
  const role = roleFor(operation);
  const request = (what: string, at: number, query: string, more: Partial<WorstRequest> = {}) => ({
    name: `${name}, ${what}`,
    operation: name,
    method,
    path: pathOf(path, method, known, at) + query,
    role,
    isFlood: false,
    ...more,
  });
  const content = operation.requestBody?.content ?? {};
  // Of what is sent line by line, one line.
  const type = ['application/json', 'application/x-ndjson'].find((one) => one in content);
  // Forms of a route that takes JSON too are among the requests of the desk.
  const isForm = type === undefined && 'multipart/form-data' in content;
  const file = isForm ? fileOf(importBytes) : null;
  const schema = type === undefined ? undefined : content[type]!.schema;
  const sentAs = type === undefined ? {} : { 'content-type': type };
  const bytesMax = path.endsWith('/import') ? importBytes : BODY_BYTES_MAX;
  const bodies = schema ? worstBodies(schema, resolve, takenBody(name, known), bytesMax) : [];
  return [
    ...(file ? [request('a large file', 0, '', file)] : []),
    ...bodies.map(({ name: what, json, isFlood }, at) => ({
      ...request(what, at, '', { body: json, headers: sentAs }),
      isFlood,
    })),
    ...(schema ? [] : queriesOf(name, parameters, resolve, known)).map(
      ({ what, query, isFlood }, at) => ({
        ...request(what, at, query),
        isFlood,
      }),
    ),
    request('the longest headers', bodies.length, queryOf(name, known), {
      ...file,
      headers: { ...sentAs, ...file?.headers, ...headersOf(parameters, resolve) },
      ...(bodies[0] ? { body: bodies[0].json } : {}),
    }),
  ];
};

/** The role that a route needs, as its description says. */
const roleFor = ({ description = '' }: Operation): string => {
  const permission = /Needs the permission `([^`]+)`/.exec(description)?.[1];
  return permissionTable[permission as keyof typeof permissionTable]?.[0] ?? 'viewer';
};

/** Deletes other resources than those of the later requests. */
const pathOf = (path: string, method: string, known: Known, at: number): string => {
  const { buildingId, pointId, ticketId, ticketIds, keyId, ruleId, faultId, webhookId, viewId } =
    known;
  const { sandboxId, snapshotId } = known;
  const isOfPlan = path.includes('{storeyId}') || path.includes('{spaceId}');
  const isMoved = path.endsWith('/transition');
  const ticket = isMoved ? ticketIds[at % ticketIds.length]! : ticketId;
  return path
    .replace('{buildingId}', isOfPlan ? known.drawnBuildingId : buildingId)
    .replace('{storeyId}', known.drawnStoreyId)
    .replace('{spaceId}', known.drawnSpaceId)
    .replace('{pointId}', pointId)
    .replace('{elementId}', known.elementId)
    .replace('{attachmentId}', known.attachmentIds[method === 'DELETE' ? 1 : 0])
    .replace('/requests/{id}', `/requests/${ticket}`)
    .replace('/sandboxes/{id}', `/sandboxes/${sandboxId ?? 'sbx_0000000000000000'}`)
    .replace('{snapshotId}', snapshotId ?? 'snp_00000000000000000000')
    .replace('{keyId}', keyId)
    .replace('{ruleId}', ruleId)
    .replace('{faultId}', faultId)
    .replace('{webhookId}', webhookId)
    .replace('{viewId}', viewId)
    .replace('{erasureId}', known.erasureId)
    .replace('{layerSlug}', 'occupancy')
    .replace('/projections/{name}', '/projections/ticket-list')
    .replace('/processes/{name}', '/processes/ticket-relocation')
    .replace('{stream}', 'ticket-x')
    .replaceAll(/\{\w+\}/g, () => randomUUID());
};

/** Without which a route answers nothing. */
const queryOf = (operation: string, { buildingId }: Known): string =>
  ({
    'GET /api/service-desk/report/place': `?building=${buildingId}`,
    'GET /api/service-desk/requests/lookup': '?key=m0&value=1',
    'GET /api/v1/buildings/{buildingId}/plan/colours': '?colour=tickets',
    'GET /api/v1/subjects/export': '?email=reporter@example.com',
  })[operation] ?? '';

const queriesOf = (
  operation: string,
  parameters: readonly Parameter[],
  resolve: Resolve,
  known: Known,
): readonly { readonly what: string; readonly query: string; readonly isFlood: boolean }[] => {
  const needed = queryOf(operation, known);
  const more = (query: string) => (needed === '' ? `?${query}` : `${needed}&${query}`);
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
  const limit = own.find(({ name }) => name === 'limit');
  const most = Number(limit ? (resolve(limit.schema)['maximum'] ?? 1) : 1);
  const many = Array.from({ length: 1_000 }, (_, at) => `p${at}=1`).join('&');
  return [
    { what: 'nothing', query: needed, isFlood: false },
    ...(largest.length > 1
      ? [{ what: 'the largest page', query: more(largest.join('&')), isFlood: false }]
      : []),
    ...(limit ? [{ what: 'a full page', query: more(`limit=${most}`), isFlood: false }] : []),
    ...texts.map(([what, query]) => ({ what, query, isFlood: false })),
    { what: 'many parameters', query: `?${many}`, isFlood: true },
    { what: 'one of 10,000 characters', query: `?p=${'a'.repeat(10_000)}`, isFlood: true },
  ];
};

/** Of all of them together, headers have 16 KiB. */
const HEADER_CHARACTERS_MAX = 8_000;

const headersOf = (
  parameters: readonly Parameter[],
  resolve: Resolve,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    parameters
      // A position that is none is a 400, and a key of everybody's is a conflict.
      .filter(({ in: part, name }) => part === 'header' && name !== 'X-Atrium-Position')
      .map(({ name, schema }) => {
        const { maxLength } = resolve(isObject(schema) ? schema : {});
        const count = Math.min(Number(maxLength ?? 100), HEADER_CHARACTERS_MAX);
        if (name.startsWith('If-')) return [name, '"1", '.repeat(Math.floor(count / 5)) + '*'];
        return [name, `${randomUUID()}${'a'.repeat(count)}`.slice(0, count)];
      }),
  );
