/**
 * The API description: the committed OpenAPI document, and its page. Generating the document takes
 * longer than the rest of the server's start, so a test does it (`openapi/generated.ts`).
 */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FastifyInstance, onSendAsyncHookHandler } from 'fastify';
import type { ZodType } from 'zod';
import { REFERENCE_PAGE } from '../sessions/authenticate.ts';
import { sentAsFile } from './files.ts';

/** A sandbox serves a part of the routes. docs/decisions/0121 */
const COMMITTED = {
  platform: new URL('../../../openapi.json', import.meta.url),
  sandbox: new URL('../../../openapi-sandbox.json', import.meta.url),
} as const;

/** Placeholder in the rendered page, replaced by each answer's own nonce. */
const NONCE_PLACEHOLDER = 'nonce-of-the-answer';

/**
 * The page runs its own scripts and calls this server only. The library adds style elements without
 * a nonce.
 */
const policyOf = (nonce: string): string =>
  [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src 'unsafe-inline'`,
    `img-src 'self' data:`,
    `font-src data:`,
    `connect-src 'self'`,
    `form-action 'none'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');

const withPolicy: onSendAsyncHookHandler = async (_request, reply, payload) => {
  if (typeof payload !== 'string' || reply.statusCode !== 200) return payload;
  const nonce = randomBytes(16).toString('base64');
  void reply.header('content-security-policy', policyOf(nonce)).header('cache-control', 'no-store');
  return payload.replaceAll(NONCE_PLACEHOLDER, nonce);
};

/** The page shows this API without the library's branding, and calls no other host. */
const referencePage = {
  url: '/openapi.json',
  pageTitle: 'Atrium API',
  nonce: NONCE_PLACEHOLDER,
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'json',
  agent: { disabled: true },
  mcp: { disabled: true },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  authentication: { preferredSecurityScheme: 'portalSession' },
  customCss: 'a[href*="scalar.com"] { display: none !important; }',
};

/**
 * Files compressed on first request; the server requests them at its start, before callers wait.
 */
export const madeAtStart = [`${REFERENCE_PAGE}/js/scalar.js`, '/openapi.json'] as const;

const [REFERENCE_SCRIPT, DOCUMENT] = madeAtStart;

/** A group of routes in the document, named in a route's `tags`. */
export interface ApiTag {
  readonly name: string;
  readonly description: string;
  /** What this server posts to others. */
  readonly webhooks?: readonly ApiWebhook[];
}

/** A request that is sent to a subscriber. */
export interface ApiWebhook {
  /** Of the event. */
  readonly name: string;
  readonly summary: string;
  /** Of the body, with an `id`. */
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
   * Requests at addresses below this host get the document of sandboxes: those that no sandbox
   * answers, so that nobody learns which sandboxes exist. `null`: there are none.
   */
  readonly sandboxHost: string | null;
}

/** `/openapi.json` and `/docs`. */
export const registerOpenApi = async (
  app: FastifyInstance,
  { generated, isSandbox, sandboxHost }: OpenApiOptions,
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
    const own = await readFile(COMMITTED[isSandbox ? 'sandbox' : 'platform'], 'utf8');
    serve(() => own);
  }
  if (sandboxHost !== null) {
    // Seldom asked for: a sandbox that is awake serves its own.
    let ofSandboxes: Promise<string> | undefined;
    const text = () => (ofSandboxes ??= readFile(COMMITTED.sandbox, 'utf8'));
    serve(text, { host: below(sandboxHost) });
  }
  app.addHook('onRoute', (route) => {
    if (route.url === REFERENCE_SCRIPT) route.onSend = sentAsFile();
    if (route.url === `${REFERENCE_PAGE}/`) route.onSend = withPolicy;
  });
  // Loaded only by servers: commands serve no pages.
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  await app.register(scalar, {
    routePrefix: REFERENCE_PAGE,
    configuration: referencePage,
  } as Parameters<typeof scalar>[1]);
};

/** Host headers of addresses below a host, whatever the port. */
const below = (host: string): RegExp =>
  new RegExp(`\\.${RegExp.escape(host.replace(/:\d+$/, ''))}\\.?(:\\d+)?$`, 'i');
