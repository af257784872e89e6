/** The request that the words of `atrium api` mean. */
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { usageError } from '../failures.ts';

export interface ApiOptions {
  readonly field?: readonly string[];
  readonly jsonField?: readonly string[];
  /** A file, or `-`. */
  readonly input?: string;
  readonly header?: readonly string[];
}

export type ApiMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface ApiRequest {
  readonly method: ApiMethod;
  /** On the server, without a query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
}

/** @throws {@link CommandFailed} for words that are no request, and a file that cannot be read. */
export const requestOf = async (
  method: ApiMethod,
  written: string,
  options: ApiOptions,
): Promise<ApiRequest> => {
  const { path, query } = placeOf(written);
  const fields = fieldsOf(options);
  const inQuery = method === 'GET' || options.input !== undefined;
  if (inQuery) for (const [key, value] of fields) query.append(key, inAQuery(value));
  const headers = headersOf(options.header ?? []);
  if (options.input !== undefined) {
    if (method === 'GET') throw usageError('GET has no body: leave --input out');
    return { method, path, query, headers, body: await inputOf(options.input) };
  }
  const body = inQuery || fields.length === 0 ? null : JSON.stringify(Object.fromEntries(fields));
  return { method, path, query, headers, body };
};

/** A path, never another host: `//` at the beginning would name one. */
const placeOf = (written: string): { readonly path: string; readonly query: URLSearchParams } => {
  if (/^[a-z][a-z\d+.-]*:/i.test(written))
    throw usageError(`write the path alone, and the server with --url: ${written}`);
  const at = written.indexOf('?');
  const bare = at === -1 ? written : written.slice(0, at);
  const below = bare.replace(/^\/+/, '');
  const path = below.startsWith('api/')
    ? `/${below}`
    : below.startsWith('service-desk/')
      ? `/api/${below}`
      : `/api/v1/${below}`;
  return { path, query: new URLSearchParams(at === -1 ? '' : written.slice(at + 1)) };
};

const fieldsOf = ({ field = [], jsonField = [] }: ApiOptions): readonly [string, unknown][] => [
  ...field.map((one): [string, unknown] => split(one, '-f')),
  ...jsonField.map((one): [string, unknown] => {
    const [key, json] = split(one, '-F');
    try {
      return [key, JSON.parse(json)];
    } catch (error) {
      throw usageError(`-F ${key}: ${json} is not JSON; use -f ${key}=… to send a text`, error);
    }
  }),
];

const split = (written: string, option: string): [string, string] => {
  const at = written.indexOf('=');
  if (at < 1) throw usageError(`write ${option} key=value, not ${written}`);
  return [written.slice(0, at), written.slice(at + 1)];
};

/** As every list in a query of the API: separated by commas. */
const inAQuery = (value: unknown): string => {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map(inAQuery).join(',') : JSON.stringify(value);
};

const headersOf = (written: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    written.map((one) => {
      const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+)\s*:\s*(.*)$/.exec(one) ?? [];
      if (name === undefined || value === undefined)
        throw usageError(`write -H 'Name: value', not ${one}`);
      if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
        throw usageError(`-H ${name}: a header has no characters beyond Latin-1`);
      return [name, value];
    }),
  );

const inputOf = async (file: string): Promise<Uint8Array> => {
  if (file === '-') return buffer(process.stdin);
  return readFile(file).catch((error: Error) => {
    throw usageError(`${file} cannot be read: ${error.message}`, error);
  });
};
