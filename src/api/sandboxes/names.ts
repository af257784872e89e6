/** Ids and slugs of sandboxes and their developers. contract.md section 4. */
import { createHash, randomBytes } from 'node:crypto';
import { v5 as uuidFrom } from 'uuid';
import type { Actor } from '../../engine/aggregates/decider.ts';
import type { KeyringView } from '../../domain/keys/view.ts';
import type { Caller } from '../../identity/caller.ts';

export interface SandboxNames {
  /** `sbx_` and 16 lower-case letters and digits. */
  readonly sandboxId: string;
  /** Suffix of the slug: six characters that cannot be derived from the id. */
  readonly suffix: string;
}

/** @param madeId Derived from the create: the same id for a repeat. */
export const sandboxNamesOf = (madeId: string): SandboxNames => {
  const digest = createHash('sha512').update(madeId).digest('hex');
  const letters = BigInt(`0x${digest}`).toString(36).padStart(100, '0');
  return { sandboxId: `sbx_${letters.slice(-16)}`, suffix: letters.slice(-22, -16) };
};

/** For a create without a seed: 64 random bits. */
export const newSeed = (): string => randomBytes(8).toString('hex');

/** The actor's key of the allowance, within its organisation. */
export const developerOf = (organisation: string, { kind, id }: Pick<Actor, 'kind' | 'id'>) =>
  uuidFrom(JSON.stringify([organisation, kind, id]), NAMESPACE);

const NAMESPACE = 'c3c8b0de-2f5a-4a4e-9a3b-6d0d3f4be7a1';

/**
 * The developer whose sandboxes the caller manages: a key acts for the user who minted it, and one
 * that an operator minted acts for itself.
 *
 * @param keyring The organisation's keys; `null` if there are none.
 */
export const actsFor = ({ actor }: Caller, keyring: KeyringView | null): Actor => {
  if (actor.kind !== 'key') return actor;
  const minter = keyring?.keys.find(({ keyId }) => keyId === actor.id)?.createdBy;
  return minter && minter.kind !== 'system' ? minter : actor;
};
