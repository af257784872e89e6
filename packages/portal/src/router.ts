/**
 * The current route: `#/tickets/018f…?state=new`. The state of a page is in its address, so that it
 * can be bookmarked, shared and revisited.
 */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ROUTE_CHANGE } from './history.ts';

export interface Route {
  /** The segments of the path; none on the first page. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

export type Query = Readonly<Record<string, string | number | null | undefined>>;

export const routeIn = (hash: string): Route => {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const parts = path.split('/').filter(Boolean).map(decoded);
  return { path: parts, query: new URLSearchParams(query) };
};

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

export const useRoute = (): Route => {
  const hash = useRef(location.hash);
  const [route, setRoute] = useState(() => routeIn(location.hash));
  useLayoutEffect(() => {
    const changed = () => setRoute(routeIn(location.hash));
    // The address may have changed between the first render and this effect.
    if (location.hash !== hash.current) changed();
    addEventListener(ROUTE_CHANGE, changed);
    return () => removeEventListener(ROUTE_CHANGE, changed);
  }, []);
  return route;
};

/** An address for `href`. Empty parameters are left out. */
export const to = (path: readonly string[], query: Query = {}): string => {
  const set = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
  const pairs = set
    .map(([name, value]) => [name, String(value)] as const)
    .filter(([, value]) => value !== '');
  const search = new URLSearchParams(pairs.map((pair) => [...pair])).toString();
  return `#/${path.map(encodeURIComponent).join('/')}${search && `?${search}`}`;
};

export const go = (path: readonly string[], query: Query = {}): void => {
  location.hash = to(path, query);
};

/** Changes the query of the current page: the given parameters replace those of the address. */
export const ask = (route: Route, query: Query): void =>
  go(route.path, { ...Object.fromEntries(route.query), ...query });
