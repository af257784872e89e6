/** Requesting, resetting and deleting a sandbox: each takes or gives back a place. */
import type { Occasion } from '../domain/decider.ts';
import type { SandboxCommand } from '../domain/sandbox/sandbox.ts';
import type { SandboxView } from '../domain/sandbox/view.ts';
import type { Answer } from '../store/aggregate.ts';
import type { Sandboxes } from '../store/repositories/sandboxes.ts';
import { turns } from '../store/turns.ts';
import type { Places } from './places.ts';
import type { UseCase } from './use-case.ts';

export interface SandboxLifecycleParts {
  readonly sandboxes: Sandboxes;
  readonly places: Places;
}

/** Its id and slug are drawn by who asks: the same command names the same ones. */
export type NewSandbox = Omit<
  Extract<SandboxCommand, { type: 'RequestSandbox' }>,
  'type' | 'placeId'
>;

/**
 * Requests a sandbox. It is provisioned by a process afterwards.
 *
 * @throws {@link Refused} `SANDBOX_QUOTA_REACHED`, `TTL_TOO_LONG`, `IDEMPOTENCY_KEY_REUSED`.
 */
export const requestSandbox = ({
  sandboxes,
  places,
}: SandboxLifecycleParts): UseCase<NewSandbox, Answer<SandboxView>> => {
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

    const placeId = await places.reserve(developer, sandboxId, occasion).catch(async (error) => {
      // The last place may be this sandbox's own, which the same command has taken elsewhere.
      const made = name.fresh ? null : await sandboxes.look(sandboxId);
      if (made) return made.view.placeId;
      throw error;
    });
    return inPlace(places, { developer, placeId }, occasion, () => give(placeId));
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
const inPlace = async (
  places: SandboxLifecycleParts['places'],
  { developer, placeId }: Pick<SandboxView, 'developer' | 'placeId'>,
  occasion: Occasion,
  give: () => Promise<Answer<SandboxView>>,
): Promise<Answer<SandboxView>> => {
  try {
    const answer = await give();
    if (answer.view.placeId === placeId) await places.confirm(developer, placeId, occasion);
    else await places.release(developer, placeId, occasion);
    return answer;
  } catch (error) {
    // Where that fails as well, the place lapses.
    await places.release(developer, placeId, occasion).catch(() => {});
    throw error;
  }
};

/**
 * Provisions the sandbox anew, in a new database. One that has failed has given its place back and
 * takes another.
 *
 * @throws {@link Refused} `NOT_FOUND`, `SANDBOX_NOT_READY`, `SANDBOX_QUOTA_REACHED`.
 */
export const resetSandbox =
  ({ sandboxes, places }: SandboxLifecycleParts): UseCase<SandboxView, Answer<SandboxView>> =>
  async (sandbox, occasion, name) => {
    const { sandboxId, developer, organisation } = sandbox;
    const takesPlace = sandbox.status === 'failed';
    const placeId = takesPlace
      ? await places.reserve(developer, sandboxId, occasion)
      : sandbox.placeId;
    const command = { type: 'ResetSandbox', placeId } as const;
    const give = () => sandboxes.give(sandboxId, { ...name, command, organisation }, occasion);
    return takesPlace ? inPlace(places, { developer, placeId }, occasion, give) : give();
  };

/** Deletes the sandbox; its place is free when this resolves. @throws `Refused` `NOT_FOUND`. */
export const deleteSandbox =
  ({ sandboxes, places }: SandboxLifecycleParts): UseCase<SandboxView, Answer<SandboxView>> =>
  async ({ sandboxId, organisation }, occasion, name) => {
    const command = { type: 'DeleteSandbox' } as const;
    const answer = await sandboxes.give(sandboxId, { ...name, command, organisation }, occasion);
    await places.release(answer.view.developer, answer.view.placeId, occasion);
    return answer;
  };
