/** Who listens: the credential of a handshake, by the rules of every other request. */
import type { Caller } from '../../identity/caller.ts';
import { Unauthenticated } from '../../identity/caller.ts';
import { isKey, type KeyAuthority } from '../../identity/keys/key-authority.ts';
import { Problem } from '../http/problems.ts';
import type { AuthenticationParts } from '../sessions/authenticate.ts';
import { LIVE_PATH } from '../http/upgrades.ts';

/** What a client sends with its first request. */
export interface Handshake {
  /** `auth.token` of the client, whatever that is. */
  readonly token: unknown;
  readonly authorization: string | undefined;
  readonly sourceIp: string;
  readonly userAgent: string | undefined;
}

export interface Listening {
  readonly caller: Caller & { readonly organisation: string };
  /** An API key's: it is checked again now and then, for it may be revoked. */
  readonly isKey: boolean;
}

/** What listening needs. contract.md section 2. */
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

/** Browsers can set no header for a WebSocket: `auth.token` comes first. */
const tokenIn = ({ token, authorization }: Handshake): string => {
  if (typeof token === 'string' && token !== '') return token;
  const bearer = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  if (bearer !== undefined) return bearer;
  throw new Unauthenticated('Send the token as auth.token, or as Authorization: Bearer <token>.');
};
