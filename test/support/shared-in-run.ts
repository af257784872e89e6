/** Set-ups that the projects of a run share, although each loads modules of its own. */

interface Shared {
  users: number;
  readonly made: Promise<unknown>;
}

declare global {
  /** By name; the modules of all projects run in one process. */
  var setUpsOfRun: Map<string, Shared> | undefined;
}

/**
 * What the first project of the run makes. `release` is called once by each project; the last one
 * removes it.
 */
export const sharedInRun = async <Made>(
  name: string,
  make: () => Promise<Made>,
  remove: (made: Made) => Promise<void>,
): Promise<{ readonly made: Made; release(): Promise<void> }> => {
  const all = (globalThis.setUpsOfRun ??= new Map());
  const shared: Shared = all.get(name) ?? { users: 0, made: make() };
  all.set(name, shared);
  shared.users += 1;
  const made = (await shared.made) as Made;
  return {
    made,
    async release() {
      shared.users -= 1;
      if (shared.users > 0) return;
      all.delete(name);
      await remove(made);
    },
  };
};
