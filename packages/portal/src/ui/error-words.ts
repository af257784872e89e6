/** Error messages for users. */
import { AtriumError, AtriumUnreachableError, type Problem } from '../../../sdk/src/index.ts';

interface FieldErrors {
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
}

/** The members of a body that were refused. */
export const fieldErrorsOf = (error: unknown): NonNullable<FieldErrors['errors']> =>
  AtriumError.is(error) ? ((error.problem as Problem & FieldErrors).errors ?? []) : [];

export const wordsOf = (error: unknown): string => {
  if (AtriumError.is(error)) {
    const { type, detail, title, status } = error.problem;
    // A proxy has answered in place of the server.
    if (type === 'about:blank' && status >= 500)
      return 'The server does not answer at the moment: try again.';
    return detail ?? title;
  }
  // A `SyntaxError`: a page of a proxy came in place of the answer.
  const lost = [AtriumUnreachableError, TypeError, SyntaxError];
  if (lost.some((kind) => error instanceof kind)) return 'The server cannot be reached.';
  return error instanceof Error ? error.message : String(error);
};
