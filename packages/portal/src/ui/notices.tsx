/** The states of data: loading, empty and failed. */
import type { ComponentChildren, JSX } from 'preact';
import { AtriumError } from '../../../sdk/src/index.ts';
import type { Loaded } from '../loading.ts';
import { fieldErrorsOf, wordsOf } from './error-words.ts';
import { Icon } from './icons.tsx';
import { memberSentence } from './plain-messages.ts';

export const Spinner = (): JSX.Element => <span class="spinner" aria-hidden="true" />;

export const Loading = ({ what = 'Loading' }: { readonly what?: string }): JSX.Element => (
  <p class="loading" role="status">
    <Spinner />
    {what}…
  </p>
);

export const Empty = ({
  title,
  isPage = false,
  children,
}: {
  readonly title: string;
  /** Default: in place of a part of a page, which has a heading of its own. */
  readonly isPage?: boolean;
  readonly children?: ComponentChildren;
}): JSX.Element => {
  const Title = isPage ? 'h1' : 'p';
  return (
    <div class="empty">
      <Title class="empty-title">{title}</Title>
      {children}
    </div>
  );
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
            {error.code}
            {error.requestId !== '' && ` · request ${error.requestId}`}
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
