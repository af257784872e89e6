/**
 * Portal sessions: access tokens of an OpenID Connect issuer, checked against its published key set
 * (contract.md section 2; RFC 9068, RFC 8725).
 */
import { decodeProtectedHeader, errors, jwtVerify, type JWTPayload } from 'jose';
import type { BaseLogger } from 'pino';
import { TOKEN_CHARACTERS_MAX, TOKEN_CLOCK_SKEW_S, TOKEN_TIME_MAX_S } from './limits.ts';
import { readinessErrorOf } from '../../engine/observe/readiness-error.ts';
import { IdentityUnavailable, Unauthenticated, type Identity } from '../caller.ts';
import { callerFrom } from './claims.ts';
import { issuerKeys, type Fetch } from './issuer-keys.ts';
import { isLoopbackHost } from '../loopback.ts';
import type { PermissionTable } from '../permissions.ts';

/** Asymmetric algorithms only: with HS256 the public key would suffice to sign. */
export const ALGORITHMS =
  'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');

export interface OidcOptions {
  readonly issuer: string;
  /** Must be one of the token's audiences. */
  readonly audience: string;
  readonly environment: 'development' | 'production';
  /** Real time in epoch milliseconds, whatever the virtual clock says. Default `Date.now`. */
  readonly now?: () => number;
  /** Milliseconds of a monotonic clock. Default: the process's. */
  readonly nowMs?: () => number;
  readonly fetch?: Fetch;
  readonly logger?: Pick<BaseLogger, 'debug' | 'warn'>;
  /** Default: the table of contract.md section 2. */
  readonly permissions?: PermissionTable;
}

/**
 * Checks access tokens of `issuer`, which is contacted only when the first token is checked.
 *
 * @throws {Error} with the one-line reason of {@link issuerRefusal}.
 */
export function oidcIdentity(options: OidcOptions): Identity {
  const { issuer, audience, environment, logger } = options;
  const refused = issuerRefusal(issuer, environment);
  if (refused !== null) throw new Error(refused);
  const development = environment === 'development';
  const now = options.now ?? Date.now;
  const keys = issuerKeys(issuer, development, options.fetch ?? globalThis.fetch, options);

  const verified = async (token: string) =>
    jwtVerify(token, keys.keyOf, {
      issuer,
      audience,
      algorithms: ALGORITHMS,
      clockTolerance: TOKEN_CLOCK_SKEW_S,
      requiredClaims: ['exp', 'iat', 'sub'],
      currentDate: new Date(now()),
    });

  /** In development a restarted issuer may have another key with the same id. */
  const verifiedOrAskedAgain = async (token: string) => {
    try {
      return await verified(token);
    } catch (error) {
      const isBadlySigned = error instanceof errors.JWSSignatureVerificationFailed;
      if (!development || !isBadlySigned) throw error;
      await keys.askAgain();
      return verified(token);
    }
  };

  return {
    issuer,

    async callerOf(token) {
      refuseNonsense(token);
      const { payload, protectedHeader } = await verifiedOrAskedAgain(token).catch(
        (error: unknown) => {
          if (error instanceof IdentityUnavailable) {
            logger?.warn({ err: error }, 'identity provider unavailable');
            throw error;
          }
          if (!(error instanceof errors.JOSEError)) throw error;
          logger?.debug({ code: error.code, reason: error.message }, 'access token refused');
          throw new Unauthenticated(REFUSED, error);
        },
      );
      refuseOtherTokens(protectedHeader.typ, payload, now());
      const expiresAt = new Date(payload.exp! * 1_000).toISOString();
      return { ...callerFrom(payload, options.permissions), expiresAt };
    },

    async ready() {
      try {
        await keys.ready();
        return true;
      } catch (error) {
        if (error instanceof IdentityUnavailable) return readinessErrorOf(error);
        throw error;
      }
    },

    reachable: () => keys.reachable(),
  };
}

/** One line why the issuer is not allowed, with the variable's name; `null` if it is allowed. */
export function issuerRefusal(
  issuer: string,
  environment: 'development' | 'production',
): string | null {
  const url = URL.parse(issuer);
  if (url?.protocol === 'https:') return null;
  if (url?.protocol !== 'http:') return `OIDC_ISSUER is no http(s) address: ${issuer}`;
  if (environment === 'production') return `OIDC_ISSUER must be https in production: ${issuer}`;
  if (isLoopbackHost(url.hostname)) return null;
  return `OIDC_ISSUER may be http on loopback only: ${issuer}`;
}

/** Always the same text, because details would help only an attacker. */
const REFUSED = 'The access token is not valid.';

/** Called before any request to the issuer, so that malformed tokens cause none. */
function refuseNonsense(token: string) {
  if (token.length > TOKEN_CHARACTERS_MAX) throw new Unauthenticated('The token is too long.');
  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) throw new Unauthenticated(REFUSED);
  let alg: unknown;
  try {
    ({ alg } = decodeProtectedHeader(token));
  } catch (error) {
    throw new Unauthenticated(REFUSED, error);
  }
  if (typeof alg !== 'string' || !ALGORITHMS.includes(alg)) throw new Unauthenticated(REFUSED);
}

/** A token with a valid signature, time and audience may still be of an unsupported type. */
function refuseOtherTokens(typ: unknown, payload: JWTPayload, nowMs: number) {
  const type = typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : null;
  const access = type === 'at+jwt' || (type === 'jwt' && payload['typ'] === 'Bearer');
  if (!access) throw new Unauthenticated('The token is not an access token.');
  // A sender-constrained token that is sent as a bearer token may be stolen (RFC 9449 §7.2).
  if (payload['cnf'] !== undefined) throw new Unauthenticated('The token is bound to a key.');
  const { exp, nbf, iat }: Readonly<Record<string, unknown>> = payload;
  if (!isTime(exp) || (nbf !== undefined && !isTime(nbf))) throw new Unauthenticated(REFUSED);
  // The library treats a value that is not a number as absent.
  if (typeof iat !== 'number' || !(iat <= nowMs / 1000 + TOKEN_CLOCK_SKEW_S)) {
    throw new Unauthenticated(REFUSED);
  }
}

/** Whole seconds within bounds: `1e308` would never expire. */
const isTime = (claim: unknown): boolean =>
  typeof claim === 'number' && Number.isInteger(claim) && claim < TOKEN_TIME_MAX_S;
