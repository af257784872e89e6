/** The outcome of an attempt. interface.md «Errors»: anything but 2xx is a failure. */

export interface Outcome {
  readonly succeeded: boolean;
  readonly httpCode: number | null;
  /** `null` where it succeeded. */
  readonly error: string | null;
  readonly responseBody: string | null;
}

/** @param reply The response, or the name of the error that prevented it. */
export const outcomeOf = (
  reply: { readonly status: number; readonly body: string } | { readonly failure: string },
): Outcome => {
  if ('failure' in reply) {
    return { succeeded: false, httpCode: null, error: reply.failure, responseBody: null };
  }
  const { status, body } = reply;
  const answered = { httpCode: status, responseBody: body };
  if (status >= 200 && status <= 299) return { succeeded: true, error: null, ...answered };
  const isRedirect = status >= 300 && status <= 399;
  return { succeeded: false, error: isRedirect ? 'redirect' : 'status', ...answered };
};
