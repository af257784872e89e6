/** Hides from outsiders whether there is a sandbox at an address. contract.md section 2. */
import type { IncomingMessage } from 'node:http';
import { openSession } from '../api/sessions/authenticate.ts';
import { bearerIn } from '../api/sessions/bearer.ts';
import { problemOf } from '../api/http/errors.ts';
import { listeningOf, requireCredential, type Handshake } from '../api/live/credentials.ts';
import { Problem } from '../api/http/problems.ts';
import type { SandboxView } from '../domain/sandboxes/view.ts';
import { NotForCaller, type Identity } from '../identity/caller.ts';
import { isKey, type KeyAuthority } from '../identity/keys/key-authority.ts';
import type { BrowserSessions } from '../identity/sessions/sessions.ts';
import { keyringOf, keyringOfKey, readToken } from '../identity/keys/token.ts';
import { identityOn, keysOn } from './credentials.ts';
import { sourceIps } from '../api/http/source-ip.ts';

export interface AdmissionParts {
  /** The main platform's. */
  readonly identity: Identity;
  readonly keyAuthority: KeyAuthority;
  /** Default `null`: cookies are no credential. */
  readonly browserSessions?: Pick<BrowserSessions, 'at'> | null;
  readonly apiUrlOf: (slug: string) => string;
  /** Addresses and CIDRs whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
}

export interface Admission {
  /** Why the credential is malformed, without any look-up; `null` if it is well-formed. */
  malformed(request: IncomingMessage, slug: string): Problem | null;
  /** As `malformed`, of a client of the live service. */
  malformedIn(handshake: Handshake, slug: string): Problem | null;
  /**
   * Why the caller is refused at this address; `null` if the sandbox decides. A caller without
   * access gets the same answer whether there is a sandbox or not: 401 for an invalid credential,
   * 404 for any other.
   *
   * @param sandbox `null`: there is none.
   * @param isLast No check by the sandbox follows, so that the use of a key is recorded here.
   *   Default: false.
   * @throws `LogUnavailable` if the use of a key cannot be recorded.
   */
  refusal(
    request: IncomingMessage,
    slug: string,
    sandbox: SandboxView | null,
    isLast?: boolean,
  ): Promise<Problem | null>;
  /** As `refusal`, of a client of the live service. */
  refusalIn(
    handshake: Handshake,
    slug: string,
    sandbox: SandboxView | null,
    isLast?: boolean,
  ): Promise<Problem | null>;
}

export const admission = (parts: AdmissionParts): Admission => {
  const { identity, keyAuthority, apiUrlOf } = parts;
  const sourceIpOf = sourceIps(parts.trustedProxies);
  const sessionsOf = (slug: string) => parts.browserSessions?.at(apiUrlOf(slug));

  const keysAt = (slug: string, sandbox: SandboxView | null, isLast: boolean): KeyAuthority => {
    const keys = keysOn(sandbox ?? NONE, apiUrlOf(slug), keyAuthority, UNCOUNTED);
    return {
      check: (token, use) =>
        keys.check(token, { ...use, isPreliminary: isCheckedAgain(token, sandbox, isLast) }),
    };
  };

  const ofKey = async (
    request: IncomingMessage,
    token: string,
    slug: string,
    sandbox: SandboxView | null,
    isLast: boolean,
  ) => {
    const answer = await keysAt(slug, sandbox, isLast).check(token, {
      // Every scope with access to a sandbox has this permission.
      needs: isCheckedAgain(token, sandbox, isLast) ? 'authenticated' : 'platform.sandboxes:read',
      // Not the path, which is arbitrary here because it matches no route of this address.
      route: `${request.method ?? 'GET'} /*`,
      sourceIp: sourceIpOf(request),
      userAgent: request.headers['user-agent'] ?? null,
    });
    return answer.allowed ? null : new Problem(answer.code, answer.detail);
  };

  return {
    malformed: (request, slug) =>
      malformedBy(() => {
        if (!sessionsOf(slug)?.cookieIn(request.headers)) bearerIn(request);
      }),

    malformedIn: (handshake, slug) =>
      malformedBy(() => requireCredential(handshake, sessionsOf(slug))),

    refusal: (request, slug, sandbox, isLast = false) =>
      refusedBy(async () => {
        const session = await openSession(request, sessionsOf(slug));
        const token = session?.accessToken ?? bearerIn(request);
        if (isKey(token)) return ofKey(request, token, slug, sandbox, isLast);
        await identityOn(sandbox ?? NONE, identity, UNCOUNTED).callerOf(token);
        return sandbox ? null : problemOf(new NotForCaller());
      }),

    refusalIn: (handshake, slug, sandbox, isLast = false) =>
      refusedBy(async () => {
        await listeningOf(handshake, {
          identity: identityOn(sandbox ?? NONE, identity, UNCOUNTED),
          keyAuthority: keysAt(slug, sandbox, isLast),
          sessions: sessionsOf(slug),
        });
        return sandbox ? null : problemOf(new NotForCaller());
      }),
  };
};

/** A ready sandbox checks its organisation's keys with its route, and records each use. */
const isCheckedAgain = (token: string, sandbox: SandboxView | null, isLast: boolean): boolean => {
  if (isLast) return false;
  const read = readToken(token);
  const isOwn =
    read !== null &&
    sandbox !== null &&
    keyringOfKey(read.keyId) === keyringOf(sandbox.organisation);
  return isOwn && sandbox.status === 'ready';
};

const malformedBy = (check: () => void): Problem | null => {
  try {
    check();
    return null;
  } catch (error) {
    return problemOf(error);
  }
};

const refusedBy = async (check: () => Promise<Problem | null>): Promise<Problem | null> => {
  try {
    return await check();
  } catch (error) {
    const problem = problemOf(error);
    if (problem.code === 'INTERNAL') throw error;
    return problem;
  }
};

/** No organisation has an empty name. */
const NONE = { organisation: '', developer: '' } as const;

const UNCOUNTED = { enter: () => {} };
