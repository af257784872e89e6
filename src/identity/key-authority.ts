import { Unauthenticated, type Caller } from './caller.ts';

/**
 * Checks API keys: a part of its own, so that a sandbox's host can be handed the main platform's.
 */
export interface KeyAuthority {
  /** Whether the token has the form of an API key, so that nobody else need look at it. */
  claims(token: string): boolean;
  /** @throws {@link Unauthenticated} for a key that is unknown. */
  callerOf(token: string): Promise<Caller>;
}

export const KEY_PREFIX = 'atr_';

/** Where no key has ever been minted, every key is unknown. */
export const noKeys: KeyAuthority = {
  claims: (token) => token.startsWith(KEY_PREFIX),
  callerOf: () => Promise.reject(new Unauthenticated('The API key is not known.')),
};
