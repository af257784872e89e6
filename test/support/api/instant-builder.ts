import { randomUUID } from 'node:crypto';
import { phases } from '../../../src/domain/sandboxes/phases.ts';
import type { SandboxView } from '../../../src/domain/sandboxes/view.ts';
import { CannotBuild } from '../../../src/processes/sandboxes/cannot-build.ts';
import type { SandboxBuilder } from '../../../src/processes/sandboxes/provisioning.ts';

interface InstantBuilder extends SandboxBuilder {
  /** The sandboxes whose work has begun, which can be aborted from then on. */
  readonly begun: readonly string[];
  /** The sandboxes whose work was aborted. */
  readonly aborted: readonly string[];
  /** The cleared sandboxes, each with the first generation that was left. */
  readonly cleared: readonly (readonly [sandboxId: string, before: number | null])[];
}

/**
 * A builder that finishes at once without a database. A sandbox named `fails…` cannot be built,
 * one named `waits…` hangs in its first phase, and one named `stays…` is not cleared before
 * `clearing` resolves.
 */
export const instantBuilder = (
  atOnceMax = 64,
  clearing: () => Promise<void> = async () => {},
): InstantBuilder => {
  const cleared: [string, number | null][] = [];
  const stays = new Set<string>();
  const begun: string[] = [];
  const aborted: string[] = [];
  const work = async ({ name, sandboxId }: SandboxView, signal: AbortSignal): Promise<void> => {
    if (name.startsWith('stays')) stays.add(sandboxId);
    if (name.startsWith('fails')) throw new CannotBuild('The disk is full.');
    if (/^(waits|stays)/.test(name))
      await new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => {
          aborted.push(sandboxId);
          reject(signal.reason as Error);
        });
        begun.push(sandboxId);
      });
  };
  return {
    atOnceMax,
    build: Object.fromEntries(phases.map((phase) => [phase, work])) as SandboxBuilder['build'],
    buildingOf: async ({ branch }) => branch?.buildingId ?? randomUUID(),
    snapshots: {
      make: async ({ name, bytes }) => {
        if (name.startsWith('fails')) throw new CannotBuild('The disk is full.');
        return bytes;
      },
      remove: async () => {},
    },
    cleared,
    begun,
    aborted,
    clear: async (sandboxId, before) => {
      if (stays.has(sandboxId)) await clearing();
      cleared.push([sandboxId, before]);
    },
  };
};
