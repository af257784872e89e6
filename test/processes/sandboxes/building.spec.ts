/** Building under failures, deletions and changes of the owner. contract.md section 4. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { QueuedSandbox } from '../../../src/domain/sandboxes/queue.ts';
import type { SandboxCommand } from '../../../src/domain/sandboxes/sandbox.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { loggerOf } from '../../../src/engine/observe/logging.ts';
import { done } from '../../../src/engine/processes/outcome.ts';
import type { AnyProcess } from '../../../src/engine/processes/process.ts';
import { reactionOf, type Run } from '../../../src/engine/processes/reaction.ts';
import { systemClock } from '../../../src/engine/time/clock.ts';
import { FilesUnavailable } from '../../../src/files/file-store.ts';
import {
  SANDBOX_PHASE_ATTEMPTS_MAX,
  SNAPSHOT_ATTEMPTS_MAX,
} from '../../../src/processes/sandboxes/limits.ts';
import {
  sandboxProvisioning,
  type SandboxBuilder,
} from '../../../src/processes/sandboxes/provisioning.ts';
import { StartTimeout } from '../../../src/processes/sandboxes/start-timeout.ts';
import { sandboxSnapshots } from '../../../src/processes/sandboxes/snapshots.ts';
import {
  allowanceRepository,
  sandboxRepository,
} from '../../../src/use-cases/sandboxes/sandboxes.ts';
import { lookAtSnapshot, snapshotRepository } from '../../../src/use-cases/sandboxes/snapshots.ts';
import { instantBuilder } from '../../support/api/instant-builder.ts';
import { buildingId, parameters } from '../../support/domain/sandboxes.ts';
import { until } from '../../support/until.ts';

const logger = loggerOf('silent');
const by = { kind: 'system', id: 'test' } as const;
const occasion = () => ({ at: systemClock.now(), by, origin: 'system' }) as const;

/** The log with the processes of an owner. */
const ownerOf = (builder: SandboxBuilder, standing: readonly QueuedSandbox[] = []) => {
  const log = memoryEventStore();
  const sandboxes = sandboxRepository(log);
  const allowances = allowanceRepository(log);
  const snapshots = snapshotRepository(log);
  const provisioning = sandboxProvisioning({
    sandboxes,
    allowances,
    queries: { standing: async () => standing },
    builder,
    hostBytesMax: Infinity,
    snapshotBytes: async () => 0,
    models: { waitFor: async () => true },
    logger,
  });
  const making = sandboxSnapshots({
    snapshots,
    builder: builder.snapshots,
    sizes: { bytesMax: Infinity, hostBytesMax: Infinity },
    usedBytes: async () => 0,
    logger,
  });
  const reactionTo = (process: AnyProcess) => {
    const leaveToNewer = async () => {};
    // An unknown error is given up at once.
    return reactionOf({
      process: { ...process, attemptsMax: 1 },
      clock: systemClock,
      logger,
      leaveToNewer,
    });
  };
  const [provisions, makes] = [reactionTo(provisioning), reactionTo(making)];
  const latest = async (stream: string, type: string) => {
    const events = await log.readStream(stream, {});
    return events.findLast((event) => event.type === type)!;
  };
  const give = (sandboxId: string, command: SandboxCommand) =>
    sandboxes.give(sandboxId, { commandId: randomUUID(), command }, occasion());

  return {
    give,
    async request(sandboxId: string, { organisation = 'acme', name = 'One' } = {}) {
      const wanted = { sandboxId, organisation, developer: organisation, name, slug: sandboxId };
      const placeId = randomUUID();
      const slot = { type: 'ReservePlace', placeId, sandboxId } as const;
      await allowances.give(organisation, { commandId: placeId, command: slot }, occasion());
      const command = {
        type: 'RequestSandbox',
        ...wanted,
        parameters,
        placeId,
        ttlDays: 3,
      } as const;
      await give(sandboxId, command);
    },
    view: async (sandboxId: string) => (await sandboxes.look(sandboxId))!.view,
    /** Reacts to the sandbox's latest event of this type. */
    provision: async (sandboxId: string, type: string, run: Partial<Run> = {}) =>
      provisions(await latest(`sandbox-${sandboxId}`, type), { ...FOR_GOOD, ...run }),
    snapshots,
    makeSnapshot: async (stream: string) =>
      makes(await latest(stream, 'SnapshotRequested'), FOR_GOOD),
  };
};

const FOR_GOOD: Run = { signal: new AbortController().signal, mayRepeat: false };

/** Throws as often as given, then resolves. */
const filesAway = (times: number) => {
  let left = times;
  return async () => {
    if (left-- > 0) throw new FilesUnavailable('the bucket is away');
  };
};

it('builds a sandbox once the file store can be reached again', async () => {
  const builder = instantBuilder();
  const database = filesAway(SANDBOX_PHASE_ATTEMPTS_MAX);
  const owner = ownerOf({ ...builder, build: { ...builder.build, database } });
  await owner.request('sbx_1');
  await owner.give('sbx_1', { type: 'BeginProvisioning', generation: 1 });
  expect(await owner.provision('sbx_1', 'SandboxPhaseBegun')).toEqual(done);
  expect(await owner.view('sbx_1')).toMatchObject({
    status: 'provisioning',
    progress: { phase: 'building' },
  });
});

it('fails a sandbox whose platform is never ready in time', async () => {
  const builder = instantBuilder();
  const database = async () => {
    throw new StartTimeout('not ready');
  };
  const owner = ownerOf({ ...builder, build: { ...builder.build, database } });
  await owner.request('sbx_1');
  await owner.give('sbx_1', { type: 'BeginProvisioning', generation: 1 });
  expect(await owner.provision('sbx_1', 'SandboxPhaseBegun')).toEqual(done);
  expect(await owner.view('sbx_1')).toMatchObject({ status: 'failed' });
});

it('clears a sandbox once the file store can be reached again', async () => {
  const owner = ownerOf({ ...instantBuilder(), clear: filesAway(1) });
  await owner.request('sbx_1');
  await owner.give('sbx_1', { type: 'DeleteSandbox' });
  expect(await owner.provision('sbx_1', 'SandboxDeleted')).toEqual(done);
});

it('makes a snapshot once the file store can be reached again', async () => {
  const builder = instantBuilder();
  const reach = filesAway(SNAPSHOT_ATTEMPTS_MAX);
  const make = () => reach().then(() => 1);
  const owner = ownerOf({ ...builder, snapshots: { ...builder.snapshots, make } });
  const snapshotId = 'snp_00000000000000000001';
  const stream = 'snapshots-000000000000';
  const of = { organisation: 'acme', developer: 'dora', sandboxId: 'sbx_1', generation: 1 };
  const details = { ...of, name: 'A', parameters, buildingId, estimatedBytes: 1 };
  const command = { type: 'RequestSnapshot', snapshotId, ...details } as const;
  const given = { commandId: randomUUID(), command };
  await owner.snapshots.give(stream.slice('snapshots-'.length), given, occasion());
  expect(await owner.makeSnapshot(stream)).toEqual(done);
  expect((await lookAtSnapshot(owner.snapshots, snapshotId))?.view.status).toBe('ready');
});

it('begins the next sandbox of a developer whose deleted one another process cleared', async () => {
  const builder = instantBuilder();
  const owner = ownerOf(builder);
  const lease = new AbortController();
  const run = { signal: lease.signal };
  await owner.request('sbx_1', { name: 'waits' });
  await owner.provision('sbx_1', 'SandboxRequested', run);
  const building = owner.provision('sbx_1', 'SandboxPhaseBegun', run);
  await until(() => builder.begun.includes('sbx_1'));
  await owner.give('sbx_1', { type: 'DeleteSandbox' });
  await building;
  lease.abort();
  await owner.request('sbx_2');
  await owner.provision('sbx_2', 'SandboxRequested');
  expect((await owner.view('sbx_2')).progress.phase).toBe('database');
});

it('keeps the turn of an organisation that deletes the sandbox which had it', async () => {
  const earlier: QueuedSandbox = {
    sandboxId: 'sbx_0',
    organisation: 'globex',
    developer: 'globex',
    generation: 1,
    status: 'ready',
    replacesDatabase: false,
    requestedAt: '2026-01-01T00:00:00.000Z',
    begunAt: '2026-01-01T00:00:00.000Z',
    estimatedBytes: 1,
  };
  const owner = ownerOf(instantBuilder(1), [earlier]);
  for (const [sandboxId, organisation] of [
    ['sbx_1', 'acme'],
    ['sbx_2', 'acme'],
    ['sbx_3', 'globex'],
  ] as const) {
    await owner.request(sandboxId, { organisation });
    await owner.provision(sandboxId, 'SandboxRequested');
  }
  expect((await owner.view('sbx_1')).begunAt).not.toBe(null);
  await owner.give('sbx_1', { type: 'DeleteSandbox' });
  await owner.provision('sbx_1', 'SandboxDeleted');
  expect((await owner.view('sbx_3')).begunAt).not.toBe(null);
  expect((await owner.view('sbx_2')).begunAt).toBe(null);
});
