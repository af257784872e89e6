/**
 * `/docs/live`, where a developer watches a building's events. It calls only this server, and its
 * policy allows only its own script and the client of Socket.IO.
 */
import { readFileSync } from 'node:fs';
import type { FastifyPluginAsync } from 'fastify';
import { REFERENCE_PAGE } from '../sessions/authenticate.ts';
import { sentAsFile } from '../http/files.ts';

const LIVE_PAGE = `${REFERENCE_PAGE}/live`;

const POLICY = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self'`,
  `connect-src 'self'`,
  `img-src data:`,
  `form-action 'none'`,
  `base-uri 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

/** The library contains its client, but exports no path to it. */
const client = () => new URL('client-dist/socket.io.esm.min.js', import.meta.resolve('socket.io'));
const ours = (name: string) => new URL(`page/${name}`, import.meta.url);

/** Path below the page → file and media type. */
const files = {
  '': [() => ours('watch.html'), 'text/html; charset=utf-8'],
  '/watch.css': [() => ours('watch.css'), 'text/css; charset=utf-8'],
  '/watch.js': [() => ours('watch.js'), 'text/javascript; charset=utf-8'],
  '/socket.io.js': [client, 'text/javascript; charset=utf-8'],
} as const;

export const livePage: FastifyPluginAsync = async (app) => {
  for (const [path, [file, type]] of Object.entries(files)) {
    const text = readFileSync(file(), 'utf8');
    app.get(
      LIVE_PAGE + path,
      { config: { permission: 'public' }, schema: { hide: true }, onSend: sentAsFile() },
      async (_request, reply) =>
        reply.type(type).header('content-security-policy', POLICY).send(text),
    );
  }
};
