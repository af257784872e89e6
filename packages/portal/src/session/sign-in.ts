/** The authorization code grant with PKCE (RFC 7636), as a client without a secret. */
import type { Issuer } from './issuer.ts';

export const CLIENT_ID = 'atrium-portal';
export const CALLBACK = '/callback';

/** `organization` names the one organisation that the session acts for. */
const SCOPE = 'openid organization';
const RANDOM_BYTES = 32;

export interface Attempt {
  /** Returned by the issuer with the code: what is not ours is not taken. */
  readonly state: string;
  readonly verifier: string;
}

export interface Tokens {
  readonly accessToken: string;
  readonly idToken: string | null;
  /** Milliseconds since 1970, by this machine's clock. */
  readonly expiresAt: number;
}

/** Where the window comes back to the page that opened it, instead of becoming the portal. */
export const IN_WINDOW = 'window.';

export const newAttempt = (prefix = ''): Attempt => ({
  state: prefix + random(),
  verifier: random(),
});

export const authorizationUrl = async (
  { authorizationEndpoint, portal }: Issuer,
  { state, verifier }: Attempt,
): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const url = new URL(authorizationEndpoint);
  const query = {
    client_id: CLIENT_ID,
    response_type: 'code',
    redirect_uri: portal + CALLBACK,
    scope: SCOPE,
    state,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
};

/** @throws with what the issuer says where it refuses the code. */
export const tokensFor = async (
  { tokenEndpoint, portal }: Issuer,
  code: string,
  { verifier }: Attempt,
): Promise<Tokens> => {
  const answer = await fetch(tokenEndpoint, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: CLIENT_ID,
      redirect_uri: portal + CALLBACK,
      code,
      code_verifier: verifier,
    }),
  });
  const body = (await answer.json()) as {
    readonly access_token?: string;
    readonly id_token?: string;
    readonly expires_in?: number;
    readonly error_description?: string;
  };
  if (body.access_token === undefined)
    throw new Error(body.error_description ?? `The issuer answers ${answer.status}.`);
  return {
    accessToken: body.access_token,
    idToken: body.id_token ?? null,
    expiresAt: Date.now() + (body.expires_in ?? 300) * 1000,
  };
};

/** Who it is, by the identity token that came over TLS from the issuer itself. */
export const subjectOf = ({ idToken }: Tokens): string | null => {
  const payload = idToken?.split('.')[1];
  if (payload === undefined) return null;
  const text = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
  return (JSON.parse(text) as { readonly sub?: string }).sub ?? null;
};

const random = (): string => base64url(crypto.getRandomValues(new Uint8Array(RANDOM_BYTES)));

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
