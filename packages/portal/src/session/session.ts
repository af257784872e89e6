/**
 * The session of this browser: a cookie that no script can read, shared by all tabs. When it ends,
 * the page stays as it is, and pending requests wait until the person has signed in again.
 */
import { readSession, type Me } from './me.ts';

export interface Session {
  /** The person who has signed in. */
  readonly me: Me;
  /** Headers of every request, by which the server refuses it once another person has signed in. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the person has to sign in again. */
  readonly hasEnded: () => boolean;
  readonly subscribe: (listener: () => void) => () => void;
  /**
   * Called when the server has refused the session. Resolves once the same person has a session
   * again, which may be at once, because another tab has signed in.
   */
  readonly resumed: () => Promise<void>;
  /** Opens the sign-in in its own window. @returns whether the browser allowed the window. */
  readonly signInAgain: () => boolean;
  readonly signOut: () => void;
}

/** The final address of the window of {@link Session.signInAgain}. */
const WINDOW = '/?signed-in';

/** The channel that notifies all tabs of a sign-in or sign-out. */
const CHANNEL = 'atrium.session';

const loginAt = (returnTo: string): string =>
  `/session/login?return=${encodeURIComponent(returnTo)}`;

/** Redirects to the issuer, which returns to this page. */
export const signIn = (): void => location.assign(loginAt(`/${location.hash}`));

/** Redirects to the issuer, which ends its own session too. */
export const signOut = (): void => {
  // A form, because the response redirects to the issuer, which a script may not request.
  const form = document.createElement('form');
  form.method = 'post';
  form.action = '/session/logout';
  document.body.append(form);
  form.submit();
};

/** Makes the other tabs check who has signed in. */
export const announce = (): void => {
  const channel = new BroadcastChannel(CHANNEL);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
  channel.postMessage('changed');
  channel.close();
};

/** Closes the window of a further sign-in. @returns whether this is that window. */
export const endWindow = (): boolean => {
  if (location.pathname + location.search !== WINDOW) return false;
  announce();
  window.close();
  return true;
};

export const openSession = (me: Me): Session => {
  const listeners = new Set<() => void>();
  let ended = false;
  let waiting: (() => void)[] = [];
  let checking: Promise<void> | null = null;

  const notify = () => listeners.forEach((listener) => listener());
  const end = () => {
    if (ended) return;
    ended = true;
    notify();
  };
  const resume = () => {
    ended = false;
    const sent = waiting;
    waiting = [];
    for (const send of sent) send();
    notify();
  };

  const checkOnce = async () => {
    const now = await readSession();
    if (now === null) return end();
    // The page was rendered for another person.
    if (now.actor.id !== me.actor.id || now.organisation !== me.organisation)
      return location.reload();
    resume();
  };
  /** A failed check says nothing about the session; the next one may succeed. */
  const check = () => (checking ??= checkOnce().finally(() => (checking = null)));
  const checkLater = () => void check().catch(() => undefined);

  new BroadcastChannel(CHANNEL).addEventListener('message', checkLater);
  // The sign-in may have ended in a window that could not notify this tab.
  document.addEventListener('visibilitychange', () => {
    if (ended && !document.hidden) checkLater();
  });

  return {
    me,
    headers: { 'x-atrium-subject': encodeURIComponent(me.actor.id) },
    hasEnded: () => ended,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    resumed: () =>
      new Promise((resolve, reject) => {
        waiting.push(resolve);
        check().catch(reject);
      }),
    signInAgain: () => window.open(loginAt(WINDOW), '', 'popup,width=480,height=640') !== null,
    signOut,
  };
};
