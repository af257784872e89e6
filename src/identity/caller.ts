import type { Permission } from './permissions.ts';
import type { Actor, Instant } from '../engine/aggregates/decider.ts';
import type { KeyScope } from '../domain/keys/events.ts';
import type { Ready } from '../engine/observe/readiness-error.ts';

/** The authenticated caller. */
export interface Caller {
  readonly actor: Actor;
  /** Absent if the token has none. */
  readonly email?: string;
  /** Alias of the organisation; `null` for an operator who belongs to none. */
  readonly organisation: string | null;
  readonly roles: readonly string[];
  readonly permissions: ReadonlySet<Permission>;
  /** A signed-in person, as opposed to a machine's client-credentials token. */
  readonly person: boolean;
  /** Scope of an API key; absent for a portal session. */
  readonly scope?: KeyScope;
  /** Expiry of the credential in real time. Absent: unknown. */
  readonly expiresAt?: Instant;
}

/** Checks credentials. A sandbox uses the main platform's instance. */
export interface Identity {
  /** The issuer of accepted access tokens. */
  readonly issuer: string;
  /**
   * The caller of an access token.
   *
   * @throws {@link Unauthenticated} for anything but a valid access token of the issuer.
   * @throws {@link OrganisationRequired} if it names no organisation, or several.
   * @throws {@link IdentityUnavailable} if the issuer cannot be reached, which says nothing about
   *   the token: 503, never 401.
   */
  callerOf(accessToken: string): Promise<Caller>;
  /** `true` once tokens can be checked, or why they cannot: no key set of the issuer is known. */
  ready(): Promise<Ready>;
  /** `true`, or why the last fetch of the issuer's key set failed. */
  reachable(): Ready;
}

export class Unauthenticated extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
    this.name = 'Unauthenticated';
  }
}

export class OrganisationRequired extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'OrganisationRequired';
  }
}

/** The credential is valid, but has no access to anything here: a 404. */
export class NotForCaller extends Error {
  constructor() {
    super('There is no resource at this address.');
    this.name = 'NotForCaller';
  }
}

/** The issuer cannot be reached, so that tokens cannot be checked. */
export class IdentityUnavailable extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
    this.name = 'IdentityUnavailable';
  }
}
