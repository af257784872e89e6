/**
 * Whether the committed OpenAPI documents describe an answer. Every caller in the tests checks
 * every answer: a status, a header, a media type or a body that the document does not have fails
 * the test.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import sandbox from '../../../openapi-sandbox.json' with { type: 'json' };
import platform from '../../../openapi.json' with { type: 'json' };
import { responseHeaders } from '../../../src/api/http/conventions.ts';

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
}

interface Response {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, unknown>>;
}

/** Of a body in an error. */
const EXCERPT_CHARACTERS_MAX = 1_000;

type Operation = { readonly responses: Readonly<Record<string, Response>> };

/**
 * Accepts answers at an address that the document does not have, as some tests of the shell use.
 *
 * @throws If the document does not describe the answer.
 */
type CheckDescribed = (method: string, url: string, answer: Answered) => void;

const checkBy = (file: string, document: { readonly paths: object }): CheckDescribed => {
  const paths = Object.entries(document.paths as Record<string, Record<string, Operation>>).map(
    ([path, methods]) => ({
      path,
      pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`),
      parameters: path.split('{').length,
      methods,
    }),
  );
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, file);

  const missing = (method: string, url: string, answer: Answered): string | null => {
    const address = url.split('?', 1)[0]!;
    const [found] = paths
      .filter(({ pattern }) => pattern.test(address))
      .toSorted((a, b) => a.parameters - b.parameters);
    const operation = found?.methods[method.toLowerCase()];
    if (!operation) return null;
    const status = String(answer.status);
    const listed = operation.responses[status];
    if (!listed) return status;
    const steps = listed.$ref?.split('/').slice(1) ?? [
      'paths',
      found.path,
      method.toLowerCase(),
      'responses',
      status,
    ];
    const response = valueAt(document, steps) as Response;
    const silent = Object.keys(responseHeaders).find(
      (name) => answer.headers[name.toLowerCase()] !== undefined && !response.headers?.[name],
    );
    if (silent !== undefined) return `${status} with ${silent}`;
    const sent = answer.headers['content-type']?.split(';', 1)[0];
    if (sent === undefined) return null;
    const type = [sent, '*/*'].find((one) => response.content?.[one] !== undefined);
    if (type === undefined) return `${status} with ${sent}`;
    const fits = ajv.getSchema(`${file}#${pointerTo([...steps, 'content', type, 'schema'])}`)!;
    const odd = valuesIn(sent, answer.body).find((value) => !fits(value));
    if (odd === undefined) return null;
    const excerpt = JSON.stringify(odd).slice(0, EXCERPT_CHARACTERS_MAX);
    return `${status} with ${excerpt} (${ajv.errorsText(fits.errors)})`;
  };

  return (method, url, answer) => {
    const found = missing(method, url, answer);
    if (found === null) return;
    throw new Error(`${method} ${url} answers ${found}, and ${file} does not say so`);
  };
};

/** The schema of NDJSON is that of a line. */
const valuesIn = (type: string, body: unknown): readonly unknown[] =>
  type === 'application/x-ndjson'
    ? String(body)
        .split('\n')
        .filter((line) => line !== '')
        .map((line): unknown => JSON.parse(line))
    : [body];

const valueAt = (document: object, steps: readonly string[]): unknown =>
  steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], document);

const pointerTo = (steps: readonly string[]): string =>
  steps
    .map((step) => `/${encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))}`)
    .join('');

/** By the document of the platform. */
export const describedByPlatform = checkBy('openapi.json', platform);

/** By the document of sandboxes. */
export const describedBySandbox = checkBy('openapi-sandbox.json', sandbox);
