import type { FunctionComponent, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Loading, Trouble } from './notices.tsx';

export interface LazyPage<Props extends object = object> extends FunctionComponent<Props> {
  /** Fetches the script before the page is shown. */
  readonly preload: () => void;
}

/** A page, or a part of one, whose script is fetched when it is first shown. */
export const lazyPage = <Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
): LazyPage<Props> => {
  let loading: Promise<FunctionComponent<Props>> | undefined;
  let loaded: FunctionComponent<Props> | undefined;
  const once = () => {
    loading ??= load().then((page) => (loaded = page));
    return loading;
  };
  const Page = (props: Props): JSX.Element => {
    const [Shown, setShown] = useState(() => loaded);
    const [error, setError] = useState<unknown>(undefined);
    useEffect(() => {
      if (Shown === undefined) once().then((page) => setShown(() => page), setError);
    }, [Shown]);
    if (Shown !== undefined) return <Shown {...props} />;
    // A newer release has other file names: the whole page is reloaded.
    return error === undefined ? (
      <Loading />
    ) : (
      <Trouble error={error} again={() => location.reload()} />
    );
  };
  // The page itself shows a failure.
  return Object.assign(Page, { preload: () => void once().catch(() => {}) });
};
