import type { Sandboxes } from '../use-cases/sandboxes/sandboxes.ts';
import type { Databases } from './databases.ts';
import type { DatabaseNames } from './names.ts';

export interface SweepParts {
  readonly databases: Databases;
  readonly names: DatabaseNames;
  readonly sandboxes: Pick<Sandboxes, 'look'>;
}

/**
 * Drops databases that no sandbox has any more: what a drop that was interrupted, or a log that was
 * taken back to an earlier state, has left. The log is asked, not a list: one that is being built
 * would show none.
 *
 * @returns The names of those that were dropped.
 */
export const sweep = async ({
  databases,
  names,
  sandboxes,
}: SweepParts): Promise<readonly string[]> => {
  const dropped: string[] = [];
  for (const name of await databases.names()) {
    const owner = names.read(name);
    if (!owner) continue;
    const sandbox = (await sandboxes.look(owner.sandboxId))?.view;
    const isHeld =
      sandbox &&
      sandbox.ended === null &&
      sandbox.status !== 'failed' &&
      // What is older than a generation under way goes when that one is ready.
      (owner.generation === sandbox.generation || sandbox.status === 'provisioning');
    if (isHeld) continue;
    await databases.drop(name);
    dropped.push(name);
  }
  return dropped;
};
