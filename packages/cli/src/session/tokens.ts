/** Access tokens of a stored session, refreshed by one command at a time. */
import * as oidc from 'openid-client';
import { signInNeeded, type CommandFailed } from '../failures.ts';
import { clientOf, explainingRefusals } from './issuer.ts';
import { underLock } from './lock.ts';
import type { Profiles, Session } from './profiles.ts';

/** A token with less life than this is not begun with. */
const LEFT_MIN_MS = 60_000;

/**
 * An access token that is good for a while. An issuer that gives a new refresh token with each use
 * takes the second use of an old one for theft and ends the session: so only who holds the lock
 * refreshes, and looks first whether another command has done so meanwhile.
 *
 * @throws {@link CommandFailed} with the exit code of a sign-in that is needed, if there is no
 *   session or it has ended.
 */
export const accessTokenOf = async (profiles: Profiles, profile: string): Promise<string> => {
  const session = await sessionIn(profiles, profile);
  if (isFresh(session)) return session.accessToken;
  return underLock(lockOf(profiles, profile), async () => {
    const latest = await sessionIn(profiles, profile);
    if (isFresh(latest)) return latest.accessToken;
    const refreshed = await refresh(latest, profile);
    await profiles.write(profile, refreshed);
    return refreshed.accessToken;
  });
};

/** What changes a profile's session does so under this. */
export const lockOf = (profiles: Profiles, profile: string): string =>
  `${profiles.fileOf(profile)}.lock`;

export const sessionIn = async (profiles: Profiles, profile: string): Promise<Session> => {
  const session = await profiles.read(profile);
  if (session) return session;
  throw signInNeeded(`not signed in; run ${signInTo(profile)}, or set ATRIUM_TOKEN`);
};

/** The command that makes or renews the session of this profile. */
export const signInTo = (profile: string): string =>
  profile === 'default' ? 'atrium login' : `atrium login --profile ${profile}`;

const sessionHasEnded = (profile: string, cause?: unknown): CommandFailed =>
  signInNeeded(
    `the session of profile ${profile} has ended; sign in again with ${signInTo(profile)}`,
    cause,
  );

const isFresh = ({ expiresAt }: Session): boolean =>
  Date.parse(expiresAt) - Date.now() > LEFT_MIN_MS;

const refresh = async (session: Session, profile: string): Promise<Session> => {
  const { issuer, clientId, refreshToken } = session;
  if (refreshToken === null) throw sessionHasEnded(profile);
  const client = await clientOf(issuer, clientId);
  const tokens = await explainingRefusals(issuer, oidc.refreshTokenGrant(client, refreshToken), {
    invalid_grant: (cause) => sessionHasEnded(profile, cause),
  });
  return { ...session, ...storedOf(tokens, refreshToken) };
};

type Tokens = oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers;

/** An issuer need not give a new refresh token: then the old one stays good. */
export const storedOf = (
  tokens: Tokens,
  refreshToken: string | null,
): Pick<Session, 'accessToken' | 'expiresAt' | 'refreshToken'> => ({
  accessToken: tokens.access_token,
  // One that does not say how long it lives is asked for again with each command.
  expiresAt: new Date(Date.now() + (tokens.expiresIn() ?? 0) * 1_000).toISOString(),
  refreshToken: tokens.refresh_token ?? refreshToken,
});
