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
  return {
    ...createAtrium({ url, token: session.token, fetch: persistently }),
    fetch: async (path, init = {}) => {
      const headers = new Headers(init.headers);
      headers.set('authorization', `Bearer ${await session.token()}`);
      return persistently(new Request(url + path, { ...init, headers }));
    },
  };
};
