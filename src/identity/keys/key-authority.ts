import type { Caller } from '../caller.ts';
import type { Permission } from '../permissions.ts';
import type { ScopeTable } from './scopes.ts';
import { KEY_PREFIX } from './token.ts';

/**
 * Checks API keys and records every use. A port, so that sandboxes can use the main platform's
 * instance. design.md decision 8.
 */
export interface KeyAuthority {
  /**
   * Checks the key against the current log, and records the use. When the promise resolves, the
   * record is durable, or the denial has been counted (contract.md section 3).
   *
   * @throws `LogUnavailable` if the record cannot be made durable: a 503.
   */
  check(token: string, use: KeyUse): Promise<KeyAnswer>;
}

/** The permission that a request needs, and the data for its record. */
export interface KeyUse {
  /**
   * The route's permission; `authenticated`: any active key is accepted; `null`: only portal
   * sessions are accepted.
   */
  readonly needs: Permission | 'authenticated' | null;
  /** `GET /api/v1/sandboxes/{id}`. */
  readonly route: string;
  readonly sourceIp: string;
  readonly userAgent: string | null;
  /**
   * The permissions of each scope at the address of a sandbox, where a scope without any opens
   * nothing, not even an `authenticated` route. Default: those on the platform itself.
   */
  readonly scopes?: ScopeTable;
  /**
   * An allowed use is not recorded, because a further check follows, which records it and alone
   * finds a revocation of a moment ago. Default false.
   */
  readonly isPreliminary?: boolean;
}

export type KeyAnswer =
  | { readonly allowed: true; readonly caller: Caller }
  | { readonly allowed: false; readonly code: KeyProblem; readonly detail: string };

export type KeyProblem = 'UNAUTHENTICATED' | 'KEY_EXPIRED' | 'KEY_REVOKED' | 'SCOPE_DENIED';

/** Whether the token has the prefix of an API key, so that no other check applies. */
export const isKey = (token: string): boolean => token.startsWith(KEY_PREFIX);
