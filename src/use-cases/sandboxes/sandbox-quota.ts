/** A developer's quota of sandboxes. interface.md «Limits», contract.md section 4. */
import { v4 as newId, v5 as uuidFrom } from 'uuid';
import { isOccupied } from '../../domain/sandboxes/allowance.ts';
import type { Instant, Occasion } from '../../engine/aggregates/decider.ts';
import { isBeingBuilt } from '../../domain/sandboxes/sandbox.ts';
import { isThere, type SandboxView } from '../../domain/sandboxes/view.ts';
import { Refused } from '../../engine/aggregates/aggregate.ts';
import type { Allowances, Sandboxes } from './sandboxes.ts';

export interface SandboxQuotaParts {
  readonly allowances: Allowances;
  readonly sandboxes: Pick<Sandboxes, 'look'>;
}

export interface SandboxQuota {
  /**
   * Reserves a slot for a sandbox that is about to be requested or reset; returns its id. Leftovers
   * of interrupted requests are settled first.
   *
   * @throws {@link Refused} `SANDBOX_QUOTA_REACHED` with `limit`, `used` and `retryAt`, the first
   *   expiry of one of the sandboxes.
   */
  reserve(developer: string, sandboxId: string, occasion: Occasion): Promise<string>;
  /** The sandbox exists: its slot is occupied until it is released. */
  confirm(developer: string, placeId: string, occasion: Occasion): Promise<void>;
  release(developer: string, placeId: string, occasion: Occasion): Promise<void>;
}

export const sandboxQuota = ({ allowances, sandboxes }: SandboxQuotaParts): SandboxQuota => {
  const give =
    (type: 'ConfirmPlace' | 'ReleasePlace') =>
    async (developer: string, placeId: string, occasion: Occasion): Promise<void> => {
      const commandId = uuidFrom(type, placeId);
      await allowances.give(developer, { commandId, command: { type, placeId } }, occasion);
    };
  const confirm = give('ConfirmPlace');
  const release = give('ReleasePlace');

  const take = async (developer: string, sandboxId: string, occasion: Occasion) => {
    const placeId = newId();
    const command = { type: 'ReservePlace', placeId, sandboxId } as const;
    await allowances.give(developer, { commandId: placeId, command }, occasion);
    return placeId;
  };

  /**
   * Confirms or releases slots by the state of their sandboxes, which is the truth.
   *
   * @returns The expiries of the sandboxes that occupy slots.
   */
  const settle = async (
    developer: string,
    occasion: Occasion,
    which: 'lapsed' | 'all',
  ): Promise<readonly Instant[]> => {
    const ends: Instant[] = [];
    const found = await allowances.look(developer);
    for (const [placeId, slot] of found?.view.slots ?? []) {
      const isLapsed = !isOccupied(slot, occasion.at);
      if (!isLapsed && (which === 'lapsed' || slot.lapsesAt !== null)) continue;
      const sandbox = (await sandboxes.look(slot.sandboxId))?.view;
      if (!sandbox || !holds(sandbox, placeId, occasion.at)) {
        await release(developer, placeId, occasion);
        continue;
      }
      if (isLapsed) await confirm(developer, placeId, occasion);
      if (isThere(sandbox, occasion.at)) ends.push(sandbox.expiresAt);
    }
    return ends;
  };

  return {
    async reserve(developer, sandboxId, occasion) {
      await settle(developer, occasion, 'lapsed');
      try {
        return await take(developer, sandboxId, occasion);
      } catch (error) {
        if (!isFull(error)) throw error;
        const [retryAt] = (await settle(developer, occasion, 'all')).toSorted();
        return await take(developer, sandboxId, occasion).catch((again: unknown) => {
          throw isFull(again) && retryAt !== undefined ? withRetryAt(again, retryAt) : again;
        });
      }
    },

    confirm,
    release,
  };
};

/**
 * A failed sandbox has no database and does not count. One that ended during its build counts until
 * the build has ended, when provisioning releases its slot.
 */
const holds = (sandbox: SandboxView, placeId: string, at: Instant): boolean =>
  sandbox.placeId === placeId &&
  sandbox.status !== 'failed' &&
  (isThere(sandbox, at) || isBeingBuilt(sandbox, at));

const isFull = (error: unknown): error is Refused =>
  error instanceof Refused && error.refusal.refused === 'SANDBOX_QUOTA_REACHED';

const withRetryAt = ({ refusal }: Refused, retryAt: Instant): Refused =>
  new Refused({ ...refusal, extra: { ...refusal.extra, retryAt } });
