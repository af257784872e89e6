/**
 * A hosting process is killed within each phase of the work; another one is started. A sandbox
 * becomes `ready` or is deleted, and no database or quota slot is leaked.
 */
import type { ChildProcess } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SandboxView } from '../../src/domain/sandboxes/view.ts';
import { phases } from '../../src/domain/sandboxes/phases.ts';
import { deleteSandbox, resetSandbox } from '../../src/use-cases/sandboxes/lifecycle.ts';
import { until } from '../support/until.ts';
import { hostingProcesses, name, occasion, type HostingProcesses } from './hosting-processes.ts';
import type { StopAt } from './hosting-child.ts';

let hosting: HostingProcesses;
/** The running process: each test kills it and starts the next one. */
let running: ChildProcess;
beforeAll(async () => {
  hosting = await hostingProcesses();
  running = await hosting.first();
});
afterAll(() => hosting.close());

const killedAt = (
  work: StopAt['work'],
  when: StopAt['when'],
  begin: () => Promise<unknown>,
): Promise<void> => hosting.killedAt(running, { work, when }, begin);
const anotherOne = () => {
  running = hosting.started();
};

/** A sandbox provisioned by the running process. */
const built = async (): Promise<SandboxView> => {
  const sandbox = await hosting.requested();
  expect(await hosting.provisioned(sandbox)).toMatchObject({ status: 'ready' });
  return sandbox;
};

describe('a process killed while it provisions a sandbox', () => {
  it.each([[phases[0], 'before'], ...phases.map((phase) => [phase, 'after'] as const)] as const)(
    'in phase %s, %s its work: another process makes it ready',
    async (phase, when) => {
      let sandbox!: SandboxView;
      await killedAt(phase, when, async () => {
        sandbox = await hosting.requested();
      });
      anotherOne();
      expect(await hosting.provisioned(sandbox)).toMatchObject({ status: 'ready', generation: 1 });
      expect(await hosting.databases('sbx')).toHaveLength(1);
      await hosting.gone(sandbox);
    },
  );
});

describe('a process killed while a sandbox is queued', () => {
  const killedAtFirst = async (): Promise<readonly [SandboxView, SandboxView]> => {
    let first!: SandboxView;
    let second!: SandboxView;
    await killedAt('building', 'before', async () => {
      [first, second] = [await hosting.requested(), await hosting.requested()];
    });
    return [first, second];
  };

  it('loses neither that one nor the one before it: both become ready', async () => {
    const [first, second] = await killedAtFirst();
    expect((await hosting.viewOf(second)).progress.phase).toBe('queued');
    anotherOne();
    for (const sandbox of [first, second])
      expect(await hosting.provisioned(sandbox)).toMatchObject({ status: 'ready' });
    await deleteSandbox(hosting.parts)(await hosting.viewOf(first), occasion(), name());
    await hosting.gone(second);
  });

  it('and the one before it is deleted meanwhile: that one is never provisioned', async () => {
    const [first, second] = await killedAtFirst();
    await deleteSandbox(hosting.parts)(await hosting.viewOf(first), occasion(), name());
    anotherOne();
    expect(await hosting.provisioned(second)).toMatchObject({ status: 'ready' });
    expect(await hosting.databases('sbx')).toEqual([expect.stringContaining(second.sandboxId)]);
    await hosting.gone(second);
  });
});

describe('a process killed while it resets a sandbox', () => {
  let sandbox: SandboxView;
  beforeAll(async () => {
    sandbox = await built();
  });
  afterAll(() => hosting.gone(sandbox));

  it.each(phases)('in phase %s: another process makes it ready, in one database', async (phase) => {
    const { generation } = await hosting.viewOf(sandbox);
    await killedAt(phase, 'after', async () =>
      resetSandbox(hosting.parts)(await hosting.viewOf(sandbox), occasion(), name()),
    );
    anotherOne();
    const next = generation + 1;
    expect(await hosting.provisioned(sandbox)).toMatchObject({ status: 'ready', generation: next });
    await until(
      async () => (await hosting.databases('sbx')).length === 1,
      'the drop of the old one',
    );
    expect(await hosting.databases('sbx')).toEqual([
      expect.stringMatching(new RegExp(`_g${next}$`)),
    ]);
  });
});

describe('a process killed while it deletes a sandbox', () => {
  it.each(['before', 'after'] as const)('%s the drop: another process drops it', async (when) => {
    const sandbox = await built();
    await killedAt('clear', when, async () =>
      deleteSandbox(hosting.parts)(await hosting.viewOf(sandbox), occasion(), name()),
    );
    anotherOne();
    await hosting.nothingLeft();
  });
});
