/**
 * `/docs`, the page that shows the API description. Its library is loaded at the first request,
 * because most servers never need it, and in a thread, because loading blocks the event loop.
 */
import { randomBytes } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { FastifyInstance, onSendAsyncHookHandler } from 'fastify';
import { REFERENCE_PAGE } from '../sessions/authenticate.ts';
import { sentAsFile } from './files.ts';

export interface ReferenceTask {
  readonly prefix: string;
  readonly configuration: object;
}

export interface Reference {
  /** HTML, with {@link NONCE_PLACEHOLDER}. */
  readonly page: string;
  readonly script: string;
}

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
const configuration = {
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

export const registerReference = (app: FastifyInstance): void => {
  let rendered: Promise<Reference> | undefined;
  const reference = () => {
    rendered ??= renderedInThread().catch((error: unknown) => {
      rendered = undefined;
      throw error;
    });
    return rendered;
  };
  const schema = { hide: true };
  app.get(REFERENCE_PAGE, { schema }, async (_request, reply) =>
    reply.redirect(`${REFERENCE_PAGE}/`, 301),
  );
  app.get(`${REFERENCE_PAGE}/`, { schema, onSend: withPolicy }, async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send((await reference()).page),
  );
  app.get(
    `${REFERENCE_PAGE}/js/scalar.js`,
    { schema, onSend: sentAsFile() },
    async (_request, reply) =>
      reply.type('application/javascript; charset=utf-8').send((await reference()).script),
  );
};

const renderedInThread = async (): Promise<Reference> => {
  const task: ReferenceTask = { prefix: REFERENCE_PAGE, configuration };
  const worker = new Worker(new URL('./reference-thread.ts', import.meta.url), {
    workerData: task,
  });
  try {
    return await new Promise<Reference>((resolve, reject) => {
      worker.on('message', resolve);
      worker.on('error', reject);
      worker.on('exit', () => reject(new Error('the thread ended without the reference page')));
    });
  } finally {
    await worker.terminate();
  }
};
