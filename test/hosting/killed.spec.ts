/**
 * A process that hosts is killed in the middle of each phase of the work; another one is started.
 * A sandbox ends in ready, or is gone, no database is left over and no place is lost.
 */
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { phases, type Phase } from '../../src/domain/sandboxes/phases.ts';
import { deleteSandbox, resetSandbox } from '../../src/use-cases/sandboxes/lifecycle.ts';
import { until } from '../support/until.ts';
import {
  hostingProcesses,
  killed,
  name,
  occasion,
  type HostingProcesses,
} from './hosting-processes.ts';

let hosting: HostingProcesses;
beforeAll(async () => {
  hosting = await hostingProcesses();
  await hosting.begun();
});
afterEach(() => hosting.killAll());
afterAll(() => hosting.close());

/** Started, waited for until it is there, killed. */
const killedAt = async (where: Phase | 'clear', when: 'before' | 'after'): Promise<void> => {
  const child = hosting.started(where, when);
  await once(child.stdout!, 'data');
  await killed(child);
};

describe('a process killed while it builds a sandbox', () => {
  it.each([[phases[0], 'before'], ...phases.map((phase) => [phase, 'after'] as const)] as const)(
    'in phase %s, %s its work: another one ends in ready',
    async (phase, when) => {
      const sandbox = await hosting.requested();
      await killedAt(phase, when);
      hosting.started();
      expect(await hosting.provisioned(sandbox)).toMatchObject({ status: 'ready', generation: 1 });
      expect(await hosting.databases('sbx')).toHaveLength(1);
      await hosting.gone(sandbox);
    },
  );
});

describe('a process killed while a sandbox waits for its turn', () => {
  it('loses neither that one nor the one before it: both end in ready', async () => {
    const [first, second] = [await hosting.requested(), await hosting.requested()];
    await killedAt('building', 'before');
    expect((await hosting.viewOf(second)).progress.phase).toBe('queued');
    hosting.started();
    for (const sandbox of [first, second])
      expect(await hosting.provisioned(sandbox)).toMatchObject({ status: 'ready' });
    await deleteSandbox(hosting.parts)(await hosting.viewOf(first), occasion(), name());
    await hosting.gone(second);
  });

  it('and is deleted meanwhile: it is never built', async () => {
    const [first, second] = [await hosting.requested(), await hosting.requested()];
    await killedAt('building', 'before');
    await deleteSandbox(hosting.parts)(await hosting.viewOf(first), occasion(), name());
    hosting.started();
    expect(await hosting.provisioned(second)).toMatchObject({ status: 'ready' });
    expect(await hosting.databases('sbx')).toEqual([expect.stringContaining(second.sandboxId)]);
    await hosting.gone(second);
  });
});

describe('a process killed while it resets a sandbox', () => {
  it.each(phases)('in phase %s: another one ends in ready, with one database', async (phase) => {
    const sandbox = await hosting.requested();
    const first = hosting.started();
    await hosting.provisioned(sandbox);
    await killed(first);
    await resetSandbox(hosting.parts)(await hosting.viewOf(sandbox), occasion(), name());
    await killedAt(phase, 'after');
    hosting.started();
    expect(await hosting.provisioned(sandbox)).toMatchObject({ status: 'ready', generation: 2 });
    await until(
      async () => (await hosting.databases('sbx')).length === 1,
      'the drop of the old one',
    );
    expect(await hosting.databases('sbx')).toEqual([expect.stringMatching(/_g2$/)]);
    await hosting.gone(sandbox);
  });
});

describe('a process killed while it deletes a sandbox', () => {
  it.each(['before', 'after'] as const)('%s the drop: another one drops it', async (when) => {
    const sandbox = await hosting.requested();
    const first = hosting.started();
    await hosting.provisioned(sandbox);
    await killed(first);
    await deleteSandbox(hosting.parts)(await hosting.viewOf(sandbox), occasion(), name());
    await killedAt('clear', when);
    hosting.started();
    await hosting.nothingLeft();
  });
});
