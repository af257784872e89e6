import { describedByPlatform } from './described.ts';

/** A caller of an API over HTTP, with a token or without. */
export interface Caller {
  get(path: string, headers?: Record<string, string>): Promise<TestAnswer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer>;
  put(path: string, body: unknown, headers?: Record<string, string>): Promise<TestAnswer>;
  patch(path: string, body: unknown, headers?: Record<string, string>): Promise<TestAnswer>;
  delete(path: string, headers?: Record<string, string>): Promise<TestAnswer>;
}

export interface TestAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  // oxlint-disable-next-line typescript/no-explicit-any -- what a test expects is the test's own
  readonly body: any;
}

/** Both are called for each request: a caller may be created before its platform. */
export const callerOf = (address: () => string, tokenOf: () => Promise<string | null>): Caller => {
  const send = async (
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: unknown,
  ): Promise<TestAnswer> => {
    const token = await tokenOf();
    const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await fetch(`${address()}${path}`, {
      method,
      headers: { ...authorization, ...json, ...headers },
      ...(body === undefined ? {} : { body: bodyOf(body) }),
    });
    const isJson = /\bjson\b/.test(answer.headers.get('content-type') ?? '');
    const answered = {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: isJson ? await answer.json() : await answer.text(),
    };
    describedByPlatform(method, path, answered);
    return answered;
  };
  return {
    get: (path, headers = {}) => send('GET', path, headers),
    post: (path, body, headers = {}) => send('POST', path, headers, body),
    put: (path, body, headers = {}) => send('PUT', path, headers, body),
    patch: (path, body, headers = {}) => send('PATCH', path, headers, body),
    delete: (path, headers = {}) => send('DELETE', path, headers),
  };
};

/** Text and bytes are sent unchanged, so that a test can send invalid JSON. */
export const bodyOf = (body: unknown): string | Uint8Array<ArrayBuffer> =>
  typeof body === 'string' || body instanceof Uint8Array
    ? (body as string | Uint8Array<ArrayBuffer>)
    : JSON.stringify(body);
