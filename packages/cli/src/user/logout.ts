/** `atrium logout`. */
import * as oidc from 'openid-client';
import { CommandFailed } from '../failures.ts';
import type { Invocation } from '../invocation.ts';
import { profileNamedBy } from '../session/connection.ts';
import { clientOf, explainingRefusals } from '../session/issuer.ts';
import { underLock } from '../session/lock.ts';
import { profilesOf, type Session } from '../session/profiles.ts';
import { lockOf } from '../session/tokens.ts';

export const logout = async (invocation: Invocation): Promise<void> => {
  const { env, terminal } = invocation;
  const profiles = profilesOf(env);
  const profile = await profileNamedBy(invocation);
  const session = await underLock(lockOf(profiles, profile), async () => {
    const stored = await profiles.read(profile);
    await profiles.remove(profile);
    return stored;
  });
  const notTold = session === null ? null : await revoke(session);
  if (notTold !== null)
    terminal.notice(
      `The session is deleted here, but could not be ended at the issuer: ${notTold}`,
    );
  terminal.print({ profile, signedOut: session !== null }, () =>
    session === null
      ? `Nobody was signed in (profile ${profile}).`
      : `Signed out of ${session.server} (profile ${profile}).`,
  );
};

/** Why the session goes on at the issuer until it was unused for long enough; `null`: it ended. */
const revoke = async ({ issuer, clientId, refreshToken }: Session): Promise<string | null> => {
  if (refreshToken === null) return null;
  try {
    const client = await clientOf(issuer, clientId);
    if (client.serverMetadata().revocation_endpoint === undefined)
      return `${issuer} does not support revocation`;
    await explainingRefusals(issuer, oidc.tokenRevocation(client, refreshToken));
    return null;
  } catch (error) {
    if (error instanceof CommandFailed) return error.message;
    throw error;
  }
};
