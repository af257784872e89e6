/** Sign-in by OAuth 2.0 Device Authorization Grant (RFC 8628). interface.md, Authentication 8. */
import { setTimeout as pause } from 'node:timers/promises';
import * as oidc from 'openid-client';
import { CommandFailed } from '../failures.ts';
import { CLIENT_ID, clientOf, explainingRefusals, type Refusals } from './issuer.ts';
import type { Session } from './profiles.ts';
import { storedOf } from './tokens.ts';

export interface DeviceCode {
  readonly userCode: string;
  /** Where the code is entered. */
  readonly url: string;
  /** The same with the code filled in, where the issuer has one. */
  readonly urlWithCode: string | null;
  readonly expiresInS: number;
}

type Tokens = Omit<Session, 'server' | 'name'>;

/**
 * Asks the issuer for a code, shows it, and waits until somebody has entered it.
 *
 * @param show Called once, before the waiting begins.
 * @throws {@link CommandFailed} if the code expires or the sign-in is refused.
 */
export const signInOnDevice = async (
  issuer: string,
  show: (code: DeviceCode) => Promise<void>,
): Promise<Tokens> => {
  const client = await clientOf(issuer, CLIENT_ID);
  const { scopes_supported: known = [], device_authorization_endpoint: endpoint } =
    client.serverMetadata();
  if (endpoint === undefined)
    throw new CommandFailed(`${issuer} does not support device sign-in (RFC 8628)`);
  const scopes = ['openid', 'offline_access', ...known.filter((scope) => scope === 'organization')];
  const device = await explainingRefusals(
    issuer,
    oidc.initiateDeviceAuthorization(client, { scope: scopes.join(' ') }),
  );
  await show({
    userCode: device.user_code,
    url: device.verification_uri,
    urlWithCode: device.verification_uri_complete ?? null,
    expiresInS: device.expires_in,
  });
  const tokens = await explainingRefusals(issuer, polled(client, device), refusals);
  return { issuer, clientId: CLIENT_ID, ...storedOf(tokens, null) };
};

const codeHasExpired = (cause: unknown): CommandFailed =>
  new CommandFailed('the code expired before it was entered; run atrium login again', cause);

const refusals: Refusals = {
  access_denied: (cause) => new CommandFailed('the sign-in was refused', cause),
  expired_token: codeHasExpired,
  // An issuer that has forgotten the code already.
  invalid_grant: codeHasExpired,
};

/** A connection that breaks while somebody looks for a telephone ends nothing. RFC 8628, 3.5. */
const polled = async (
  client: oidc.Configuration,
  device: Awaited<ReturnType<typeof oidc.initiateDeviceAuthorization>>,
): ReturnType<typeof oidc.pollDeviceAuthorizationGrant> => {
  const expired = AbortSignal.timeout(device.expires_in * 1_000);
  for (;;) {
    try {
      return await oidc.pollDeviceAuthorizationGrant(client, device, undefined, {
        signal: expired,
      });
    } catch (error) {
      if (expired.aborted) throw codeHasExpired(error);
      if (!isBrokenConnection(error)) throw error;
      await pause((device.interval ?? 5) * 1_000);
    }
  }
};

const isBrokenConnection = (error: unknown): boolean => {
  const { code } = error as oidc.ClientError;
  // `fetch` gives its errors no code; those of the library have one.
  return code === 'OAUTH_TIMEOUT' || (error instanceof TypeError && code === undefined);
};
