import type { Sandboxes } from '../use-cases/sandboxes/sandboxes.ts';
import type { DatabaseNames } from './names.ts';

export interface SweepParts {
  /** Names of all databases, and of all file stores. */
  readonly stored: () => Promise<readonly string[]>;
  /** Removes a database and its files. Idempotent. */
  readonly removed: (name: string) => Promise<void>;
  readonly names: DatabaseNames;
  readonly sandboxes: Pick<Sandboxes, 'look'>;
}

/**
 * Drops databases and files without a sandbox, left by an interrupted drop or a restored log. It
 * reads the log, because the list omits sandboxes that are being built.
 *
 * @returns The names of the dropped databases.
 */
export const sweep = async ({
  stored,
  removed,
  names,
  sandboxes,
}: SweepParts): Promise<readonly string[]> => {
  const dropped: string[] = [];
  for (const name of await stored()) {
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
    await removed(name);
    dropped.push(name);
  }
  return dropped;
};
