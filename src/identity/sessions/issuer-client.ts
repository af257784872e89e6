/** This server as the client `atrium-portal` of its issuer. contract.md section 2. */
import * as oidc from 'openid-client';
import type { BaseLogger } from 'pino';
import { IdentityUnavailable } from '../caller.ts';
import { ISSUER_DOWN_PAUSE_MS, ISSUER_TIMEOUT_MS, TOKEN_CLOCK_SKEW_S } from '../oidc/limits.ts';
import { DISCOVERY_AGE_MAX_MS, TOKEN_RENEWED_BEFORE_MS } from './limits.ts';

/** The client id at every issuer. */
export const PORTAL_CLIENT_ID = 'atrium-portal';

/** `organization` names the one organisation that the session acts for. */
const SCOPE = 'openid organization';

export interface Tokens {
  readonly access: string;
  /** `null`: the issuer grants none, and the session ends with the access token. */
  readonly refresh: string | null;
  /** The id token, for the sign-out at the issuer. */
  readonly id: string | null;
}

export interface Granted extends Tokens {
  /** Real time in epoch milliseconds. */
  readonly renewAtMs: number;
  readonly endsAtMs: number;
}

export interface SignedIn extends Granted {
  readonly subject: string;
  /** The issuer's id of its own session; `null`: none. */
  readonly issuerSid: string | null;
}

export interface SignInChecks {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The issuer refused the sign-in, or its answer does not belong to this sign-in. */
export class SignInRefused extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
    this.name = 'SignInRefused';
  }
}

/** Every call fails with {@link IdentityUnavailable} if the issuer cannot be reached. */
export interface IssuerClient {
  /** The issuer's URL of the sign-in, and the values that its answer is checked against. */
  begin(redirectUri: string): Promise<{ readonly url: URL; readonly checks: SignInChecks }>;
  /**
   * @param callback The redirect URI as it was called, with the issuer's parameters.
   * @throws {@link SignInRefused}
   */
  finish(callback: URL, checks: SignInChecks): Promise<SignedIn>;
  /** New tokens; `null`: the issuer has ended the session, or the refresh token was used before. */
  refresh(tokens: Tokens): Promise<Granted | null>;
  /** Revokes the refresh token, if the issuer supports it. */
  revoke(tokens: Tokens): Promise<void>;
  /** The issuer's page for signing out; `null`: it has none. */
  endSessionUrl(tokens: Tokens, returnTo: string): Promise<URL | null>;
}

export interface IssuerClientOptions {
  readonly issuer: string;
  /** Real time in epoch milliseconds. */
  readonly now: () => number;
  readonly logger: Pick<BaseLogger, 'warn'>;
  /** Default: the platform's. */
  readonly fetch?: typeof globalThis.fetch;
}

/** Sends no request to the issuer yet. `http:` is used only for an issuer with that scheme. */
export const issuerClient = (options: IssuerClientOptions): IssuerClient => {
  const { issuer, now, logger } = options;
  /** `atMs` is of a monotonic clock. */
  let cached: { readonly found: Promise<oidc.Configuration>; readonly atMs: number } | undefined;
  let failedAtMs = -Infinity;

  const discovered = (): Promise<oidc.Configuration> => {
    const url = new URL(issuer);
    const metadata = { [oidc.clockTolerance]: TOKEN_CLOCK_SKEW_S };
    const { fetch } = options;
    return oidc.discovery(url, PORTAL_CLIENT_ID, metadata, oidc.None(), {
      timeout: ISSUER_TIMEOUT_MS / 1_000,
      execute: url.protocol === 'http:' ? [oidc.allowInsecureRequests] : [],
      ...(fetch ? { [oidc.customFetch]: fetch as oidc.CustomFetch } : {}),
    });
  };

  const configuration = (): Promise<oidc.Configuration> => {
    if (cached && performance.now() - cached.atMs < DISCOVERY_AGE_MAX_MS) return cached.found;
    const former = cached;
    const found = discovered();
    cached = { found, atMs: performance.now() };
    found.catch(() => {
      cached = former && { ...former, atMs: performance.now() };
    });
    return former ? found.catch(() => former.found) : found;
  };

  /**
   * Fails fast for a while after an outage, so that requests do not queue for its timeout.
   *
   * @param isForAll Which outages do so. Default: every one.
   */
  const requested = async <Answer>(
    ask: (config: oidc.Configuration) => Promise<Answer> | Answer,
    isForAll: (outage: unknown) => boolean = () => true,
  ): Promise<Answer> => {
    if (performance.now() - failedAtMs < ISSUER_DOWN_PAUSE_MS)
      throw new IdentityUnavailable('The identity provider cannot be reached.');
    const unavailable = (error: unknown) => {
      if (isForAll(error)) failedAtMs = performance.now();
      logger.warn({ err: error }, 'the issuer cannot be reached for the tokens of a session');
      return new IdentityUnavailable('The identity provider cannot be reached.', error);
    };
    const config = await configuration().catch((error: unknown) => {
      throw unavailable(error);
    });
    try {
      return await ask(config);
    } catch (error) {
      throw isOutage(error) ? unavailable(error) : error;
    }
  };

  type Response = oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers;

  const grantedBy = (response: Response, before: Tokens | null): Granted => {
    const lifeMs = (response.expiresIn() ?? 0) * 1_000;
    const atMs = now();
    return {
      access: response.access_token,
      refresh: response.refresh_token ?? before?.refresh ?? null,
      id: response.id_token ?? before?.id ?? null,
      renewAtMs: atMs + Math.max(lifeMs - TOKEN_RENEWED_BEFORE_MS, (lifeMs * 3) / 4),
      endsAtMs: atMs + lifeMs,
    };
  };

  return {
    begin: (redirectUri) =>
      requested(async (config) => {
        const checks = {
          state: oidc.randomState(),
          nonce: oidc.randomNonce(),
          verifier: oidc.randomPKCECodeVerifier(),
        };
        const url = oidc.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          scope: SCOPE,
          state: checks.state,
          nonce: checks.nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(checks.verifier),
          code_challenge_method: 'S256',
        });
        return { url, checks };
      }),

    async finish(callback, { state, nonce, verifier }) {
      const expected = {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      };
      try {
        return await requested(async (config) => {
          const response = await oidc.authorizationCodeGrant(config, callback, expected);
          const claims = response.claims()!;
          const { sid } = claims;
          return {
            ...grantedBy(response, null),
            subject: claims.sub,
            issuerSid: typeof sid === 'string' ? sid : null,
          };
        }, isUnreachable);
      } catch (error) {
        if (error instanceof IdentityUnavailable) throw error;
        throw new SignInRefused('The issuer did not sign the person in.', error);
      }
    },

    async refresh(tokens) {
      const { refresh } = tokens;
      if (refresh === null) return null;
      try {
        return await requested(async (config) =>
          grantedBy(await oidc.refreshTokenGrant(config, refresh), tokens),
        );
      } catch (error) {
        if (error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant') return null;
        if (error instanceof IdentityUnavailable) throw error;
        logger.warn({ err: error }, 'the issuer refuses to renew a session');
        throw new IdentityUnavailable(
          "The identity provider rejected this server's credentials.",
          error,
        );
      }
    },

    revoke: ({ refresh }) =>
      requested(async (config) => {
        const { revocation_endpoint: endpoint } = config.serverMetadata();
        if (refresh !== null && endpoint !== undefined) await oidc.tokenRevocation(config, refresh);
      }),

    endSessionUrl: ({ id }, returnTo) =>
      requested((config) =>
        config.serverMetadata().end_session_endpoint === undefined
          ? null
          : oidc.buildEndSessionUrl(config, {
              client_id: PORTAL_CLIENT_ID,
              post_logout_redirect_uri: returnTo,
              ...(id === null ? {} : { id_token_hint: id }),
            }),
      ),
  };
};

/** Whether the issuer did not answer, or is unavailable. Refusals are no outage. */
const isOutage = (error: unknown): boolean => {
  if (error instanceof oidc.ResponseBodyError)
    return error.status >= 500 || error.error === 'temporarily_unavailable';
  if (error instanceof oidc.AuthorizationResponseError) return isTransient(error.error);
  if (error instanceof oidc.ClientError) return outages.includes(String(error.code));
  return error instanceof TypeError;
};

/** The outages that a browser cannot cause by the query of its callback. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof oidc.ClientError && error.code === TIMED_OUT);

const TIMED_OUT = 'OAUTH_TIMEOUT';

const outages = [
  TIMED_OUT,
  'OAUTH_PARSE_ERROR',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
];

const isTransient = (code: string): boolean =>
  code === 'temporarily_unavailable' || code === 'server_error';
