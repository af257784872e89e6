import { RETURN_CHARACTERS_MAX } from './limits.ts';

const HOME = '/';

/** A base that no return address can name. */
const BASE = 'http://return.invalid';

/** What a browser strips or reads as a slash, also encoded, as a proxy may decode it. */
const DECEPTIVE = /[\p{Cc}\\]|%([01][\da-f]|7f)|^\/*%(2f|5c)/iu;

/**
 * The page to go to after a sign-in: a path of the same origin with query and fragment, as a
 * browser resolves it; `/` for everything else. contract.md section 2.
 */
export const returnAddress = (asked: unknown): string => {
  if (typeof asked !== 'string' || asked.length > RETURN_CHARACTERS_MAX) return HOME;
  if (!asked.startsWith('/') || DECEPTIVE.test(asked) || !asked.isWellFormed()) return HOME;
  const url = URL.parse(asked, BASE);
  if (url?.origin !== BASE) return HOME;
  // `/.//host` resolves to the path `//host`, which as an address of its own names a host.
  if (/^\/([/\\]|%(2f|5c))/i.test(url.pathname)) return HOME;
  return url.pathname + url.search + url.hash;
};
