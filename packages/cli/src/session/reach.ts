/** Requests from this machine, also to names that only browsers and curl know. */
import { nodeFetch } from '../../../sdk/src/node-fetch.ts';
import { exitCodes } from '../exit-codes.ts';
import { CommandFailed } from '../failures.ts';

/**
 * `fetch`, for addresses below `localhost` too.
 *
 * @throws {@link CommandFailed} `NO_SERVER` where no server answers; `NOT_ATRIUM` where another
 *   product does.
 */
export const fetchHere = async (request: Request): Promise<Response> => {
  const { origin } = new URL(request.url);
  const response = await nodeFetch(request).catch((error: unknown) => {
    if (request.signal.aborted && !isTimeout(request.signal.reason)) throw error;
    throw failed(`no server answers at ${origin}`, { code: 'NO_SERVER' }, error);
  });
  if (!isForeign(response)) return response;
  await response.body?.cancel();
  const { status } = response;
  throw failed(
    `${origin} answered (HTTP ${status}, ${typeOf(response) ?? 'no content type'}), ` +
      'but it is not an Atrium server',
    { code: 'NOT_ATRIUM', status },
  );
};

const failed = (message: string, details: CommandFailed['details'], cause?: unknown) =>
  new CommandFailed(message, cause, exitCodes.failed, details);

/** What a proxy says of the server behind it, which may be one of ours in a while. */
const OF_PROXIES: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Every answer of the server names its request, and its refusals are problems (RFC 9457). */
const isForeign = (response: Response): boolean => {
  const { status, ok, headers } = response;
  if (OF_PROXIES.has(status)) return false;
  if (!headers.has('x-request-id')) return true;
  const isRedirect = status >= 300 && status < 400;
  return !ok && !isRedirect && typeOf(response) !== 'application/problem+json';
};

const typeOf = ({ headers }: Response): string | null =>
  headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? null;

const isTimeout = (reason: unknown): boolean => (reason as Error | null)?.name === 'TimeoutError';
