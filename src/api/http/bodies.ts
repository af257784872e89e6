import type { Readable } from 'node:stream';
import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { FairSemaphore } from '../../engine/concurrency/fair-semaphore.ts';
import { unstorableText } from '../../engine/storable.ts';
import { BODY_DEPTH_MAX } from './limits.ts';
import { BODY_VALUES_MAX } from '../../limits.ts';
import { alteredNumbers } from './exact-numbers.ts';
import type { HeldBytes } from './held-bytes.ts';
import { bodyReader } from './received-body.ts';
import { largeBodyPermits } from './large-bodies.ts';
import { memberPath, UNKNOWN } from './schema-precheck.ts';
import { invalid, Problem } from './problems.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Upper bound of members and items in a JSON body. Default {@link BODY_VALUES_MAX}. */
    bodyValuesMax?: number;
    /**
     * Top-level text members that may hold unstorable text, because the route refuses it with its
     * own code. Default: none.
     */
    refusesTextOf?: readonly string[];
  }
}

export interface JsonBodiesParts {
  /** Permits for requests with large bodies. */
  readonly largeBodies: FairSemaphore;
  /** Counts the bytes of incomplete bodies. */
  readonly received: HeldBytes;
}

/**
 * Strict JSON bodies: valid UTF-8, valid JSON, no member that could change a prototype, no text
 * that cannot be stored and returned unchanged (U+0000, lone surrogates), and no inexact number
 * where the route says so (`exactNumbersIn`). contract.md section 1.
 */
export const parseJsonBodies = (
  app: FastifyInstance,
  { largeBodies, received }: JsonBodiesParts,
): void => {
  app.removeAllContentTypeParsers();
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    // Many clients send the type of a body without one, such as a form's by curl for `-d ''`.
    if (isEmpty(request) && !hasParser(request)) delete request.headers['content-type'];
    done();
  });
  const read = bodyReader(received);
  const permitOf = largeBodyPermits(app, largeBodies);
  app.addContentTypeParser(
    ['application/json', 'application/merge-patch+json'],
    async (request: FastifyRequest, payload: Readable) => {
      refuseEncoding(request);
      const body = await read(request, payload);
      const { schema, config } = request.routeOptions;
      const permit = permitOf(request, body);
      if (permit) await permit;
      // Many clients send a JSON content type even without a body.
      const isAbsent = body.length === 0;
      if (schema?.body)
        return isAbsent && isOptionalBody(schema.body) ? undefined : jsonOf(body, config);
      if (!isAbsent) refuseMembers(jsonOf(body, config));
      return undefined;
    },
  );
};

/** A chunked body may turn out to be empty, too. */
const isEmpty = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;

const hasParser = ({ server, mediaType = '' }: FastifyRequest): boolean =>
  ['*', mediaType].some((type) => server.hasContentTypeParser(type));

/** The message for a body that a route needs and the request has not. */
export const EMPTY = 'The body is empty.';

/** A body that a request may leave out, which is the same as `{}`. No member may be required. */
export const optionalBody = <Body extends z.ZodObject>(body: Body): z.ZodPrefault<Body> =>
  z.prefault(body, {} as z.input<Body>);

export const isOptionalBody = (schema: unknown): boolean => schema instanceof z.ZodPrefault;

/**
 * For a route without a body: an option that it does not have must not be ignored.
 *
 * @throws {@link Problem} `VALIDATION_FAILED` for anything but `{}`.
 */
const refuseMembers = (body: unknown): void => {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalid([{ path: '', message: 'must be left out: this route has no body' }]);
  const members = Object.keys(body).map((name) => ({
    path: memberPath('', name),
    message: UNKNOWN,
  }));
  if (members.length > 0) throw invalid(members);
};

/** @throws {@link Problem} `UNSUPPORTED_MEDIA_TYPE` for a compressed body. */
export const refuseEncoding = ({ headers }: FastifyRequest): void => {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', 'This route accepts no Content-Encoding.');
  }
};

/** @throws {@link Problem} `VALIDATION_FAILED`. */
export const jsonOf = (
  body: Buffer,
  {
    bodyValuesMax: valuesMax = BODY_VALUES_MAX,
    exactNumbersIn = [],
    refusesTextOf = [],
  }: FastifyContextConfig = {},
): unknown => {
  if (body.length === 0) throw invalid([{ path: '', message: EMPTY }]);
  const tooMuch = excessOf(body, valuesMax);
  if (tooMuch !== null) throw invalid([{ path: '', message: tooMuch }]);
  const text = decoded(body);
  const value = parsed(text);
  const wrong = unstorable(withoutText(value, refusesTextOf), '');
  if (wrong) throw invalid([wrong]);
  const altered = alteredNumbers(text, exactNumbersIn);
  if (altered.length > 0) throw invalid(altered);
  return value;
};

/** The value without its text members of these names. */
const withoutText = (value: unknown, names: readonly string[]): unknown => {
  if (names.length === 0 || value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value;
  const members = Object.entries(value);
  return Object.fromEntries(
    members.filter(([name, member]) => typeof member !== 'string' || !names.includes(name)),
  );
};

/**
 * Why a JSON text is too large; `null` if it is not. It is scanned as bytes before parsing: a
 * megabyte can hold half a million values, each of which is visited several times.
 */
const excessOf = (json: Buffer, valuesMax: number): string | null => {
  let values = 0;
  let depth = 0;
  let inText = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at]!;
    if (inText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) inText = true;
    else if (byte === COMMA) values += 1;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      values += 1;
      depth += 1;
      if (depth > BODY_DEPTH_MAX) return TOO_DEEP;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
    if (values > valuesMax) return `must not have more than ${valuesMax} members and items`;
  }
  return null;
};

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

const decoded = (body: Buffer): string => {
  const text = utf8Text(body);
  if (text === null) throw invalid([{ path: '', message: 'The body is not valid UTF-8.' }]);
  return text;
};

/**
 * `null` for invalid UTF-8, which is never replaced.
 *
 * @param ignoreBOM Whether a leading U+FEFF is part of the text. Default: it is removed.
 */
export const utf8Text = (bytes: Uint8Array, ignoreBOM = false): string | null => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM }).decode(bytes);
  } catch {
    return null;
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

/**
 * The first error in `value`, in the order of the body: text that cannot be stored unchanged, or a
 * member with a special meaning in JavaScript.
 */
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
 * The error, with the path to it in `steps`. A body has room for hundreds of thousands of values,
 * so a path is formatted only for an error.
 */
const wrongIn = (here: unknown, steps: (string | number)[], depth: number): string | null => {
  // Later walks are recursive, so the depth must be bounded here.
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
    if (name === '__proto__') return 'must not have a member `__proto__`';
    const wrong = unstorableText(name);
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
    (path, step) => (typeof step === 'number' ? `${path}[${step}]` : memberPath(path, step)),
    from,
  );
