import { RETURN_CHARACTERS_MAX } from './limits.ts';

const HOME = '/';

/** A base that no return address can name. */
const BASE = 'http://return.invalid';

/** Characters that browsers strip or read as a slash, also encoded, as proxies may decode them. */
const DECEPTIVE = /[\p{Cc}\\]|%([01][\da-f]|7f)|^\/*%(2f|5c)/iu;

/**
 * The page to go to after a sign-in: a path of the same origin with query and fragment, as a
 * browser resolves it; `/` for everything else. contract.md section 2.
 */
export const returnAddress = (requested: unknown): string => {
  if (typeof requested !== 'string' || requested.length > RETURN_CHARACTERS_MAX) return HOME;
  if (!requested.startsWith('/') || DECEPTIVE.test(requested)) return HOME;
  if (!requested.isWellFormed()) return HOME;
  const url = URL.parse(requested, BASE);
  if (url?.origin !== BASE) return HOME;
  // `/.//host` resolves to the path `//host`, which by itself is an address of another host.
  if (/^\/([/\\]|%(2f|5c))/i.test(url.pathname)) return HOME;
  return url.pathname + url.search + url.hash;
};
