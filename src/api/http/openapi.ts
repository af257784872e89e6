/**
 * The API as it describes itself: the committed OpenAPI document, and the page that shows it.
 * Making the document takes longer than all else that a start does, so it is made in a test
 * (`openapi/generated.ts`).
 */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FastifyInstance, onSendAsyncHookHandler } from 'fastify';
import { REFERENCE_PAGE } from '../sessions/authenticate.ts';
import { sentAsFile } from './files.ts';

const COMMITTED = new URL('../../../openapi.json', import.meta.url);

/** In the page as it is rendered, where each answer has a nonce of its own. */
const NONCE_PLACEHOLDER = 'nonce-of-the-answer';

/**
 * The page runs its own scripts and asks this server alone. The library adds style elements
 * without a nonce.
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

/** The page shows this API and nothing of who made the page; it asks no other host. */
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

/** What is compressed when it is asked for first; a server asks before anybody waits for it. */
export const madeAtStart = [`${REFERENCE_PAGE}/js/scalar.js`, '/openapi.json'] as const;

const [REFERENCE_SCRIPT, DOCUMENT] = madeAtStart;

/** A group of routes in the document; a route names one in `tags`. */
export interface ApiTag {
  readonly name: string;
  readonly description: string;
}

/**
 * `/openapi.json` and `/docs`.
 *
 * @param generated Shows the document that the routes make, not the committed one: for the test
 *   that compares them. The routes are then registered after `describeApi`.
 */
export const registerOpenApi = async (
  app: FastifyInstance,
  { generated }: { readonly generated: boolean },
): Promise<void> => {
  const committed = generated ? null : await readFile(COMMITTED, 'utf8');
  app.get(
    DOCUMENT,
    {
      config: { permission: 'public', compressesItself: true },
      schema: { hide: true },
      onSend: sentAsFile(),
    },
    async (_request, reply) =>
      reply.type('application/json').send(committed ?? JSON.stringify(app.swagger())),
  );
  app.addHook('onRoute', (route) => {
    if (route.url === REFERENCE_SCRIPT) route.onSend = sentAsFile();
    if (route.url === `${REFERENCE_PAGE}/`) route.onSend = withPolicy;
  });
  // Not loaded by commands, which serve no pages.
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  await app.register(scalar, {
    routePrefix: REFERENCE_PAGE,
    configuration: referencePage,
  } as Parameters<typeof scalar>[1]);
};
