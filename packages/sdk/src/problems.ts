import type { components } from './openapi.ts';

type Schemas = components['schemas'];

/** Each code with its members: `switch (problem.code)` narrows the type. @stable */
export type Problem = {
  readonly [Name in keyof Schemas]: Name extends 'Problem'
    ? never
    : Name extends `${string}Problem`
      ? Schemas[Name]
      : never;
}[keyof Schemas];

/** `TICKET_CLOSED`, `NOT_FOUND`, …: every code that this release knows. @stable */
export type ProblemCode = Problem['code'];

/** The problem of one code. @stable */
export type ProblemOf<Code extends ProblemCode> = Extract<Problem, { readonly code: Code }>;

/**
 * The server refused the request: RFC 9457. {@link AtriumError.is} narrows it by code.
 *
 * @stable
 */
export class AtriumError<Known extends Problem = Problem> extends Error {
  override readonly name = 'AtriumError';
  /** The status of the response. */
  readonly status: number;
  /** Stable. A code that is newer than this release is a plain string. */
  readonly code: Known['code'];
  /** Identifies the request in the server's log. */
  readonly requestId: string;
  readonly problem: Known;
  readonly response: Response;

  constructor(problem: Known, response: Response) {
    super(problem.detail ?? problem.title);
    this.status = response.status;
    this.code = problem.code;
    this.requestId = problem.requestId;
    this.problem = problem;
    this.response = response;
  }

  /** Whether `error` is a problem, of this code where one is given. */
  static is<Code extends ProblemCode>(
    error: unknown,
    code?: Code,
  ): error is AtriumError<ProblemOf<Code>> {
    return error instanceof AtriumError && (code === undefined || error.code === code);
  }
}

/** Whether a retry may succeed: the connection broke, or the server is overloaded or restarting. */
export const isPassing = (error: unknown): boolean =>
  !AtriumError.is(error) || error.status === 429 || error.status >= 502;

export const isJson = ({ headers }: Response): boolean =>
  /^application\/(\w+\+)?json\b/.test(headers.get('content-type') ?? '');

/** The error of an unsuccessful answer, of the server or of a proxy in between. */
export const errorOf = async (response: Response): Promise<AtriumError> => {
  const text = await response.text();
  return new AtriumError(problemIn(text) ?? foreign(response), response);
};

const problemIn = (text: string): Problem | null => {
  try {
    const body = JSON.parse(text) as Partial<Problem> | null;
    return isProblem(body) ? body : null;
  } catch {
    return null;
  }
};

/** Others too call something their `code`. */
const isProblem = (body: Partial<Problem> | null): body is Problem =>
  typeof body?.code === 'string' &&
  typeof body.title === 'string' &&
  typeof body.status === 'number' &&
  typeof body.requestId === 'string';

/** A proxy answers in its own way. */
const foreign = ({ status, statusText, headers }: Response): Problem => ({
  type: 'about:blank',
  title: statusText || `HTTP ${status}`,
  status: status as 503,
  code: 'UNAVAILABLE',
  requestId: headers.get('x-request-id') ?? '',
});
