/** Snapshots by processes that are killed or do not host the sandbox: contract.md section 4. */
import { randomUUID } from 'node:crypto';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { snapshotIdOf } from '../../src/domain/sandboxes/snapshots/ids.ts';
import type { SnapshotView } from '../../src/domain/sandboxes/snapshots/view.ts';
import type { SandboxView } from '../../src/domain/sandboxes/view.ts';
import {
  deleteSnapshot,
  lookAtSnapshot,
  requestSnapshot,
} from '../../src/use-cases/sandboxes/snapshots.ts';
import { freePort } from '../support/servers/port.ts';
import { until } from '../support/until.ts';
import {
  askedAt,
  hostingProcesses,
  name,
  occasion,
  type HostingProcesses,
} from './hosting-processes.ts';
import type { StopAt } from './hosting-child.ts';

let hosting: HostingProcesses;
beforeEach(async () => {
  hosting = await hostingProcesses();
});
afterEach(() => hosting.close());

const built = async (): Promise<SandboxView> => {
  const sandbox = await hosting.provisioned(await hosting.requested());
  expect(sandbox).toMatchObject({ status: 'ready' });
  return sandbox;
};
const viewOf = async (snapshotId: string) =>
  (await lookAtSnapshot(hosting.parts.snapshots, snapshotId))?.view ?? null;
const request = async (sandbox: SandboxView): Promise<string> => {
  const snapshotId = snapshotIdOf(SHELF, randomUUID());
  const asked = { sandbox, snapshotId, name: 'Killed' };
  await requestSnapshot(hosting.parts)(asked, occasion(), name());
  return snapshotId;
};
/** The snapshot once the work has ended. */
const ended = async (snapshotId: string): Promise<SnapshotView | null> => {
  const isOver = async () => (await viewOf(snapshotId))?.status !== 'creating';
  await until(isOver, 'the snapshot');
  return viewOf(snapshotId);
};
const SHELF = randomUUID();

describe('a killed process', () => {
  it.each(['before', 'after'] as const)(
    '%s it copies a sandbox: another process finishes the snapshot, with one database',
    async (when) => {
      const first = await hosting.first();
      const sandbox = await built();
      let snapshotId = '';
      const point: StopAt = { work: 'snapshot', when };
      await hosting.killedAt(first, point, async () => {
        snapshotId = await request(sandbox);
      });
      expect(await viewOf(snapshotId)).toMatchObject({ status: 'creating' });
      hosting.started();
      const made = await ended(snapshotId);
      expect(made).toMatchObject({ status: 'ready', failureReason: null });
      expect(made!.bytes).toBeGreaterThan(1e6);
      expect(await hosting.databases('snp')).toEqual([expect.stringContaining(snapshotId)]);
    },
  );

  it('before a snapshot, whose sandbox is deleted meanwhile: the snapshot fails', async () => {
    const first = await hosting.first();
    const sandbox = await built();
    let snapshotId = '';
    await hosting.killedAt(first, { work: 'snapshot', when: 'before' }, async () => {
      snapshotId = await request(sandbox);
    });
    await hosting.parts.sandboxes.give(
      sandbox.sandboxId,
      { ...name(), command: { type: 'DeleteSandbox' } },
      occasion(),
    );
    hosting.started();
    const failureReason = expect.stringContaining('reset or deleted');
    expect(await ended(snapshotId)).toMatchObject({ status: 'failed', failureReason });
    expect(await hosting.databases('snp')).toEqual([]);
  });

  it('before it removes a snapshot: another process removes it', async () => {
    const first = await hosting.first();
    const snapshotId = await request(await built());
    const made = (await ended(snapshotId))!;
    const point: StopAt = { work: 'removal of a snapshot', when: 'before' };
    await hosting.killedAt(first, point, () =>
      deleteSnapshot(hosting.parts)({ ...made, isSeen: async () => true }, occasion(), name()),
    );
    expect(await hosting.databases('snp')).toHaveLength(1);
    hosting.started();
    await until(async () => (await hosting.databases('snp')).length === 0, 'the drop');
  });
});

describe('a sandbox hosted by another process', () => {
  it('is released to the process that copies it, and answers afterwards', async () => {
    // The first process runs the copy, and suspends the sandbox when it is idle.
    hosting.started('--idle-ms', '1', '--look-ms', '200');
    await hosting.registered();
    const sandbox = await built();
    const port = await freePort();
    const address = `http://127.0.0.1:${port}`;
    const heard = ['--port', String(port), '--address', address];
    await listening(hosting.started(...heard, '--look-ms', '500'));
    const isHere = async () => {
      await askedAt(port, sandbox);
      return (await hosting.hostOf(sandbox)) === address;
    };
    await until(isHere, 'the second host');
    const made = await ended(await request(sandbox));
    expect(made).toMatchObject({ status: 'ready' });
    await until(async () => (await askedAt(port, sandbox)) === 200, 'the answer');
  });
});

const listening = async (child: ChildProcess): Promise<void> => {
  for (;;) {
    const [data] = (await once(child.stdout!, 'data')) as [Buffer];
    if (data.toString().includes('listening')) return;
  }
};
