import type { ComponentChildren, JSX } from 'preact';
import { useEffect } from 'preact/hooks';

/** The frame of every page without sign-in. @param title Of the window. */
export const Frame = ({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}): JSX.Element => {
  useEffect(() => {
    document.title = `${title} · Atrium`;
  }, [title]);
  return (
    <main class="public">
      <p class="public-brand">
        <img src="/portal/icon.svg" alt="" width="22" height="22" />
        Atrium
      </p>
      {children}
    </main>
  );
};
