/** The cookies of browser sessions. contract.md section 2. */
import type { IncomingHttpHeaders } from 'node:http';
import { isLoopbackHost } from '../loopback.ts';
import { SIGN_IN_MAX_MS } from './limits.ts';

export interface Cookies {
  /**
   * The session cookie's value. `null` if it is absent, malformed or sent twice: another host under
   * the same domain may have set one of the two.
   */
  session(headers: IncomingHttpHeaders): string | null;
  /** The `Set-Cookie` header that sets it. */
  setSession(value: string): string;
  clearSession(): string;
  /** The cookie of a pending sign-in, by the beginning of its state. */
  signIn(headers: IncomingHttpHeaders, state: string): string | null;
  /** The pending sign-ins, by the beginnings of their states, in the order of the header. */
  signIns(headers: IncomingHttpHeaders): readonly string[];
  setSignIn(state: string, value: string): string;
  clearSignIn(state: string): string;
}

/** Characters of a state that name its cookie. */
const STATE_CHARACTERS = 8;
const SESSION_VALUE = /^[\w-]{43}$/;

/**
 * @param origin Origin of the host that sets and reads the cookies. Except on plain-http loopback
 *   they are `Secure` and have the prefix `__Host-`, which no other host can set.
 */
export const cookiesOf = (origin: string): Cookies => {
  const { protocol, hostname } = new URL(origin);
  const isPlain = protocol === 'http:' && isLoopbackName(hostname);
  const name = isPlain ? 'atrium' : '__Host-atrium';
  const prefix = `${name}-sign-in-`;
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isPlain ? '' : '; Secure'}`;
  const signInName = (state: string) => prefix + state.slice(0, STATE_CHARACTERS);
  const one = (headers: IncomingHttpHeaders, cookieName: string): string | null => {
    const values = pairsIn(headers).filter(([key]) => key === cookieName);
    return values.length === 1 ? values[0]![1] : null;
  };
  return {
    session(headers) {
      const value = one(headers, name);
      return value !== null && SESSION_VALUE.test(value) ? value : null;
    },
    setSession: (value) => `${name}=${value}; ${attributes}`,
    clearSession: () => `${name}=; ${attributes}; Max-Age=0`,
    signIn: (headers, state) => one(headers, signInName(state)),
    signIns: (headers) =>
      pairsIn(headers)
        .filter(([key]) => key.startsWith(prefix))
        .map(([key]) => key.slice(prefix.length)),
    setSignIn: (state, value) =>
      `${signInName(state)}=${value}; ${attributes}; Max-Age=${SIGN_IN_MAX_MS / 1_000}`,
    clearSignIn: (state) => `${signInName(state)}=; ${attributes}; Max-Age=0`,
  };
};

/** RFC 6761: every name under `localhost` is loopback, such as those of sandboxes. */
const isLoopbackName = (hostname: string): boolean =>
  isLoopbackHost(hostname) || hostname.endsWith('.localhost');

const pairsIn = ({ cookie = '' }: IncomingHttpHeaders): readonly (readonly [string, string])[] =>
  cookie.split(';').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at === -1 ? [] : [[pair.slice(0, at).trim(), pair.slice(at + 1).trim()] as const];
  });
