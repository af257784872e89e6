/**
 * The API description: the committed OpenAPI document, and its page. Generating the document takes
 * longer than the rest of the server's start, so a test does it (`openapi/generated.ts`).
 */
import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import type { ZodType } from 'zod';
import { sentAsFile } from './files.ts';
import { registerReference } from './reference.ts';

/** A sandbox serves a part of the routes. docs/decisions/0084 */
const COMMITTED = {
  platform: new URL('../../../openapi.json', import.meta.url),
  sandbox: new URL('../../../openapi-sandbox.json', import.meta.url),
} as const;

const DOCUMENT = '/openapi.json';

/** A group of routes in the document, named in a route's `tags`. */
export interface ApiTag {
  readonly name: string;
  readonly description: string;
  /** The requests that this server sends to subscribers. */
  readonly webhooks?: readonly ApiWebhook[];
}

/** A request that is sent to a subscriber. */
export interface ApiWebhook {
  /** The name of the event. */
  readonly name: string;
  readonly summary: string;
  /** The schema of the body, with an `id`. */
  readonly schema: ZodType;
}

export interface OpenApiOptions {
  /**
   * Serves the document generated from the routes instead of the committed one, for the test that
   * compares them. The routes are then registered after `describeApi`.
   */
  readonly generated: boolean;
  /** Whether these are the routes of a sandbox. */
  readonly isSandbox: boolean;
  /**
   * Requests at addresses below this host get the document of sandboxes, with and without a
   * sandbox, so that callers cannot find out which sandboxes exist. `null`: no sandboxes.
   */
  readonly sandboxHost: string | null;
  /** Maximum of `limit` by `operationId`, where a deployment's differs. */
  readonly pageMaxima: Readonly<Record<string, number>>;
}

/** `/openapi.json` and `/docs`. */
export const registerOpenApi = async (
  app: FastifyInstance,
  { generated, isSandbox, sandboxHost, pageMaxima }: OpenApiOptions,
): Promise<void> => {
  const serve = (
    text: () => string | Promise<string>,
    constraints: { readonly host?: RegExp } = {},
  ) =>
    app.get(
      DOCUMENT,
      {
        config: { permission: 'public', compressesItself: true },
        schema: { hide: true },
        constraints,
        onSend: sentAsFile(),
      },
      async (_request, reply) => reply.type('application/json').send(await text()),
    );
  if (generated) serve(() => JSON.stringify(app.swagger()));
  else {
    const own = await committed(isSandbox ? 'sandbox' : 'platform', pageMaxima);
    serve(() => own);
  }
  if (sandboxHost !== null) {
    // Loaded on first use, because it is rare.
    let ofSandboxes: Promise<string> | undefined;
    const text = () => (ofSandboxes ??= committed('sandbox', pageMaxima));
    serve(text, { host: below(sandboxHost) });
  }
  registerReference(app);
};

const committed = async (
  of: keyof typeof COMMITTED,
  pageMaxima: OpenApiOptions['pageMaxima'],
): Promise<string> => {
  const text = await readFile(COMMITTED[of], 'utf8');
  if (Object.keys(pageMaxima).length === 0) return text;
  const document = JSON.parse(text) as CommittedDocument;
  for (const { get } of Object.values(document.paths)) {
    const maximum = get && pageMaxima[get.operationId];
    const limit = get?.parameters?.find(({ name }) => name === 'limit');
    if (maximum === undefined || !limit) continue;
    limit.schema.maximum = maximum;
    limit.description = limit.description.replace(/1 to \d+/, `1 to ${maximum}`);
  }
  return JSON.stringify(document);
};

interface CommittedDocument {
  readonly paths: Readonly<Record<string, { readonly get?: CommittedRead }>>;
}
interface CommittedRead {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly name: string;
    description: string;
    readonly schema: { maximum: number };
  }[];
}

/** Host headers of addresses below a host, whatever the port. */
const below = (host: string): RegExp =>
  new RegExp(`\\.${RegExp.escape(host.replace(/:\d+$/, ''))}\\.?(:\\d+)?$`, 'i');
