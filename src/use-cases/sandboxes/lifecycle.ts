/** Requesting, resetting and deleting a sandbox: each takes or gives back a place. */
import { refuse, type Instant, type Occasion } from '../../engine/aggregates/decider.ts';
import { isBeingBuilt, type SandboxCommand } from '../../domain/sandboxes/sandbox.ts';
import { estimatedBytesOf, refusedSize, type SizeBounds } from '../../domain/sandboxes/size.ts';
import type { SandboxView } from '../../domain/sandboxes/view.ts';
import { Refused, type Answer } from '../../engine/aggregates/aggregate.ts';
import type { Sandboxes } from './sandboxes.ts';
import { turns } from '../../engine/concurrency/turns.ts';
import type { SandboxQuota } from './sandbox-quota.ts';
import type { UseCase } from '../use-case.ts';

export interface SandboxLifecycleParts {
  readonly sandboxes: Sandboxes;
  readonly quota: SandboxQuota;
  readonly sizes: SizeBounds;
  /** Estimated size of all sandboxes of the host together. */
  readonly usedBytes: (at: Instant) => Promise<number>;
}

/** Its id and slug are drawn by who asks: the same command names the same ones. */
export type NewSandbox = Omit<
  Extract<SandboxCommand, { type: 'RequestSandbox' }>,
  'type' | 'placeId'
>;

/**
 * Requests a sandbox. It is provisioned by a process afterwards.
 *
 * @throws {@link Refused} `SANDBOX_TOO_LARGE`, `SANDBOX_QUOTA_REACHED`, `TTL_TOO_LONG`,
 *   `IDEMPOTENCY_KEY_REUSED`, and `UNAVAILABLE` where the host is full.
 */
export const requestSandbox = (
  parts: SandboxLifecycleParts,
): UseCase<NewSandbox, Answer<SandboxView>> => {
  const { sandboxes, quota } = parts;
  const inTurn = turns();

  const request: UseCase<NewSandbox, Answer<SandboxView>> = async (wanted, occasion, name) => {
    const { sandboxId, developer, organisation } = wanted;
    const requested = (placeId: string) =>
      ({ type: 'RequestSandbox', ...wanted, placeId }) as const;
    const give = (placeId: string) =>
      sandboxes.give(sandboxId, { ...name, command: requested(placeId), organisation }, occasion);
    // A repeat is answered from what is recorded, and takes no place.
    const known = name.fresh ? null : await sandboxes.look(sandboxId);
    if (known) return give(known.view.placeId);

    const estimatedBytes = estimatedBytesOf(wanted.parameters);
    refuseTooLarge(parts, estimatedBytes);
    const placeId = await quota.reserve(developer, sandboxId, occasion).catch(async (error) => {
      // The last place may be this sandbox's own, which the same command has taken elsewhere.
      const made = name.fresh ? null : await sandboxes.look(sandboxId);
      if (made) return made.view.placeId;
      throw error;
    });
    return withSlot(quota, { developer, placeId }, occasion, async () => {
      await refuseWithoutRoom(parts, estimatedBytes, occasion.at);
      return give(placeId);
    });
  };

  // The same command at once would take a place each time that it comes.
  return (wanted, occasion, name) => {
    const act = () => request(wanted, occasion, name);
    return name.fresh ? act() : inTurn(wanted.sandboxId, act);
  };
};

/**
 * Gives a command that is to take a reserved place. The place is confirmed if the sandbox has it by
 * then, and given back if not.
 */
const withSlot = async (
  quota: SandboxQuota,
  { developer, placeId }: Pick<SandboxView, 'developer' | 'placeId'>,
  occasion: Occasion,
  give: () => Promise<Answer<SandboxView>>,
): Promise<Answer<SandboxView>> => {
  try {
    const answer = await give();
    if (answer.view.placeId === placeId) await quota.confirm(developer, placeId, occasion);
    else await quota.release(developer, placeId, occasion);
    return answer;
  } catch (error) {
    // Where that fails as well, the place lapses.
    await quota.release(developer, placeId, occasion).catch(() => {});
    throw error;
  }
};

/**
 * Provisions the sandbox anew, in a new database. One that has failed has given its place back and
 * takes another.
 *
 * @throws {@link Refused} `NOT_FOUND`, `SANDBOX_NOT_READY`, `SANDBOX_TOO_LARGE`,
 *   `SANDBOX_QUOTA_REACHED`, and `UNAVAILABLE` where the host is full: until the new database is
 *   ready there are two.
 */
export const resetSandbox =
  (parts: SandboxLifecycleParts): UseCase<SandboxView, Answer<SandboxView>> =>
  async (sandbox, occasion, name) => {
    const { sandboxes, quota } = parts;
    const { sandboxId, developer, organisation, estimatedBytes } = sandbox;
    if (sandbox.status !== 'provisioning') refuseTooLarge(parts, estimatedBytes);
    const takesSlot = sandbox.status === 'failed';
    const placeId = takesSlot
      ? await quota.reserve(developer, sandboxId, occasion)
      : sandbox.placeId;
    const command = { type: 'ResetSandbox', placeId } as const;
    const give = async () => {
      if (sandbox.status !== 'provisioning')
        await refuseWithoutRoom(parts, estimatedBytes, occasion.at);
      return sandboxes.give(sandboxId, { ...name, command, organisation }, occasion);
    };
    return takesSlot ? withSlot(quota, { developer, placeId }, occasion, give) : give();
  };

/**
 * Deletes the sandbox. Its place is free when this resolves; of one that is being built, when that
 * work has ended.
 *
 * @throws {@link Refused} `NOT_FOUND`.
 */
export const deleteSandbox =
  ({ sandboxes, quota }: SandboxLifecycleParts): UseCase<SandboxView, Answer<SandboxView>> =>
  async ({ sandboxId, organisation }, occasion, name) => {
    const command = { type: 'DeleteSandbox' } as const;
    const answer = await sandboxes.give(sandboxId, { ...name, command, organisation }, occasion);
    const { view } = answer;
    if (!isBeingBuilt(view, occasion.at))
      await quota.release(view.developer, view.placeId, occasion);
    return answer;
  };

/** Whether the host has room for it beside all others. */
const refuseWithoutRoom = async (
  { sizes, usedBytes }: SandboxLifecycleParts,
  estimatedBytes: number,
  at: Instant,
): Promise<void> => {
  if ((await usedBytes(at)) + estimatedBytes <= sizes.hostBytesMax) return;
  const detail = 'The host has no room for a sandbox of this size now.';
  throw new Refused(refuse('UNAVAILABLE', detail, { estimatedBytes }));
};

const refuseTooLarge = ({ sizes }: SandboxLifecycleParts, estimatedBytes: number): void => {
  const tooLarge = refusedSize(estimatedBytes, sizes);
  if (tooLarge) throw new Refused(tooLarge);
};
