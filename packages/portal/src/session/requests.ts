/** Requests in the name of the session, which wait while one signs in again. */
import { createAtrium, type Atrium, type components } from '../../../sdk/src/index.ts';
import type { Session } from './session.ts';

export type Schemas = components['schemas'];
export type Me = Schemas['Me'];
export type Permission = Me['permissions'][number];

/** Of a platform, with the session's token. */
export interface Api extends Atrium {
  /** As `fetch`, for answers that the client does not read: exports. */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
}

/** @param url Of the platform or of a sandbox. */
export const apiOf = (session: Session, url = location.origin): Api => {
  const persistently = async (request: Request): Promise<Response> => {
    const token = request.headers.get('authorization')!.slice('Bearer '.length);
    const copy = request.clone();
    const answer = await fetch(request);
    if (answer.status !== 401) return answer;
    session.refused(token);
    // The deadline of the request was for the server, not for the person at the screen.
    const body = ['GET', 'HEAD'].includes(copy.method) ? undefined : await copy.arrayBuffer();
    const headers = new Headers(copy.headers);
    headers.set('authorization', `Bearer ${await session.token()}`);
    return fetch(copy.url, { method: copy.method, headers, ...(body && { body }) });
  };
  const ownWrites = readingOwnWrites(persistently);
  return {
    ...createAtrium({ url, token: session.token, fetch: ownWrites }),
    fetch: async (path, init = {}) => {
      const headers = new Headers(init.headers);
      headers.set('authorization', `Bearer ${await session.token()}`);
      return persistently(new Request(url + path, { ...init, headers }));
    },
  };
};

type Fetch = (request: Request) => Promise<Response>;

/** Lists follow the log: one that has not yet is asked again, so often. contract.md section 1. */
const STALE_MAX_ATTEMPTS = 3;

/** What is read after a command shows what the command did. */
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
