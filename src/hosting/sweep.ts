import type { Sandboxes } from '../use-cases/sandboxes/sandboxes.ts';
import type { Databases } from './databases.ts';
import type { DatabaseNames } from './names.ts';

export interface SweepParts {
  readonly databases: Databases;
  readonly names: DatabaseNames;
  readonly sandboxes: Pick<Sandboxes, 'look'>;
}

/**
 * Drops databases without a sandbox, left by an interrupted drop or a restored log. It reads the
 * log, because the list omits sandboxes that are being built.
 *
 * @returns The names of the dropped databases.
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
      // Older generations are dropped when the new one is ready.
      (owner.generation === sandbox.generation || sandbox.status === 'provisioning');
    if (isHeld) continue;
    await databases.drop(name);
    dropped.push(name);
  }
  return dropped;
};
