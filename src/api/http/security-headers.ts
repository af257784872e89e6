/**
 * What every answer tells browsers to refuse. The values are those that OWASP recommends for an
 * API; a page that shows something adds a Content-Security-Policy of its own.
 */
import type { FastifyReply } from 'fastify';

export const securityHeaders: Readonly<Record<string, string>> = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
};

/** Leaves the answer to who writes it by himself, with the headers that every answer has. */
export const handOver = (reply: FastifyReply): FastifyReply['raw'] => {
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value);
  return reply.raw;
};
