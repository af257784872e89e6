/** Minting an API key, common to all callers. contract.md section 3. */
import type { KeyringCommand } from '../../domain/keys/keyring.ts';
import { keyAt, type KeyAt, type KeyringView } from '../../domain/keys/view.ts';
import { keyringOf, newKeyId, newToken } from '../../identity/keys/token.ts';
import type { Aggregate, Answer } from '../../engine/aggregates/aggregate.ts';
import type { UseCase } from '../use-case.ts';

export interface MintKeyParts {
  readonly keyrings: Pick<Aggregate<KeyringCommand, KeyringView>, 'give'>;
}

/** Only operators can omit the expiry (`expiresInDays: null`): HTTP's schema does not allow it. */
export type NewKey = Omit<
  Extract<KeyringCommand, { type: 'MintKey' }>,
  'type' | 'keyId' | 'secretHash'
>;

export interface MintedKey {
  /** The key after the command, even in a repeat after its expiry. */
  readonly key: KeyAt;
  /** The plaintext, which is not stored; `null` for a repeated command. */
  readonly token: string | null;
  readonly answer: Answer<KeyringView>;
}

/**
 * Mints a key with a random id and secret.
 *
 * @throws {@link Refused} with `KEY_LIMIT_REACHED`, `VALIDATION_FAILED` for a lifetime, or
 *   `CONFLICT` if two organisations would share a keyring.
 * @throws {@link LogUnavailable} if the log cannot be reached.
 */
export const mintKey =
  ({ keyrings }: MintKeyParts): UseCase<NewKey, MintedKey> =>
  async (asked, occasion, name) => {
    const { organisation } = asked;
    const keyId = newKeyId(organisation);
    const { token, secretHash } = newToken(keyId);
    const command = { type: 'MintKey', ...asked, keyId, secretHash } as const;
    const answer = await keyrings.give(
      keyringOf(organisation),
      { ...name, command, organisation },
      occasion,
    );
    const issued = answer.view.keys.at(-1)!;
    const key = keyAt(issued, issued.createdAt);
    return { key, token: answer.replayed ? null : token, answer };
  };
