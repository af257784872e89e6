/** The OpenID Connect issuer of a server, as its native client. interface.md, Authentication 8. */
import * as oidc from 'openid-client';
import { CommandFailed } from '../failures.ts';
import { fetchHere } from './reach.ts';
import { isLoopback } from './server-address.ts';

/** At every issuer. contract.md section 2. */
export const CLIENT_ID = 'atrium-cli';

/** Of one request to the issuer; the lock of a session allows for several. */
const TIMEOUT_S = 10;

/** @throws {@link CommandFailed} if the server does not answer, or names no issuer. */
export const issuerOf = async (server: string): Promise<string> => {
  const url = new URL('/.well-known/oauth-protected-resource', server);
  const response = await fetchHere(
    new Request(url, { signal: AbortSignal.timeout(TIMEOUT_S * 1_000) }),
  );
  const body = (await response.json().catch(() => null)) as {
    readonly authorization_servers?: readonly unknown[];
  } | null;
  const issuer = body?.authorization_servers?.[0];
  if (response.ok && typeof issuer === 'string') return issuer;
  throw new CommandFailed(
    `${server} does not say where to sign in (HTTP ${response.status}); is it an Atrium server?`,
  );
};

export const clientOf = async (issuer: string, clientId: string): Promise<oidc.Configuration> => {
  const url = new URL(issuer);
  return explainingRefusals(
    issuer,
    oidc.discovery(url, clientId, undefined, oidc.None(), {
      timeout: TIMEOUT_S,
      // A token may cross this machine in the clear, and no network.
      execute: isLoopback(url) ? [oidc.allowInsecureRequests] : [],
    }),
  );
};

/** The failures that explain an issuer's refusals to a person, by code. */
export type Refusals = Readonly<Record<string, (cause: unknown) => CommandFailed>>;

/**
 * The issuer's answer, with its refusals explained.
 *
 * @throws {@link CommandFailed}
 */
export const explainingRefusals = async <Answer>(
  issuer: string,
  answer: Promise<Answer>,
  refusals: Refusals = {},
): Promise<Answer> => {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof oidc.ResponseBodyError) {
      const refusal = refusals[error.error];
      if (refusal) throw refusal(error);
      const more = error.error_description ? `: ${error.error_description}` : '';
      throw new CommandFailed(`${issuer} refused the request (${error.error}${more})`, error);
    }
    if (error instanceof oidc.ClientError || error instanceof TypeError)
      throw new CommandFailed(`${issuer} cannot be reached (${error.message})`, error);
    throw error;
  }
};
