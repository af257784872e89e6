/** Authenticates a handshake by the rules of every other request. */
import { type Caller, Unauthenticated } from '../../identity/caller.ts';
import { isKey, type KeyAuthority } from '../../identity/keys/key-authority.ts';
import { Problem } from '../http/problems.ts';
import type { AuthenticationParts } from '../sessions/authenticate.ts';
import { LIVE_PATH } from '../http/upgrades.ts';

/** The credentials in a client's first request. */
export interface Handshake {
  /** The client's `auth.token`, of any type. */
  readonly token: unknown;
  readonly authorization: string | undefined;
  readonly sourceIp: string;
  readonly userAgent: string | undefined;
}

export interface Listening {
  readonly caller: Caller & { readonly organisation: string };
  /** The credential is an API key, which is checked repeatedly because it may be revoked. */
  readonly isKey: boolean;
}

/** The permission for listening. contract.md section 2. */
const PERMISSION = 'platform.buildings:read';

/**
 * @throws {@link Unauthenticated}, {@link Problem}, and what {@link KeyAuthority} and `Identity`
 *   throw.
 */
export const listeningOf = async (
  handshake: Handshake,
  { identity, keyAuthority }: AuthenticationParts,
): Promise<Listening> => {
  const token = tokenIn(handshake);
  const caller = isKey(token)
    ? await keyCallerOf(token, handshake, keyAuthority)
    : await identity.callerOf(token);
  const { permissions, organisation } = caller;
  if (!permissions.has(PERMISSION))
    throw new Problem('PERMISSION_DENIED', `This needs the permission ${PERMISSION}.`);
  if (organisation === null)
    throw new Problem('ORGANISATION_REQUIRED', 'This needs a token of an organisation.');
  return { caller: { ...caller, organisation }, isKey: isKey(token) };
};

const keyCallerOf = async (
  token: string,
  { sourceIp, userAgent }: Handshake,
  keyAuthority: KeyAuthority,
): Promise<Caller> => {
  const answer = await keyAuthority.check(token, {
    needs: PERMISSION,
    route: `GET ${LIVE_PATH}`,
    sourceIp,
    userAgent: userAgent ?? null,
  });
  if (!answer.allowed) throw new Problem(answer.code, answer.detail);
  return answer.caller;
};

/** Browsers cannot set headers for a WebSocket: `auth.token` takes precedence. */
const tokenIn = ({ token, authorization }: Handshake): string => {
  if (typeof token === 'string' && token !== '') return token;
  const bearer = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  if (bearer !== undefined) return bearer;
  throw new Unauthenticated('Send the token as auth.token, or as Authorization: Bearer <token>.');
};
