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

/** The first place in `value` that could not be kept as it is, in the order of the body. */
export const unstorable = (
  value: unknown,
  from: string,
): { path: string; message: string } | null => {
  const steps: (string | number)[] = [];
  const message = wrongIn(value, steps, 1);
  return message === null
    ? null
    : { path: message === TOO_DEEP ? '' : pathOf(from, steps), message };
};

/**
 * What is wrong, and in `steps` the way to it. A body has room for some hundred thousand values:
 * no path is spelt before it is known to be wanted.
 */
const wrongIn = (here: unknown, steps: (string | number)[], depth: number): string | null => {
  // Whatever comes after this walk is recursive too: it must find a floor.
  if (depth > BODY_DEPTH_MAX) return TOO_DEEP;
  if (typeof here === 'string') return unstorableText(here);
  if (typeof here !== 'object' || here === null) return null;
  if (Array.isArray(here)) {
    for (let index = 0; index < here.length; index += 1) {
      const message = wrongIn(here[index], steps, depth + 1);
      if (message === null) continue;
      steps.unshift(index);
      return message;
    }
    return null;
  }
  for (const name of Object.keys(here)) {
    const wrong = name === '__proto__' ? 'is not a member name' : unstorableText(name);
    if (wrong !== null) return `a member name ${wrong}`;
    const message = wrongIn((here as Record<string, unknown>)[name], steps, depth + 1);
    if (message === null) continue;
    steps.unshift(name);
    return message;
  }
  return null;
};

const TOO_DEEP = `is nested deeper than ${BODY_DEPTH_MAX} levels`;

const pathOf = (from: string, steps: readonly (string | number)[]): string =>
  steps.reduce<string>(
    (path, step) =>
      typeof step === 'number' ? `${path}[${step}]` : path === '' ? step : `${path}.${step}`,
    from,
  );
