/** Where the server's code is, for the commands that it carries out. */
import { readFileSync } from 'node:fs';

/** The `name` of the package.json of the server. */
const SERVER = 'atrium-server';

/**
 * The checkout or image that this package is part of: its root, or `null` where the package was
 * installed alone, even somewhere below a copy of the server.
 *
 * @param from The URL of a file. Default: this one's.
 */
export const checkout = (from = import.meta.url): URL | null => {
  const root = serverAbove(from);
  return root !== null && from.startsWith(new URL('packages/cli/', root).href) ? root : null;
};

const serverAbove = (from: string): URL | null => {
  const here = new URL('.', from);
  if (nameIn(here) === SERVER) return here;
  const above = new URL('..', here);
  return above.href === here.href ? null : serverAbove(above.href);
};

/** `undefined` where there is no package.json that can be read. */
const nameIn = (directory: URL): unknown => {
  try {
    const text = readFileSync(new URL('package.json', directory), 'utf8');
    return (JSON.parse(text) as { readonly name?: unknown }).name;
  } catch {
    return undefined;
  }
};
