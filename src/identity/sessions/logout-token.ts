/** The issuer's logout tokens. OpenID Connect Back-Channel Logout 1.0, section 2.6. */
import { errors, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { isJsonObject } from '../../engine/json-object.ts';
import { IdentityUnavailable } from '../caller.ts';
import { TOKEN_CHARACTERS_MAX, TOKEN_CLOCK_SKEW_S } from '../oidc/limits.ts';
import { ALGORITHMS } from '../oidc/token-check.ts';
import { LOGOUT_TOKEN_AGE_MAX_S } from './limits.ts';

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

export interface LogoutToken {
  readonly jti: string;
  readonly sid: string | null;
  readonly subject: string | null;
}

export class LogoutRefused extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
    this.name = 'LogoutRefused';
  }
}

export interface LogoutTokenCheck {
  readonly issuer: string;
  readonly clientId: string;
  readonly keyOf: JWTVerifyGetKey;
  readonly nowMs: number;
}

/**
 * @throws {@link LogoutRefused} for anything but a logout token of this issuer for this client.
 * @throws {@link IdentityUnavailable} if the issuer's keys are unavailable.
 */
export const readLogoutToken = async (
  token: string,
  { issuer, clientId, keyOf, nowMs }: LogoutTokenCheck,
): Promise<LogoutToken> => {
  if (token.length > TOKEN_CHARACTERS_MAX) throw new LogoutRefused('The token is too long.');
  const { payload, protectedHeader } = await jwtVerify(token, keyOf, {
    issuer,
    audience: clientId,
    algorithms: ALGORITHMS,
    clockTolerance: TOKEN_CLOCK_SKEW_S,
    maxTokenAge: LOGOUT_TOKEN_AGE_MAX_S,
    requiredClaims: ['iat', 'jti', 'events'],
    currentDate: new Date(nowMs),
  }).catch((error: unknown) => {
    if (error instanceof IdentityUnavailable || !(error instanceof errors.JOSEError)) throw error;
    throw new LogoutRefused('The logout token is not valid.', error);
  });
  const { typ } = protectedHeader;
  if (typ !== undefined && !/^(application\/)?(logout\+)?jwt$/i.test(typ))
    throw new LogoutRefused('The token is of another type.');
  const { jti, sub, sid, nonce, events } = payload;
  if (nonce !== undefined) throw new LogoutRefused('A logout token has no nonce.');
  const event = isJsonObject(events) && Object.hasOwn(events, LOGOUT_EVENT) && events[LOGOUT_EVENT];
  if (!isJsonObject(event)) throw new LogoutRefused('The token contains no logout event.');
  const [subject, session] = [textOf(sub), textOf(sid)];
  if (subject === null && session === null)
    throw new LogoutRefused('The token names neither a person nor a session.');
  const id = textOf(jti);
  if (id === null) throw new LogoutRefused('The token has no id.');
  return { jti: id, sid: session, subject };
};

const textOf = (claim: unknown): string | null =>
  typeof claim === 'string' && claim !== '' && !/\p{Cc}/u.test(claim) ? claim : null;
