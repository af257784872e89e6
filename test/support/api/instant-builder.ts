import { randomUUID } from 'node:crypto';
import { phases } from '../../../src/domain/sandbox/phases.ts';
import type { SandboxView } from '../../../src/domain/sandbox/view.ts';
import { CannotBuild, type SandboxBuilder } from '../../../src/processes/sandbox-provisioning.ts';

export interface InstantBuilder extends SandboxBuilder {
  /** What was dropped, and what was kept of it. */
  readonly cleared: readonly (readonly [sandboxId: string, kept: number | null])[];
}

/**
 * Builds nothing, at once. A sandbox whose name begins with `fails` cannot be built, and one whose
 * name begins with `waits` never gets past its first phase.
 */
export const instantBuilder = (): InstantBuilder => {
  const cleared: [string, number | null][] = [];
  const work = async ({ name }: SandboxView, signal: AbortSignal): Promise<void> => {
    if (name.startsWith('fails')) throw new CannotBuild('The disk is full.');
    if (name.startsWith('waits'))
      await new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
  };
  return {
    build: Object.fromEntries(phases.map((phase) => [phase, work])) as SandboxBuilder['build'],
    buildingOf: async () => randomUUID(),
    cleared,
    clear: async (sandboxId, kept) => {
      cleared.push([sandboxId, kept]);
    },
  };
};
