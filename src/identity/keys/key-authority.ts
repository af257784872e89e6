import type { Caller, Permission } from '../caller.ts';
import type { ScopeTable } from './scopes.ts';
import { KEY_PREFIX } from './token.ts';

/**
 * Checks API keys and records every use. It is a port, so that a sandbox's host can be given the
 * main platform's. design.md decision 8.
 */
export interface KeyAuthority {
  /**
   * Judges the key by the log as it is now, and records the use. The record is durable when the
   * promise resolves; a denial that is only counted (contract.md section 3) is counted by then.
   *
   * @throws `LogUnavailable` where the record cannot be made durable: a 503.
   */
  check(token: string, use: KeyUse): Promise<KeyAnswer>;
}

/** What a request needs, and what its record shows of it. */
export interface KeyUse {
  /**
   * What the route needs: `authenticated` where any key will do that is active, `null` where only a
   * portal session is accepted.
   */
  readonly needs: Permission | 'authenticated' | null;
  /** `GET /api/v1/sandboxes/{id}`. */
  readonly route: string;
  readonly sourceIp: string;
  readonly userAgent: string | null;
  /** What scopes open here. Default: what they open on the platform itself. */
  readonly scopes?: ScopeTable;
}

export type KeyAnswer =
  | { readonly allowed: true; readonly caller: Caller }
  | { readonly allowed: false; readonly code: KeyProblem; readonly detail: string };

export type KeyProblem = 'UNAUTHENTICATED' | 'KEY_EXPIRED' | 'KEY_REVOKED' | 'SCOPE_DENIED';

/** Whether the token has the prefix of an API key, so that no other check applies. */
export const isKey = (token: string): boolean => token.startsWith(KEY_PREFIX);
