/**
 * Whether openapi.json describes an answer. Every caller in the tests checks every answer: a
 * status, a code or a header that is missing in the document fails the test.
 */
import document from '../../../openapi.json' with { type: 'json' };
import { responseHeaders } from '../../../src/api/http/conventions.ts';

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
}

interface Response {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Schema {
  readonly $ref?: string;
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, { readonly const?: unknown }>>;
}

type Operation = { readonly responses: Readonly<Record<string, Response>> };

const paths = Object.entries(
  document.paths as Readonly<Record<string, Readonly<Record<string, Operation>>>>,
).map(([path, methods]) => ({
  pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`),
  parameters: path.split('{').length,
  methods,
}));

/** `null` for an address that the document does not have, as some tests of the shell use. */
export const notDescribed = (method: string, url: string, answer: Answered): string | null => {
  const path = url.split('?', 1)[0]!;
  const [found] = paths
    .filter(({ pattern }) => pattern.test(path))
    .toSorted((a, b) => a.parameters - b.parameters);
  const operation = found?.methods[method.toLowerCase()];
  if (!operation) return null;
  const response = resolved(operation.responses[String(answer.status)]);
  if (!response) return `${method} ${path} answers ${answer.status}`;
  const code = codeIn(answer);
  if (code !== null && !codesOf(response).has(code)) return `${method} ${path} answers ${code}`;
  const silent = Object.keys(responseHeaders).filter(
    (name) => answer.headers[name.toLowerCase()] !== undefined && !response.headers?.[name],
  );
  return silent.length === 0 ? null : `${method} ${path} (${answer.status}) answers ${silent[0]}`;
};

const codeIn = ({ headers, body }: Answered): string | null =>
  /problem\+json/.test(headers['content-type'] ?? '') ? (body as { code: string }).code : null;

const codesOf = (response: Response): ReadonlySet<unknown> => {
  const schema = response.content?.['application/problem+json']?.schema;
  const each = schema?.oneOf ?? (schema ? [schema] : []);
  return new Set(
    each.flatMap((one) =>
      (resolved(one)?.allOf ?? []).map(({ properties }) => properties?.['code']?.const),
    ),
  );
};

/** Resolves a `$ref`. */
const resolved = <Part extends { readonly $ref?: string }>(part: Part | undefined) => {
  if (part?.$ref === undefined) return part;
  const steps = part.$ref.split('/').slice(1);
  return steps.reduce<unknown>(
    (at, step) => (at as Record<string, unknown>)[step],
    document,
  ) as Part;
};
