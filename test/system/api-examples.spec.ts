/** The examples of openapi.json, sent to a development server as it begins. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import document from '../../openapi.json' with { type: 'json' };
import { temporaryDirectory } from '../support/directory.ts';
import { freshDatabase } from '../support/postgres/database.ts';
import type { ServerProcess } from '../support/servers/server.ts';
import { servers } from '../support/servers/servers.ts';

interface Parameter {
  readonly name?: string;
  readonly in?: string;
  readonly example?: unknown;
}

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: { readonly $ref: string } }>>;
  };
}

/** Resources that examples cannot name, because a new server does not have them. */
const NOT_THERE_YET = new Set([
  'keyId',
  'webhookId',
  'deliveryId',
  'stream',
  'ruleId',
  'faultId',
  'viewId',
  'erasureId',
  'attachmentId',
  'sessionId',
  'snapshotId',
]);
const SANDBOX = '/api/v1/sandboxes/{id}';
/**
 * A process with parked items; a readable ticket; a host that needs a resolvable address, also
 * offline; the cookie of a browser;
 * a form with a file; operations of requesters only;
 * an organisation that accepts anonymous reports.
 */
const NOT_SENT = new Set([
  'retryParkedOfProcess',
  'skipParkedOfProcess',
  'skipBlockedTicket',
  'registerWebhook',
  'readSession',
  'listSessions',
  'addAttachment',
  'rateTicket',
  'reportWithoutSignIn',
  'readReportPlace',
  'readReportStatus',
  'getStatusLink',
  'revokeStatusLink',
]);

const operations = Object.entries(
  (document as { paths: unknown }).paths as Readonly<
    Record<string, Readonly<Record<string, Operation>>>
  >,
)
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  .filter(({ path, operation }) => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    const isThere = !names.some((name) => NOT_THERE_YET.has(name)) && !path.startsWith(SANDBOX);
    return isThere && !NOT_SENT.has(operation.operationId);
  })
  // Writes first, so that their resources can be read; the clock last: tokens do not follow it.
  .toSorted((a, b) => rank(a.method, a.path) - rank(b.method, b.path));

function rank(method: string, path: string): number {
  if (path.endsWith('/clock')) return 3;
  return { get: 1, delete: 2 }[method] ?? 0;
}

const running = servers();
let server: ServerProcess;
beforeAll(async () => {
  const { url } = await freshDatabase();
  const ATRIUM_DATA = temporaryDirectory('examples');
  server = await running.start({ DATABASE_URL: url, ATRIUM_DATA });
});
afterAll(() => running.release());

it.each(operations.map((one) => [`${one.method} ${one.path}`, one] as const))(
  '%s is answered',
  async (_, { path, method, operation }) => {
    const named = path.replaceAll(/\{(\w+)\}/g, (__, name: string) => {
      const parameter = operation.parameters.find((one) => one.name === name);
      return encodeURIComponent(String(parameter?.example));
    });
    const [type, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
    const $ref = media?.schema.$ref;
    const schemas = document.components.schemas as Readonly<
      Record<string, { readonly examples?: readonly unknown[] }>
    >;
    const body = $ref === undefined ? undefined : schemas[$ref.split('/').at(-1)!]?.examples?.[0];
    const isOperators = ['operations', 'bus'].includes(operation.tags[0]!);
    const email = isOperators ? 'operator@atrium.test' : 'manager@acme.test';
    const required =
      {
        lookUpTickets: '?key=externalId&value=x',
        getPlanColours: '?colour=tickets',
        exportPerson: '?email=tenant@example.com',
      }[operation.operationId] ?? '';
    const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
    const ask = body === undefined ? {} : { body, headers };
    const answer = await server.call(email, method.toUpperCase(), `${named}${required}`, ask);
    // Nothing is being rebuilt that could be cancelled.
    const nothing = operation.operationId === 'cancelRebuild' ? [202, 404] : [200, 201, 202, 204];
    expect(nothing, JSON.stringify(answer.body)).toContain(answer.status);
  },
);
