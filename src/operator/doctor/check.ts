import { withTimeout } from '../../engine/concurrency/timeout.ts';

/**
 * The result of a check. `warned`: it works, and will fail soon unless the operator acts. `none`:
 * there is nothing to check, which is no fault.
 */
export interface Finding {
  readonly status: 'ok' | 'warned' | 'failed' | 'none';
  /** One line, without secrets. */
  readonly detail: string;
}

export interface CheckResult extends Finding {
  readonly name: string;
}

export const ok = (detail: string): Finding => ({ status: 'ok', detail });
export const warned = (detail: string): Finding => ({ status: 'warned', detail });
export const failed = (detail: string): Finding => ({ status: 'failed', detail });
export const none = (detail: string): Finding => ({ status: 'none', detail });

/** `failed` with the faults, or `ok` if there are none. */
export const judged = (wrong: readonly string[], detail: string): Finding =>
  wrong.length === 0 ? ok(detail) : failed(wrong.join('; '));

/** `failed` if anything is wrong, else `warned` if anything will be soon, else `ok`. */
export const graded = (found: {
  readonly wrong: readonly string[];
  readonly soon: readonly string[];
  readonly detail: string;
}): Finding => {
  const { wrong, soon, detail } = found;
  if (wrong.length > 0) return failed([...wrong, ...soon].join('; '));
  return soon.length > 0 ? warned(soon.join('; ')) : ok(detail);
};

export interface CheckBounds {
  /** Redacts secrets in a text. */
  readonly hidden: (text: string) => string;
  /** Timeout, after which the check has failed. */
  readonly withinMs: number;
  /** Precedes the reason if the check throws or times out. Default: nothing. */
  readonly where?: string;
}

/** The result of `check`, or a failure if it throws or times out. Never throws. */
export const examined = async (
  name: string,
  check: () => Promise<Finding>,
  { hidden, withinMs, where }: CheckBounds,
): Promise<CheckResult> => {
  const because = (reason: string) => failed(where === undefined ? reason : `${where}: ${reason}`);
  const late = () => because(`no answer within ${withinMs / 1_000} s`);
  const bounded = async () => withTimeout(check(), withinMs, late);
  const { status, detail } = await bounded().catch((error: unknown) => because(reasonOf(error)));
  return { name, status, detail: hidden(detail).replaceAll(/\s+/g, ' ').trim() };
};

/** The reason is in the causes for several tried addresses, and for `fetch`. */
export const reasonOf = (error: unknown): string => {
  if (error instanceof AggregateError)
    return [...new Set(error.errors.map(reasonOf))].join(', ') || error.message;
  if (!(error instanceof Error)) return String(error);
  const { cause, message } = error;
  const code = 'code' in error ? String(error.code) : error.name;
  if (cause instanceof Error && cause.message !== '' && !message.includes(cause.message))
    return `${message}: ${reasonOf(cause)}`;
  return message || code;
};
