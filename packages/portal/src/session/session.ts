/**
 * The session of this browser: a cookie that no script can read. Every tab shares it. When it ends,
 * the page stays as it is, and what is being sent waits until the person has signed in again.
 */
import { readSession, type Me } from './me.ts';

export interface Session {
  /** Who has signed in. */
  readonly me: Me;
  /** Of every request: the server refuses it once somebody else has signed in. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether one has to sign in again. */
  readonly hasEnded: () => boolean;
  readonly subscribe: (listener: () => void) => () => void;
  /**
   * The server has refused the session: resolves when there is one of the same person, which may be
   * at once, because another tab has signed in.
   */
  readonly resumed: () => Promise<void>;
  /** In a window of its own. @returns Whether the browser has let it open. */
  readonly signInAgain: () => boolean;
  readonly signOut: () => void;
}

/** Where the window of {@link Session.signInAgain} ends. */
const WINDOW = '/?signed-in';

/** Tells all tabs that somebody has signed in or out. */
const CHANNEL = 'atrium.session';

const loginAt = (returnTo: string): string =>
  `/session/login?return=${encodeURIComponent(returnTo)}`;

/** Leaves the page for the issuer, and comes back to it. */
export const signIn = (): void => location.assign(loginAt(`/${location.hash}`));

/** Leaves the page for the issuer, which forgets the person too. */
export const signOut = (): void => {
  // A form, because the answer leads to the issuer, which a script may not see.
  const form = document.createElement('form');
  form.method = 'post';
  form.action = '/session/logout';
  document.body.append(form);
  form.submit();
};

/** Has the other tabs look who has signed in. */
export const announce = (): void => {
  const channel = new BroadcastChannel(CHANNEL);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
  channel.postMessage('changed');
  channel.close();
};

/** @returns Whether this is the window of a further sign-in, which is then over. */
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
  let looking: Promise<void> | null = null;

  const tell = () => listeners.forEach((listener) => listener());
  const end = () => {
    if (ended) return;
    ended = true;
    tell();
  };
  const resume = () => {
    ended = false;
    const sent = waiting;
    waiting = [];
    for (const send of sent) send();
    tell();
  };

  const lookOnce = async () => {
    const now = await readSession();
    if (now === null) return end();
    // What is on the page was for somebody else.
    if (now.actor.id !== me.actor.id || now.organisation !== me.organisation)
      return location.reload();
    resume();
  };
  /** A look that fails says nothing of the session; the next one may. */
  const look = () => (looking ??= lookOnce().finally(() => (looking = null)));
  const lookLater = () => void look().catch(() => undefined);

  new BroadcastChannel(CHANNEL).addEventListener('message', lookLater);
  // The sign-in may have ended in a window that could say nothing.
  document.addEventListener('visibilitychange', () => {
    if (ended && !document.hidden) lookLater();
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
        look().catch(reject);
      }),
    signInAgain: () => window.open(loginAt(WINDOW), '', 'popup,width=480,height=640') !== null,
    signOut,
  };
};
