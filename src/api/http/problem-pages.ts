import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { escapedHtml } from '../../domain/escaped-html.ts';
import { problemPath, problems, type ProblemCode } from './problems.ts';

/** The pages that a problem's `type` refers to (RFC 9457 section 3.1.1). */
export const problemPages: FastifyPluginAsyncZod = async (app) => {
  for (const code of Object.keys(problems) as ProblemCode[]) {
    app.get(
      problemPath(code),
      {
        config: { permission: 'public' },
        schema: { hide: true, response: { 200: z.string() } },
      },
      async (_request, reply) => reply.type('text/html; charset=utf-8').send(pageOf(code)),
    );
  }
};

const pageOf = (code: ProblemCode): string => {
  const { status, title, about } = problems[code];
  const prose = escapedHtml(about).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${code}</title>
<meta name="viewport" content="width=device-width"><style>
body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}
code{background:#eee;padding:.1em .3em}</style>
<p><code>${code}</code> · HTTP ${status}</p><h1>${escapedHtml(title)}</h1><p>${prose}</p></html>\n`;
};
