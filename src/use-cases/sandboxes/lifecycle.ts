/** Requesting, resetting and deleting a sandbox: each acquires or releases a quota slot. */
import type { Occasion } from '../../engine/aggregates/decider.ts';
import { isBeingBuilt, type SandboxCommand } from '../../domain/sandboxes/sandbox.ts';
import { estimatedBytesOf, refusedSize } from '../../domain/sandboxes/size.ts';
import type { SandboxView } from '../../domain/sandboxes/view.ts';
import { Refused, type Answer } from '../../engine/aggregates/aggregate.ts';
import { refuseWithoutRoom, type HostRoom } from './host-room.ts';
import type { Sandboxes } from './sandboxes.ts';
import { refuseWithoutSnapshot, type Snapshots } from './snapshots.ts';
import { keyedMutex } from '../../engine/concurrency/keyed-mutex.ts';
import type { SandboxQuota } from './sandbox-quota.ts';
import type { UseCase } from '../use-case.ts';

export interface SandboxLifecycleParts extends HostRoom {
  readonly sandboxes: Sandboxes;
  readonly snapshots: Pick<Snapshots, 'look'>;
  readonly quota: SandboxQuota;
}

/** The caller derives its id and slug from the command, so that a repeat has the same ones. */
export type NewSandbox = Omit<
  Extract<SandboxCommand, { type: 'RequestSandbox' }>,
  'type' | 'placeId'
>;

/**
 * Requests a sandbox, which a process provisions afterwards.
 *
 * @throws {@link Refused} `SANDBOX_TOO_LARGE`, `SANDBOX_QUOTA_REACHED`, `TTL_TOO_LONG`,
 *   `IDEMPOTENCY_KEY_REUSED`, and `UNAVAILABLE` if the host is full.
 */
export const requestSandbox = (
  parts: SandboxLifecycleParts,
): UseCase<NewSandbox, Answer<SandboxView>> => {
  const { sandboxes, quota } = parts;
  const mutex = keyedMutex();

  const request: UseCase<NewSandbox, Answer<SandboxView>> = async (newSandbox, occasion, name) => {
    const { sandboxId, organisation } = newSandbox;
    const requested = (placeId: string) =>
      ({ type: 'RequestSandbox', ...newSandbox, placeId }) as const;
    const give = (placeId: string) =>
      sandboxes.give(sandboxId, { ...name, command: requested(placeId), organisation }, occasion);
    // A repeat is answered from the record, without a slot.
    const existing = name.fresh ? null : await sandboxes.look(sandboxId);
    if (existing) return give(existing.view.placeId);

    const { branch, parameters } = newSandbox;
    const estimatedBytes = branch?.bytes ?? estimatedBytesOf(parameters);
    refuseTooLarge(parts, estimatedBytes);
    return withSlot(quota, newSandbox, occasion, async (reserve) => {
      const placeId = await reserve().catch(async (error) => {
        // The last slot may belong to this sandbox, through a concurrent repeat of the command.
        const made = name.fresh ? null : await sandboxes.look(sandboxId);
        if (made) return made.view.placeId;
        throw error;
      });
      await refuseWithoutRoom(parts, estimatedBytes, occasion.at);
      return give(placeId);
    });
  };

  // Concurrent repeats of a command would each reserve a slot.
  return (change, occasion, name) => {
    const act = () => request(change, occasion, name);
    return name.fresh ? act() : mutex.run(change.sandboxId, act);
  };
};

/**
 * Gives a command that may reserve a slot. The slot is confirmed if the sandbox uses it, and
 * released if not. After a failure the sandbox may use it: an unconfirmed slot lapses.
 */
const withSlot = async (
  quota: SandboxQuota,
  { developer, sandboxId }: Pick<SandboxView, 'developer' | 'sandboxId'>,
  occasion: Occasion,
  give: (reserve: () => Promise<string>) => Promise<Answer<SandboxView>>,
): Promise<Answer<SandboxView>> => {
  let placeId = null as string | null;
  const reserve = async () => (placeId ??= await quota.reserve(developer, sandboxId, occasion));
  try {
    const answer = await give(reserve);
    if (placeId === null) return answer;
    if (answer.view.placeId === placeId) await quota.confirm(developer, placeId, occasion);
    else await quota.release(developer, placeId, occasion);
    return answer;
  } catch (error) {
    // If that fails too, the slot lapses.
    if (placeId !== null && error instanceof Refused)
      await quota.release(developer, placeId, occasion).catch(() => {});
    throw error;
  }
};

/**
 * Provisions the sandbox again in a new database, from its snapshot if it has one. A failed one has
 * released its slot and reserves another.
 *
 * @throws {@link Refused} `NOT_FOUND`, `SANDBOX_NOT_READY`, `SANDBOX_TOO_LARGE`,
 *   `SANDBOX_QUOTA_REACHED`, `SNAPSHOT_GONE`, and `UNAVAILABLE` if the host is full: until the new
 *   database is ready there are two.
 */
export const resetSandbox =
  (parts: SandboxLifecycleParts): UseCase<SandboxView, Answer<SandboxView>> =>
  async (sandbox, occasion, name) => {
    const { sandboxes, snapshots, quota } = parts;
    const { sandboxId, organisation, estimatedBytes } = sandbox;
    return withSlot(quota, sandbox, occasion, (reserve) => {
      const command = async (): Promise<SandboxCommand> => {
        // At least as new as the state that is decided on, which the caller's view may be behind.
        const { status, placeId: current } = (await sandboxes.look(sandboxId))!.view;
        if (status === 'provisioning') return { type: 'ResetSandbox', placeId: current };
        refuseTooLarge(parts, estimatedBytes);
        await refuseWithoutSnapshot(snapshots, sandbox, occasion.at);
        const placeId = status === 'failed' ? await reserve() : current;
        await refuseWithoutRoom(parts, estimatedBytes, occasion.at);
        return { type: 'ResetSandbox', placeId };
      };
      return sandboxes.give(sandboxId, { ...name, command, organisation }, occasion);
    });
  };

/**
 * Deletes the sandbox. Its slot is free when this resolves or, during a build, when the build has
 * ended.
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

const refuseTooLarge = ({ sizes }: SandboxLifecycleParts, estimatedBytes: number): void => {
  const tooLarge = refusedSize(estimatedBytes, sizes);
  if (tooLarge) throw new Refused(tooLarge);
};
