/**
 * The portal at `/`: pages for people, which call this API in the name of the signed-in user. They
 * are shipped built, in packages/portal/built. docs/decisions/0039.
 */
import { readdirSync, readFileSync } from 'node:fs';
import type { FastifyPluginAsync } from 'fastify';
import { sentAsFile } from '../http/files.ts';

export interface PortalOptions {
  /** Where the pages' sign-out redirects to. */
  readonly issuer: string;
}

const TYPES = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
} as const;

const BUILT = new URL('../../../packages/portal/built/', import.meta.url);

/** Path → file. Pages behind the sign-in differ only in the fragment. */
const filesIn = (directory: URL): readonly (readonly [path: string, file: string])[] => [
  ['/', 'index.html'],
  // Printed on labels: public. docs/decisions/0099 and 0106
  ['/report', 'public.html'],
  ['/report/status', 'public.html'],
  ...readdirSync(directory)
    .filter((file) => !file.endsWith('.html'))
    .map((file) => [`/portal/${file}`, file] as const),
];

export const portalPages: FastifyPluginAsync<PortalOptions> = async (app, options) => {
  const policy = policyOf(options);
  for (const [path, file] of filesIn(BUILT)) {
    const text = readFileSync(new URL(file, BUILT), 'utf8');
    const type = TYPES[file.split('.').at(-1) as keyof typeof TYPES];
    app.get(
      path,
      { config: { permission: 'public' }, schema: { hide: true }, onSend: sentAsFile() },
      async (_request, reply) =>
        reply.type(type).header('content-security-policy', policy).send(text),
    );
  }
};

/** Allows only the portal's own script, and calls only to this server. */
const policyOf = ({ issuer }: PortalOptions): string =>
  [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self'`,
    `img-src 'self'`,
    `connect-src 'self'`,
    // Browsers apply it to redirects after a form, too.
    `form-action 'self' ${new URL(issuer).origin}`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
    `require-trusted-types-for 'script'`,
  ].join('; ');
