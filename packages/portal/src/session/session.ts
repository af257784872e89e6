/**
 * The session of this tab. It lies in the tab's own storage, which ends with the tab. When it ends
 * earlier, the page stays as it is: a window signs in again, and what was asked meanwhile waits.
 */
import type { Issuer } from './issuer.ts';
import {
  authorizationUrl,
  CALLBACK,
  CLIENT_ID,
  IN_WINDOW,
  newAttempt,
  subjectOf,
  tokensFor,
  type Attempt,
  type Tokens,
} from './sign-in.ts';

export interface Session {
  readonly isOpen: () => boolean;
  /** Whether it was there and has ended, so that one has to sign in again. */
  readonly hasEnded: () => boolean;
  readonly subscribe: (listener: () => void) => () => void;
  /** Of the session there is, or of the next one where it has ended. */
  readonly token: () => Promise<string>;
  /** The server no longer takes this token. */
  readonly refused: (token: string) => void;
  /** Leaves the page for the issuer, and comes back to it. */
  readonly signIn: () => Promise<void>;
  /** In a window of its own; call it from a press of a button. */
  readonly signInAgain: () => Promise<void>;
  readonly signOut: () => void;
}

const TOKENS = 'atrium.tokens';
const ATTEMPT = 'atrium.sign-in';
const CHANNEL = 'atrium.sign-in';
/** Before its end, so that no request is sent with a token that ends under way. */
const MARGIN_MS = 5_000;
/** The longest that a browser counts down. */
const TIMER_MAX_MS = 2 ** 31 - 1;

interface Kept extends Attempt {
  readonly from: string;
}

interface Answer {
  readonly state: string | null;
  readonly code: string | null;
  readonly error: string | null;
}

const answerIn = (search: string): Answer => {
  const query = new URLSearchParams(search);
  const error = query.get('error_description') ?? query.get('error');
  return { state: query.get('state'), code: query.get('code'), error };
};

/**
 * What a window does that was opened to sign in: it hands the code to its opener and closes.
 *
 * @returns whether this is such a window.
 */
export const handBack = (): boolean => {
  if (location.pathname !== CALLBACK) return false;
  const answer = answerIn(location.search);
  if (!answer.state?.startsWith(IN_WINDOW)) return false;
  const channel = new BroadcastChannel(CHANNEL);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
  channel.postMessage(answer);
  channel.close();
  window.close();
  return true;
};

/** Takes the code that the issuer has sent the page back with. @throws where it was refused. */
export const takeCode = async (issuer: Issuer): Promise<void> => {
  if (location.pathname !== CALLBACK) return;
  const { state, code, error } = answerIn(location.search);
  const kept = JSON.parse(sessionStorage.getItem(ATTEMPT) ?? 'null') as Kept | null;
  sessionStorage.removeItem(ATTEMPT);
  history.replaceState(null, '', `/${kept?.from ?? ''}`);
  if (error !== null) throw new Error(error);
  if (kept === null || code === null || state !== kept.state)
    throw new Error('This sign-in was not begun here, or long ago.');
  keep(await tokensFor(issuer, code, kept));
};

const keep = (tokens: Tokens): void => sessionStorage.setItem(TOKENS, JSON.stringify(tokens));

const kept = (): Tokens | null =>
  JSON.parse(sessionStorage.getItem(TOKENS) ?? 'null') as Tokens | null;

export const openSession = (issuer: Issuer): Session => {
  const listeners = new Set<() => void>();
  let tokens = kept();
  let ended = false;
  let waiting: ((token: string) => void)[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const tell = () => listeners.forEach((listener) => listener());
  const end = () => {
    clearTimeout(timer);
    if (tokens === null || ended) return;
    ended = true;
    tell();
  };
  const countDown = ({ expiresAt }: Tokens) => {
    clearTimeout(timer);
    const left = expiresAt - MARGIN_MS - Date.now();
    timer = setTimeout(end, Math.min(TIMER_MAX_MS, Math.max(0, left)));
  };
  const begin = (next: Tokens) => {
    const isSomebodyElse = tokens !== null && subjectOf(tokens) !== subjectOf(next);
    keep(next);
    // What stands on the page was for somebody else.
    if (isSomebodyElse) return location.reload();
    tokens = next;
    ended = false;
    countDown(next);
    const served = waiting;
    waiting = [];
    for (const serve of served) serve(next.accessToken);
    tell();
  };
  if (tokens !== null && tokens.expiresAt - MARGIN_MS <= Date.now()) tokens = null;
  if (tokens !== null) countDown(tokens);

  return {
    isOpen: () => tokens !== null,
    hasEnded: () => ended,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    token: () =>
      tokens !== null && !ended
        ? Promise.resolve(tokens.accessToken)
        : new Promise((resolve) => waiting.push(resolve)),
    refused(token) {
      if (tokens?.accessToken === token) end();
    },
    async signIn() {
      const attempt: Kept = { ...newAttempt(), from: location.hash };
      sessionStorage.setItem(ATTEMPT, JSON.stringify(attempt));
      location.assign(await authorizationUrl(issuer, attempt));
    },
    async signInAgain() {
      // At once: a window that opens later than the press is blocked.
      const opened = window.open('', '', 'popup,width=480,height=640');
      const attempt = newAttempt(IN_WINDOW);
      const channel = new BroadcastChannel(CHANNEL);
      const address = await authorizationUrl(issuer, attempt);
      const answered = new Promise<Answer>((resolve) => {
        channel.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
          if (data.state === attempt.state) resolve(data);
        });
      });
      if (opened === null) throw new Error('The browser has blocked the window. Allow it, please.');
      opened.location.href = address;
      const { code, error } = await answered;
      channel.close();
      if (code === null) throw new Error(error ?? 'The issuer has sent no code.');
      begin(await tokensFor(issuer, code, attempt));
    },
    signOut() {
      const idToken = tokens?.idToken ?? null;
      sessionStorage.removeItem(TOKENS);
      if (issuer.endSessionEndpoint === undefined) return location.assign('/');
      const url = new URL(issuer.endSessionEndpoint);
      url.searchParams.set('client_id', CLIENT_ID);
      url.searchParams.set('post_logout_redirect_uri', `${issuer.portal}/`);
      if (idToken !== null) url.searchParams.set('id_token_hint', idToken);
      location.assign(url);
    },
  };
};
