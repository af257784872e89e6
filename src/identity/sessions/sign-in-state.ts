/**
 * A pending sign-in, stored only in the browser: sealed in a cookie, so that requests without a
 * credential store no data here, and only the browser that began the sign-in can finish it.
 */
import { CannotOpen, type Secrets } from '../../engine/secrets/secrets.ts';
import { SIGN_IN_MAX_MS } from './limits.ts';
import type { SignInChecks } from './issuer-client.ts';

export interface SignInState {
  readonly checks: SignInChecks;
  readonly returnTo: string;
}

/** The contents of the cookie. */
interface Stored extends SignInState {
  readonly untilMs: number;
}

export const sealSignIn = (state: SignInState, secrets: Secrets, nowMs: number): string => {
  const stored: Stored = { ...state, untilMs: nowMs + SIGN_IN_MAX_MS };
  return secrets.seal(JSON.stringify(stored), boundTo(state.checks.state));
};

/** `null` if it was altered, belongs to another sign-in, or has expired. */
export const openSignIn = (
  sealed: string,
  state: string,
  secrets: Secrets,
  nowMs: number,
): SignInState | null => {
  try {
    const { untilMs, ...kept } = JSON.parse(secrets.open(sealed, boundTo(state))) as Stored;
    return nowMs < untilMs ? kept : null;
  } catch (error) {
    if (error instanceof CannotOpen) return null;
    throw error;
  }
};

const boundTo = (state: string): string => `sign-in-${state}`;
