import { render, type JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../ui/icons.tsx';
import { keepInTopDialog } from '../ui/top-dialog.ts';
import type { Session } from './session.ts';

/** The banner takes the focus only after this pause in typing. */
const TYPING_MS = 700;

/** Announces the end of the session, and leaves the page as it is. */
const EndedBanner = ({ session }: { readonly session: Session }): JSX.Element => {
  const [isBlocked, setBlocked] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => focusedAfterTyping(button.current!), []);
  return (
    <section class="banner" role="alert" aria-label="Your session has ended">
      <Icon name="warning" />
      <p>
        <strong>Your session has ended.</strong> Text that you have typed stays here, and pending
        actions are sent when you have signed in again.
        {isBlocked && ' The browser has blocked the window: allow it, and press again.'}
      </p>
      <button
        ref={button}
        type="button"
        class="button primary"
        onClick={() => setBlocked(!session.signInAgain())}
      >
        Sign in again
      </button>
    </section>
  );
};

/** Focuses the button once typing pauses, and restores the focus when the button is removed. */
const focusedAfterTyping = (button: HTMLElement): (() => void) => {
  const before = document.activeElement;
  const takeFocus = () => button.focus();
  let timer = setTimeout(takeFocus, TYPING_MS);
  const typed = () => {
    if (document.activeElement === button) return;
    clearTimeout(timer);
    timer = setTimeout(takeFocus, TYPING_MS);
  };
  addEventListener('keydown', typed, true);
  return () => {
    clearTimeout(timer);
    removeEventListener('keydown', typed, true);
    if (before instanceof HTMLElement && before.isConnected) before.focus();
  };
};

/** Shows the banner while the session has ended. @returns a function that stops it. */
export const watchSession = (session: Session): (() => void) => {
  const place = document.createElement('div');
  place.className = 'banner-place';
  // Above everything, dialogs included.
  place.popover = 'manual';
  let remove: (() => void) | null = null;
  const onMoved = (hadFocus: boolean) => {
    place.showPopover();
    if (hadFocus) place.querySelector('button')?.focus();
  };
  const show = () => {
    if (session.hasEnded() === (remove !== null)) return;
    if (remove) {
      render(null, place);
      remove();
      remove = null;
      return;
    }
    remove = keepInTopDialog(place, onMoved);
    render(<EndedBanner session={session} />, place);
  };
  show();
  return session.subscribe(show);
};
