/**
 * Browser sessions: the server is the issuer's client, and the browser has an opaque cookie.
 * contract.md section 2. Composes the other files of this folder.
 */
import { hash, randomBytes, randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { BaseLogger } from 'pino';
import type { Instant } from '../../engine/aggregates/decider.ts';
import { withTimeout } from '../../engine/concurrency/timeout.ts';
import type { Database } from '../../engine/postgres/pool.ts';
import { transaction } from '../../engine/postgres/transaction.ts';
import { CannotOpen, type Secrets } from '../../engine/secrets/secrets.ts';
import { IdentityUnavailable, Unauthenticated, type Identity } from '../caller.ts';
import { issuerKeys } from '../oidc/issuer-keys.ts';
import { cookiesOf, type Cookies } from './cookies.ts';
import { issuerClient, PORTAL_CLIENT_ID, SignInRefused } from './issuer-client.ts';
import {
  LOGOUT_TOKEN_AGE_MAX_S,
  RENEWAL_WAIT_MAX_MS,
  SESSION_USE_NOTED_MS,
  SESSION_USER_AGENT_CHARACTERS_MAX,
  SIGN_INS_OF_BROWSER_MAX,
} from './limits.ts';
import { LogoutRefused, readLogoutToken } from './logout-token.ts';
import { renewal } from './renewal.ts';
import { returnAddress } from './return-address.ts';
import {
  addSession,
  endOf,
  endSession,
  endSessionsOf,
  instant,
  noteUse,
  sessionOf,
  sessionsOf,
  sweepSessions,
  useLogoutToken,
  type SessionRow,
} from './session-rows.ts';
import { openSignIn, sealSignIn } from './sign-in-state.ts';
import { tokenSeal } from './token-seal.ts';

/** The path of the redirect URI. */
const CALLBACK_PATH = '/session/callback';

export interface BrowserSessions {
  /** @param origin The host whose cookies are used: `https://atrium.example`. */
  at(origin: string): SessionsAt;
  /**
   * Ends the sessions that a logout token of the issuer names, once per token.
   *
   * @throws {@link LogoutRefused} for a token that is not valid or was used before.
   * @throws {@link IdentityUnavailable} if the issuer's keys are unavailable.
   */
  logOut(logoutToken: string): Promise<void>;
  /** Deletes expired sessions and logout tokens. */
  sweep(): Promise<void>;
}

/** A session, open during a request. */
export interface OpenSession {
  readonly sessionId: string;
  readonly subject: string;
  /** A valid token, which must never be sent to the browser. */
  readonly accessToken: string;
  /** The time at which the session ends if it is not used again. */
  readonly expiresAt: Instant;
}

export interface ListedSession {
  readonly sessionId: string;
  /** The host of its cookie. */
  readonly origin: string;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant;
  readonly expiresAt: Instant;
  readonly userAgent: string | null;
  readonly sourceIp: string;
}

/** A redirect of the browser. */
export interface Redirect {
  readonly location: string;
  /** `Set-Cookie` headers. */
  readonly cookies: readonly string[];
}

export interface Browser {
  readonly headers: IncomingHttpHeaders;
  readonly sourceIp: string;
}

/** The sessions of one host. */
export interface SessionsAt {
  readonly origin: string;
  /** The session cookie's value; `null` if the request has none, or has another credential. */
  cookieIn(headers: IncomingHttpHeaders): string | null;
  /**
   * The session of a cookie. Tokens that expire soon are renewed in the background; the caller
   * waits only for those that have expired.
   *
   * @param isUse Whether it extends an idle session. Default true.
   * @throws {@link Unauthenticated} if the session has ended.
   * @throws {@link IdentityUnavailable} if its tokens have expired and are not renewed in time.
   */
  open(cookie: string, isUse?: boolean): Promise<OpenSession>;
  /**
   * Redirects to the issuer, and from there to `returnTo` on this host.
   *
   * @throws {@link IdentityUnavailable}
   */
  beginSignIn(returnTo: unknown, headers: IncomingHttpHeaders): Promise<Redirect>;
  /**
   * Creates the session, which replaces the browser's previous one.
   *
   * @param query The callback's query, with its question mark.
   * @throws {@link SignInRefused} if the issuer refuses, or this browser did not begin the sign-in.
   * @throws `OrganisationRequired`, {@link IdentityUnavailable}
   */
  finishSignIn(query: string, browser: Browser): Promise<Redirect>;
  /** Ends the session, and redirects to the issuer to end its session too. Idempotent. */
  signOut(headers: IncomingHttpHeaders): Promise<Redirect>;
  /** The person's sessions at all hosts, most recently used first. */
  list(session: OpenSession): Promise<readonly ListedSession[]>;
  /** Ends another session of the person. @returns False if there is none with this id. */
  end(session: OpenSession, sessionId: string): Promise<boolean>;
}

export interface BrowserSessionsParts {
  readonly db: Pick<Database, 'pool'>;
  readonly identity: Pick<Identity, 'issuer' | 'callerOf'>;
  readonly secrets: Secrets;
  readonly logger: Pick<BaseLogger, 'info' | 'warn'>;
  /** Real time in epoch milliseconds, whatever the virtual clock says. Default `Date.now`. */
  readonly now?: () => number;
  /** For requests to the issuer. Default: the platform's. */
  readonly fetch?: typeof globalThis.fetch;
  /** Default {@link RENEWAL_WAIT_MAX_MS}. */
  readonly renewalWaitMaxMs?: number;
}

/** Calls neither the database nor the issuer yet. */
export const browserSessions = (parts: BrowserSessionsParts): BrowserSessions => {
  const { identity, secrets, logger, now = Date.now } = parts;
  const { renewalWaitMaxMs = RENEWAL_WAIT_MAX_MS } = parts;
  const { pool } = parts.db;
  const { issuer } = identity;
  const fetch = parts.fetch ?? globalThis.fetch;
  const client = issuerClient({ issuer, now, logger, fetch });
  const keys = issuerKeys(issuer, issuer.startsWith('http:'), fetch, { logger });
  const seal = tokenSeal(secrets);
  const renew = renewal({ pool, client, seal, logger });

  const alive = async (cookie: string, origin: string): Promise<SessionRow> => {
    const row = await sessionOf(pool, hashOf(cookie), origin, now());
    if (row === null) throw new Unauthenticated(ENDED);
    return row;
  };

  const fresh = async (row: SessionRow): Promise<SessionRow> => {
    if (now() < Date.parse(row.renewAt)) return row;
    const renewing = renew(row);
    if (now() < Date.parse(row.tokenEndsAt)) {
      // A failure is repeated by the next request, and answered once the token has expired.
      renewing.catch((error: unknown) => {
        // Logged where they occur; the latter ends the session at its next use.
        if (error instanceof IdentityUnavailable || error instanceof CannotOpen) return;
        const { sessionId } = row;
        logger.warn({ err: error, sessionId }, 'the tokens of a session were not renewed');
      });
      return row;
    }
    const renewed = await withTimeout(renewing, renewalWaitMaxMs, () => {
      throw new IdentityUnavailable('The identity provider does not renew the session in time.');
    });
    if (renewed === null) throw new Unauthenticated(ENDED);
    return renewed;
  };

  /** Ends a session whose tokens were sealed under a lost key. */
  const unlessLost = async <Result>(row: SessionRow, use: () => Promise<Result>) => {
    try {
      return await use();
    } catch (error) {
      if (!(error instanceof CannotOpen)) throw error;
      logger.warn(
        { err: error, sessionId: row.sessionId },
        'a session was sealed under a lost key',
      );
      await endSession(pool, row.sessionId);
      throw new Unauthenticated(ENDED, error);
    }
  };

  /** Ends the session here in any case, and at the issuer if it can be reached. */
  const endWith = async (row: SessionRow): Promise<void> => {
    // Those of a renewal that ends meanwhile, which the issuer has put in place of the row's.
    const tokens = await endSession(pool, row.sessionId);
    if (tokens === null) return;
    try {
      await client.revoke(seal.open({ ...row, tokens }));
    } catch (error) {
      const { sessionId } = row;
      logger.warn({ err: error, sessionId }, 'the tokens of an ended session were not revoked');
    }
  };

  const signOutUrl = async (row: SessionRow, home: string): Promise<string> => {
    try {
      return (await client.endSessionUrl(seal.open(row), home))?.href ?? home;
    } catch (error) {
      const { sessionId } = row;
      logger.warn({ err: error, sessionId }, 'a session was not ended at the issuer');
      return home;
    }
  };

  const at = (origin: string): SessionsAt => {
    const cookies = cookiesOf(origin);
    const callback = origin + CALLBACK_PATH;

    const formerOf = async (headers: IncomingHttpHeaders): Promise<SessionRow | null> => {
      const cookie = cookies.session(headers);
      return cookie === null ? null : sessionOf(pool, hashOf(cookie), origin, now());
    };

    return {
      origin,
      cookieIn: (headers) =>
        headers.authorization === undefined ? cookies.session(headers) : null,

      async open(cookie, isUse = true) {
        const row = await alive(cookie, origin);
        return unlessLost(row, async () => {
          const { tokens, ...session } = await fresh(row);
          const nowMs = now();
          const isNoted = nowMs - Date.parse(row.lastUsedAt) < SESSION_USE_NOTED_MS;
          if (isUse && !isNoted) await noteUse(pool, row.sessionId, instant(nowMs));
          const lastUsedAt = isUse && !isNoted ? instant(nowMs) : row.lastUsedAt;
          return {
            sessionId: session.sessionId,
            subject: session.subject,
            accessToken: seal.open({ ...session, tokens }).access,
            expiresAt: endOf({ ...session, tokens, lastUsedAt }),
          };
        });
      },

      async beginSignIn(returnTo, headers) {
        const { url, checks } = await client.begin(callback);
        const state = { checks, returnTo: returnAddress(returnTo) };
        return {
          location: url.href,
          cookies: [
            ...surplusOf(cookies, headers),
            cookies.setSignIn(checks.state, sealSignIn(state, secrets, now())),
          ],
        };
      },

      async finishSignIn(query, { headers, sourceIp }) {
        const state = new URLSearchParams(query).get('state') ?? '';
        const sealed = cookies.signIn(headers, state);
        const begun = sealed && openSignIn(sealed, state, secrets, now());
        if (!begun)
          throw new SignInRefused('The sign-in was started in another browser, or too long ago.');
        const signedIn = await client.finish(new URL(callback + query), begun.checks);
        const { actor, person, organisation } = await identity.callerOf(signedIn.access);
        if (!person || actor.id !== signedIn.subject)
          throw new SignInRefused('The tokens name different persons.');
        const former = await formerOf(headers);
        const cookie = randomBytes(COOKIE_BYTES).toString('base64url');
        const sessionId = randomUUID();
        const userAgent = headers['user-agent'] ?? null;
        await transaction(pool, async (connection) => {
          if (former) await endSession(connection, former.sessionId);
          await addSession(connection, {
            sessionId,
            cookieHash: hashOf(cookie),
            origin,
            subject: signedIn.subject,
            issuerSid: signedIn.issuerSid,
            tokens: seal.seal(signedIn, sessionId),
            renewAt: instant(signedIn.renewAtMs),
            tokenEndsAt: instant(signedIn.endsAtMs),
            createdAt: instant(now()),
            userAgent: userAgent && userAgent.slice(0, SESSION_USER_AGENT_CHARACTERS_MAX),
            sourceIp,
            organisation,
          });
        });
        return {
          location: begun.returnTo,
          cookies: [cookies.setSession(cookie), cookies.clearSignIn(state)],
        };
      },

      async signOut(headers) {
        const row = await formerOf(headers);
        const home = `${origin}/`;
        const location = row === null ? home : await signOutUrl(row, home);
        if (row !== null) await endWith(row);
        return { location, cookies: [cookies.clearSession()] };
      },

      list: async ({ subject }) => (await sessionsOf(pool, subject, now())).map(listed),

      async end({ subject }, sessionId) {
        const rows = await sessionsOf(pool, subject, now());
        const row = rows.find((one) => one.sessionId === sessionId);
        if (row) await endWith(row);
        return row !== undefined;
      },
    };
  };

  return {
    at,

    async logOut(logoutToken) {
      const nowMs = now();
      const { jti, ...ended } = await readLogoutToken(logoutToken, {
        issuer,
        clientId: PORTAL_CLIENT_ID,
        keyOf: keys.keyOf,
        nowMs,
      });
      const keptUntil = instant(nowMs + 2 * LOGOUT_TOKEN_AGE_MAX_S * 1_000);
      const sessions = await transaction(pool, async (connection) => {
        if (!(await useLogoutToken(connection, hashOf(jti), keptUntil)))
          throw new LogoutRefused('The logout token was used before.');
        return endSessionsOf(connection, ended);
      });
      logger.info({ sessions }, 'the issuer has signed a person out');
    },

    sweep: () => sweepSessions(pool, now()),
  };
};

const ENDED = 'The session has ended. Sign in again.';
const COOKIE_BYTES = 32;

/** The only part of a cookie that is stored. */
const hashOf = (secret: string): Buffer => hash('sha256', secret, 'buffer');

const listed = (row: SessionRow): ListedSession => {
  const { sessionId, origin, createdAt, lastUsedAt, userAgent, sourceIp } = row;
  const expiresAt = endOf(row);
  return { sessionId, origin, createdAt, lastUsedAt, expiresAt, userAgent, sourceIp };
};

/** Clears the oldest pending sign-ins of a browser with too many. */
const surplusOf = (cookies: Cookies, headers: IncomingHttpHeaders): readonly string[] => {
  const begun = cookies.signIns(headers);
  const surplus = Math.max(0, begun.length - SIGN_INS_OF_BROWSER_MAX + 1);
  return begun.slice(0, surplus).map((state) => cookies.clearSignIn(state));
};
