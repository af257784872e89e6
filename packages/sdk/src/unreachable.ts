/** A request that was not answered. */

/**
 * No answer: the server or the way to it is away, or the time was up, or a page of a proxy came in
 * place of the answer. `cause` is what the platform says of the last attempt.
 *
 * @stable
 */
export class AtriumUnreachableError extends Error {
  override readonly name = 'AtriumUnreachableError';
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** How often it was sent. */
  readonly attempts: number;

  constructor(
    { method, path }: { readonly method: string; readonly path: string },
    attempts: number,
    cause: unknown,
  ) {
    const times = attempts === 1 ? 'one attempt' : `${attempts} attempts`;
    super(`${method} ${path}: no answer after ${times}: ${saidBy(cause)}`, { cause });
    this.method = method;
    this.path = path;
    this.attempts = attempts;
  }
}

/** The innermost cause says most: `fetch failed` is no reason. */
const saidBy = (error: unknown): string => {
  const { message, cause, code, errors } = (error ?? {}) as Failure;
  const inner = cause ?? errors?.[0];
  if (inner !== undefined) return saidBy(inner);
  return [message || String(error), code].filter((part) => isNew(part, message)).join(' ');
};

const isNew = (part: unknown, message: string | undefined): part is string =>
  typeof part === 'string' && (part === message || !message?.includes(part));

interface Failure {
  readonly message?: string;
  readonly cause?: unknown;
  readonly code?: unknown;
  readonly errors?: readonly unknown[];
}

/** The code of the operating system, such as `ECONNREFUSED`, wherever it is said. */
export const systemCodeOf = (error: unknown): string | null => {
  const { code, cause, errors } = (error ?? {}) as Failure;
  if (typeof code === 'string') return code;
  const inner = cause ?? errors?.[0];
  return inner === undefined ? null : systemCodeOf(inner);
};

/** What `fetch` throws: of browsers, of Node, and of Node's own client. */
export const isConnectionFailure = (error: unknown): boolean =>
  error instanceof TypeError ||
  (error as Error | null)?.name === 'TimeoutError' ||
  typeof (error as Failure | null)?.code === 'string';
