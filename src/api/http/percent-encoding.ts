/** Percent-encoded bytes in queries and forms, whose parsers keep or replace invalid UTF-8. */
import { memberPath } from './schema-precheck.ts';
import type { FieldError } from './problems.ts';

/** Whether a text is percent-encoded UTF-8. RFC 3986 section 2.1 */
export const isDecodable = (encoded: string): boolean => {
  try {
    decodeURIComponent(encoded);
    return true;
  } catch {
    return false;
  }
};

/** The first parameter of a URL's query that is not percent-encoded UTF-8; `null` if all are. */
export const undecodable = (url: string): FieldError | null => {
  // Most URLs have none.
  if (!url.includes('%')) return null;
  const query = /[?#](.*)/s.exec(url)?.[1] ?? '';
  const parameter = query.split('&').find((each) => !isDecodable(each));
  if (parameter === undefined) return null;
  const name = parameter.split('=', 1)[0]!;
  const path = memberPath('', isDecodable(name) ? decodeURIComponent(name) : name);
  return { path, message: 'is not percent-encoded UTF-8' };
};
