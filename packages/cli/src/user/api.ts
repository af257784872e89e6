/** `atrium api`. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { next, GOES_ON_AFTER, type Page } from '../../../sdk/src/lists.ts';
import { AtriumError } from '../../../sdk/src/problems.ts';
import { usageError } from '../failures.ts';
import type { Invocation } from '../invocation.ts';
import { atriumCalling } from '../session/client.ts';
import { requestOf, type ApiMethod, type ApiOptions, type ApiRequest } from './api-request.ts';
import { selecting, type Selecting } from './jq.ts';
import { platformOf, type SandboxOption } from './platform.ts';

interface CallingOptions extends ApiOptions, SandboxOption {
  readonly paginate?: true;
  readonly slurp?: true;
  readonly jq?: string;
  readonly include?: true;
}

/** @throws for a refusal. */
type Send = (request: ApiRequest) => Promise<Response>;

export const callApi = async (invocation: Invocation<CallingOptions>): Promise<void> => {
  const { words, options } = invocation;
  const request = await requestOf(words[0] as ApiMethod, words[1]!, options);
  const { paginate, slurp, include } = options;
  if (paginate && request.method !== 'GET') throw usageError('--paginate needs GET');
  if (paginate && include) throw usageError('--include cannot be combined with --paginate');
  if (slurp && !paginate) throw usageError('--slurp needs --paginate');
  const select = options.jq === undefined ? null : await selecting(options.jq);
  const { url, token } = await platformOf(invocation);
  const send = sendingTo(url, token);
  try {
    if (paginate) await printPages(send, request, { select, slurp: slurp ?? false });
    else await printAnswer(await send(request), { select, include: include ?? false });
  } catch (error) {
    if (AtriumError.is(error)) await printRefusal(error, options);
    throw error;
  }
};

const sendingTo = (url: string, token: () => Promise<string>): Send => {
  const client = atriumCalling(url, token);
  return async ({ method, path, query, headers, body }) => {
    // The paths of the document are typed; this one was typed by a person.
    const call = client[method] as (path: string, init: object) => Promise<{ response: Response }>;
    const { response } = await call(path, {
      headers,
      parseAs: 'stream',
      params: { query: {} },
      querySerializer: () => query.toString(),
      ...(body !== null && { body, bodySerializer: (whole: unknown) => whole }),
    });
    return response;
  };
};

const write = (text: string): void => void process.stdout.write(text);

interface Printing {
  readonly select: Selecting | null;
  readonly include: boolean;
}

const printAnswer = async (response: Response, { select, include }: Printing): Promise<void> => {
  if (include) write(headOf(response));
  if (response.body === null) return;
  const isJson = /^application\/(.+\+)?json\b/.test(response.headers.get('content-type') ?? '');
  if (select !== null) {
    if (!isJson) throw usageError('--jq: the response is not JSON');
    return write(lined(await select(await response.text())));
  }
  // For people, with indents; for programs, the very bytes.
  if (isJson && process.stdout.isTTY)
    return write(`${JSON.stringify(await response.json(), null, 2)}\n`);
  await pipeline(Readable.fromWeb(response.body as never), process.stdout, { end: false });
  if (isJson) write('\n');
};

const headOf = ({ status, statusText, headers }: Response): string => {
  const lines = [...headers].map(([name, value]) => `${name}: ${value}`);
  return `HTTP/1.1 ${status} ${statusText}\n${lines.join('\n')}\n\n`;
};

const lined = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

interface Paging {
  readonly select: Selecting | null;
  readonly slurp: boolean;
}

const printPages = async (
  send: Send,
  request: ApiRequest,
  { select, slurp }: Paging,
): Promise<void> => {
  const all: unknown[] = [];
  for await (const item of itemsOf(send, request)) {
    if (slurp) all.push(item);
    else await printItem(item, select);
  }
  if (slurp) await printItem(all, select);
};

const printItem = async (item: unknown, select: Selecting | null): Promise<void> => {
  const json = JSON.stringify(item);
  const text = select === null ? json : await select(json);
  // A reader that is slower than the server is waited for.
  if (!process.stdout.write(lined(text)))
    await new Promise<void>((drained) => process.stdout.once('drain', drained));
};

/** Every item, page after page, as the SDK goes through lists. */
async function* itemsOf(send: Send, request: ApiRequest): AsyncGenerator<unknown, void, undefined> {
  const query = new URLSearchParams(request.query);
  const by = query.has('after') || goesOnAfter(request.path) ? 'after' : 'cursor';
  for (;;) {
    const response = await send({ ...request, query });
    const page = (await response.json()) as Page;
    if (!Array.isArray(page.items)) throw usageError('--paginate: the response is not a list');
    yield* page.items;
    const asked = Object.fromEntries(query);
    const following = next(page, asked, by);
    if (following === null) return;
    for (const [name, value] of Object.entries(following))
      if (value !== asked[name]) query.set(name, String(value));
  }
}

/** Whether the path is one of those that the SDK goes on with by `after`. */
const goesOnAfter = (path: string): boolean =>
  [...GOES_ON_AFTER].some((template) => {
    const pattern = template.replaceAll(/\{\w+\}/g, '[^/]+');
    return new RegExp(`^${pattern}$`).test(path);
  });

/** Prints the refusal for programs; {@link explained} prints it for people. */
const printRefusal = async (
  { problem, response }: AtriumError,
  { json, include }: CallingOptions & { readonly json?: true },
): Promise<void> => {
  if (include) write(headOf(response));
  if (json) write(`${JSON.stringify(problem)}\n`);
};
