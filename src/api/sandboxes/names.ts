/** How a sandbox and its developer are named. contract.md section 4. */
import { createHash, randomBytes } from 'node:crypto';
import { v5 as uuidFrom } from 'uuid';
import type { Actor } from '../../engine/aggregates/decider.ts';
import type { KeyringView } from '../../domain/keys/view.ts';
import type { Caller } from '../../identity/caller.ts';

export interface SandboxNames {
  /** `sbx_` and 16 lower-case letters and digits. */
  readonly sandboxId: string;
  /** Of the slug: six of them, which the id does not tell. */
  readonly suffix: string;
}

/** @param madeId What names the create: the same id for the same one. */
export const sandboxNamesOf = (madeId: string): SandboxNames => {
  const digest = createHash('sha512').update(madeId).digest('hex');
  const letters = BigInt(`0x${digest}`).toString(36).padStart(100, '0');
  return { sandboxId: `sbx_${letters.slice(-16)}`, suffix: letters.slice(-22, -16) };
};

/** For a create that names none: 64 random bits. */
export const newSeed = (): string => randomBytes(8).toString('hex');

/** The key of the allowance of whoever acts, within their organisation. */
export const developerOf = (organisation: string, { kind, id }: Pick<Actor, 'kind' | 'id'>) =>
  uuidFrom(JSON.stringify([organisation, kind, id]), NAMESPACE);

const NAMESPACE = 'c3c8b0de-2f5a-4a4e-9a3b-6d0d3f4be7a1';

/**
 * Whose sandboxes the caller asks about: a key acts for who minted it, and one that an operator
 * minted for itself.
 *
 * @param keyring The organisation's keys; `null` where there are none.
 */
export const actsFor = ({ actor }: Caller, keyring: KeyringView | null): Actor => {
  if (actor.kind !== 'key') return actor;
  const minter = keyring?.keys.find(({ keyId }) => keyId === actor.id)?.createdBy;
  return minter && minter.kind !== 'system' ? minter : actor;
};
