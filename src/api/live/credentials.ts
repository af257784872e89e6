/** Authenticates a handshake by the rules of every other request. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'socket.io';
import { type Caller, Unauthenticated } from '../../identity/caller.ts';
import type { SessionsAt } from '../../identity/sessions/sessions.ts';
import { isKey, type KeyAuthority } from '../../identity/keys/key-authority.ts';
import { Problem } from '../http/problems.ts';
import {
  refuseCrossSite,
  requirePermission,
  type AuthenticationParts,
} from '../sessions/authenticate.ts';
import { LIVE_PATH } from '../http/upgrades.ts';

/** The credentials in a client's first request. */
export interface Handshake {
  /** The client's `auth.token`, of any type. */
  readonly token: unknown;
  readonly headers: IncomingHttpHeaders;
  readonly sourceIp: string;
}

export const handshakeOf = ({ handshake }: Socket): Handshake => ({
  token: handshake.auth['token'],
  headers: handshake.headers,
  sourceIp: handshake.address,
});

export interface Listening {
  readonly caller: Caller & { readonly organisation: string };
  /** An API key and a browser session are checked again, because they may have ended. */
  readonly checked: 'once' | 'as key' | 'as session';
}

/** The permission for listening. contract.md section 2. */
const PERMISSION = 'platform.buildings:read';

/**
 * @throws {@link Unauthenticated}, {@link Problem}, and errors of {@link KeyAuthority} and
 *   `Identity`.
 */
export const listeningOf = async (
  handshake: Handshake,
  parts: AuthenticationParts,
): Promise<Listening> => {
  const { caller, checked } = await credentialOf(handshake, parts);
  const { organisation } = caller;
  requirePermission(caller, PERMISSION);
  if (organisation === null)
    throw new Problem('ORGANISATION_REQUIRED', 'This needs a token of an organisation.');
  return { caller: { ...caller, organisation }, checked };
};

const credentialOf = async (
  handshake: Handshake,
  { identity, keyAuthority, sessions }: AuthenticationParts,
): Promise<{ readonly caller: Caller } & Pick<Listening, 'checked'>> => {
  const cookie = cookieIn(handshake, sessions);
  if (sessions && cookie) {
    refuseCrossSite(handshake, sessions);
    // Listening alone does not prolong the session.
    const { accessToken, expiresAt } = await sessions.open(cookie, false);
    const caller = await identity.callerOf(accessToken);
    return { caller: { ...caller, expiresAt }, checked: 'as session' };
  }
  const token = tokenIn(handshake);
  return isKey(token)
    ? { caller: await keyCallerOf(token, handshake, keyAuthority), checked: 'as key' }
    : { caller: await identity.callerOf(token), checked: 'once' };
};

const keyCallerOf = async (
  token: string,
  { sourceIp, headers }: Handshake,
  keyAuthority: KeyAuthority,
): Promise<Caller> => {
  const answer = await keyAuthority.check(token, {
    needs: PERMISSION,
    route: `GET ${LIVE_PATH}`,
    sourceIp,
    userAgent: headers['user-agent'] ?? null,
  });
  if (!answer.allowed) throw new Problem(answer.code, answer.detail);
  return answer.caller;
};

/** @throws {@link Unauthenticated} if the handshake has no credential, valid or not. */
export const requireCredential = (handshake: Handshake, sessions: SessionsAt | undefined): void => {
  if (!cookieIn(handshake, sessions)) tokenIn(handshake);
};

const cookieIn = (handshake: Handshake, sessions: SessionsAt | undefined): string | null =>
  hasToken(handshake) ? null : (sessions?.cookieIn(handshake.headers) ?? null);

const hasToken = ({ token }: Handshake): boolean => typeof token === 'string' && token !== '';

/** Browsers cannot set headers for a WebSocket: `auth.token` takes precedence. */
const tokenIn = (handshake: Handshake): string => {
  if (hasToken(handshake)) return String(handshake.token);
  const bearer = /^Bearer +(\S+) *$/i.exec(handshake.headers.authorization ?? '')?.[1];
  if (bearer !== undefined) return bearer;
  throw new Unauthenticated('Send the token as auth.token, or as Authorization: Bearer <token>.');
};
