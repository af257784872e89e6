/** Minting an API key, by whichever way it is asked for. contract.md section 3. */
import type { KeyringCommand } from '../../domain/keys/keyring.ts';
import { keyAt, type KeyAt, type KeyringView } from '../../domain/keys/view.ts';
import { keyringOf, newKeyId, newToken } from '../../identity/keys/token.ts';
import type { Aggregate, Answer } from '../../engine/aggregates/aggregate.ts';
import type { UseCase } from '../use-case.ts';

export interface MintKeyParts {
  readonly keyrings: Pick<Aggregate<KeyringCommand, KeyringView>, 'give'>;
}

/** Without an expiry (`expiresInDays: null`) for operators alone: HTTP's schema takes none such. */
export type NewKey = Omit<
  Extract<KeyringCommand, { type: 'MintKey' }>,
  'type' | 'keyId' | 'secretHash'
>;

export interface MintedKey {
  /** As the command left it, also where it comes again after the key's time. */
  readonly key: KeyAt;
  /** The plaintext, which nothing keeps; `null` where the command came before. */
  readonly token: string | null;
  readonly answer: Answer<KeyringView>;
}

/**
 * Mints a key under an id and a secret that are drawn here.
 *
 * @throws {@link Refused} with `KEY_LIMIT_REACHED`, `VALIDATION_FAILED` for a lifetime, or
 *   `CONFLICT` where two organisations would share a keyring.
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
