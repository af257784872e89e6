import type { FastifyInstance, FastifyRequest } from 'fastify';
import { BODY_DEPTH_MAX } from '../../limits.ts';
import { invalid, Problem } from './problems.ts';

/**
 * JSON bodies, strictly: valid UTF-8, valid JSON, no member that reaches for a prototype, and no
 * text that could not be stored and given back as it came (U+0000, lone surrogates).
 * contract.md section 1.
 */
export const takeJson = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    ['application/json', 'application/merge-patch+json'],
    { parseAs: 'buffer' },
    async ({ headers }: FastifyRequest, body: Buffer) => {
      const encoding = headers['content-encoding'] ?? 'identity';
      if (encoding.toLowerCase() !== 'identity') {
        throw new Problem('UNSUPPORTED_MEDIA_TYPE', 'This route takes no Content-Encoding.');
      }
      return jsonOf(body);
    },
  );
};

/** @throws {@link Problem} `VALIDATION_FAILED`. */
export const jsonOf = (body: Buffer): unknown => {
  if (body.length === 0) throw invalid([{ path: '', message: 'The body is empty.' }]);
  const value = parsed(decoded(body));
  const wrong = unstorable(value, '');
  if (wrong) throw invalid([wrong]);
  return value;
};

const decoded = (body: Buffer): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw invalid([{ path: '', message: 'The body is not valid UTF-8.' }]);
  }
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Problem(
      'VALIDATION_FAILED',
      `The body is not valid JSON: ${(error as Error).message}`,
      {
        errors: [{ path: '', message: 'not valid JSON' }],
      },
    );
  }
};

/** Text that Postgres or UTF-8 could not carry, or a member that JavaScript would mistake. */
export const unstorableText = (text: string): string | null => {
  if (text.includes('\0')) return 'must not contain U+0000';
  return text.isWellFormed() ? null : 'must not contain lone surrogates';
};

/** The first place in `value` that could not be kept as it is, walked without recursion. */
export const unstorable = (
  value: unknown,
  from: string,
): { path: string; message: string } | null => {
  const rest: { at: string; value: unknown; depth: number }[] = [{ at: from, value, depth: 0 }];
  for (let next = rest.pop(); next; next = rest.pop()) {
    const { at, value: here } = next;
    const depth = next.depth + 1;
    // What comes after this walk is recursive: it must find a floor.
    if (depth > BODY_DEPTH_MAX) {
      return { path: '', message: `is nested deeper than ${BODY_DEPTH_MAX} levels` };
    }
    if (typeof here === 'string') {
      const message = unstorableText(here);
      if (message) return { path: at, message };
    } else if (Array.isArray(here)) {
      here.forEach((item: unknown, index) =>
        rest.push({ at: `${at}[${index}]`, value: item, depth }),
      );
    } else if (typeof here === 'object' && here !== null) {
      for (const [name, member] of Object.entries(here)) {
        const message = name === '__proto__' ? 'is not a member name' : unstorableText(name);
        if (message) return { path: at, message: `a member name ${message}` };
        rest.push({ at: at ? `${at}.${name}` : name, value: member, depth });
      }
    }
  }
  return null;
};
