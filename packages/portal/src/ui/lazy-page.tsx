import type { FunctionComponent, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Loading, Trouble } from './notices.tsx';

export interface LazyPage extends FunctionComponent {
  /** Fetches the script before the page is shown. */
  readonly preload: () => void;
}

/** A page whose script is fetched when it is first opened. */
export const lazyPage = (load: () => Promise<FunctionComponent>): LazyPage => {
  let loading: Promise<FunctionComponent> | undefined;
  let loaded: FunctionComponent | undefined;
  const once = () => {
    loading ??= load().then((page) => (loaded = page));
    return loading;
  };
  const Page = (): JSX.Element => {
    const [Shown, setShown] = useState(() => loaded);
    const [error, setError] = useState<unknown>(undefined);
    useEffect(() => {
      if (Shown === undefined) once().then((page) => setShown(() => page), setError);
    }, [Shown]);
    if (Shown !== undefined) return <Shown />;
    // A release that was installed meanwhile has other files: all of the page is fetched again.
    return error === undefined ? (
      <Loading />
    ) : (
      <Trouble error={error} again={() => location.reload()} />
    );
  };
  // A failure is shown by the page itself.
  return Object.assign(Page, { preload: () => void once().catch(() => {}) });
};
