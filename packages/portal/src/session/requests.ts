/** Requests of the session, which wait while the person signs in again. */
import { createAtrium, type Atrium } from '../../../sdk/src/index.ts';
import type { Session } from './session.ts';

export type { Me, Permission, Schemas } from './me.ts';

/** The client of a platform, with the session of this browser. */
export interface Api extends Atrium {
  /** As `fetch`, for responses that the client does not parse: exports. */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
}

/** @param url Of the platform, or of the proxy to a sandbox. */
export const apiOf = (session: Session, url = location.origin): Api => {
  const persistently = async (request: Request): Promise<Response> => {
    for (const [name, value] of Object.entries(session.headers)) request.headers.set(name, value);
    const copy = request.clone();
    const answer = await fetch(request);
    if (answer.status !== 401) return answer;
    await session.resumed();
    // Without the deadline of the request, which was for the server and not for the sign-in.
    const body = ['GET', 'HEAD'].includes(copy.method) ? undefined : await copy.arrayBuffer();
    const { method, headers } = copy;
    return fetch(copy.url, { method, headers, ...(body && { body }) });
  };
  const ownWrites = readingOwnWrites(persistently);
  return {
    ...createAtrium({ url, fetch: ownWrites }),
    fetch: (path, init = {}) => persistently(new Request(url + path, init)),
  };
};

/** The proxy of this server to a sandbox, by which the page needs no token that could be leaked. */
export const passageTo = ({ apiUrl }: { readonly apiUrl: string }): string => {
  const [slug] = new URL(apiUrl).hostname.split('.');
  return `${location.origin}/session/sandboxes/${slug}`;
};

type Fetch = (request: Request) => Promise<Response>;

/** Reads of a list that lags behind the session's last write. contract.md section 1. */
const STALE_MAX_ATTEMPTS = 3;

/** Read-your-writes consistency: a read after a command includes its effect. */
const readingOwnWrites = (fetch: Fetch): Fetch => {
  let position: string | null = null;
  return async (request) => {
    if (request.method !== 'GET') {
      const answer = await fetch(request);
      position = answer.headers.get('x-atrium-position') ?? position;
      return answer;
    }
    if (position !== null) request.headers.set('x-atrium-position', position);
    for (let attempt = 1; ; attempt += 1) {
      const answer = await fetch(request.clone());
      const isStale = answer.headers.get('x-atrium-stale') === 'true';
      if (!isStale || attempt === STALE_MAX_ATTEMPTS) return answer;
      await answer.body?.cancel();
    }
  };
};
