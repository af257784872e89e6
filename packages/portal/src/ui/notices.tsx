/** The states of data: loading, empty and failed. */
import type { ComponentChildren, JSX } from 'preact';
import { AtriumError, AtriumUnreachableError, type Problem } from '../../../sdk/src/index.ts';
import type { Loaded } from '../loading.ts';
import { Icon } from './icons.tsx';
import { memberSentence } from './plain-messages.ts';

export const Loading = ({ what = 'Loading' }: { readonly what?: string }): JSX.Element => (
  <p class="loading" role="status">
    <span class="spinner" aria-hidden="true" />
    {what}…
  </p>
);

export const Empty = ({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}): JSX.Element => (
  <div class="empty">
    <p class="empty-title">{title}</p>
    {children}
  </div>
);

interface FieldErrors {
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
}

/** The members of a body that were refused. */
export const fieldErrorsOf = (error: unknown): NonNullable<FieldErrors['errors']> =>
  AtriumError.is(error) ? ((error.problem as Problem & FieldErrors).errors ?? []) : [];

export const wordsOf = (error: unknown): string => {
  if (AtriumError.is(error)) return error.problem.detail ?? error.problem.title;
  if (error instanceof AtriumUnreachableError || error instanceof TypeError)
    return 'The server cannot be reached.';
  return error instanceof Error ? error.message : String(error);
};

export const Trouble = ({
  error,
  again,
}: {
  readonly error: unknown;
  readonly again?: () => void;
}): JSX.Element | null => {
  if (error === undefined || error === null) return null;
  const fields = fieldErrorsOf(error);
  return (
    <div class="trouble" role="alert">
      <Icon name="warning" />
      <div>
        <p>{fields.length > 0 ? 'Some values are invalid.' : wordsOf(error)}</p>
        {fields.length > 0 && (
          <ul>
            {fields.map(({ path, message }) => (
              <li key={`${path} ${message}`}>{memberSentence(path, message)}</li>
            ))}
          </ul>
        )}
        {AtriumError.is(error) && (
          <p class="faint small">
            {error.code} · request {error.requestId}
          </p>
        )}
      </div>
      {again && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  );
};

/** Loading, the error or the data; earlier data stays while newer data is loading. */
export const Show = <Data,>({
  of,
  children,
}: {
  readonly of: Omit<Loaded<Data>, 'set' | 'isStale'>;
  readonly children: (data: Data) => ComponentChildren;
}): JSX.Element => {
  if (of.data === undefined)
    return of.error === undefined ? <Loading /> : <Trouble error={of.error} again={of.reload} />;
  return (
    <div aria-busy={of.isLoading} class={of.isLoading ? 'stale' : undefined}>
      <Trouble error={of.error} again={of.reload} />
      {children(of.data)}
    </div>
  );
};
