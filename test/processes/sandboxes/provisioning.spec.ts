/** Clearing, also by an event that is repeated after a kill. contract.md section 4. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { sandboxCodec } from '../../../src/domain/sandboxes/codecs.ts';
import type { SandboxEvent } from '../../../src/domain/sandboxes/events.ts';
import type { SandboxCommand } from '../../../src/domain/sandboxes/sandbox.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { loggerOf } from '../../../src/engine/observe/logging.ts';
import type { EffectContext } from '../../../src/engine/processes/process.ts';
import { sandboxProvisioning } from '../../../src/processes/sandboxes/provisioning.ts';
import {
  allowanceRepository,
  sandboxRepository,
} from '../../../src/use-cases/sandboxes/sandboxes.ts';
import { instantBuilder } from '../../support/api/instant-builder.ts';
import { noon } from '../../support/domain/specify.ts';
import { buildingId, otherPlaceId, requesting } from '../../support/domain/sandboxes.ts';

const ID = 'sbx_0123456789abcdef';

const made = () => {
  const log = memoryEventStore();
  const sandboxes = sandboxRepository(log);
  const builder = instantBuilder();
  const process = sandboxProvisioning({
    sandboxes,
    allowances: allowanceRepository(log),
    queries: { standing: async () => [] },
    builder,
    hostBytesMax: Infinity,
    snapshotBytes: async () => 0,
    logger: loggerOf('silent'),
  });
  return { log, sandboxes, builder, process };
};
let parts: ReturnType<typeof made>;
beforeEach(() => {
  parts = made();
});

const give = (command: SandboxCommand) =>
  parts.sandboxes.give(ID, { commandId: randomUUID(), command }, { ...noon, origin: 'api' });

/** The process clears what this event says is to be cleared. */
const clearedBy = async (type: SandboxEvent['type']): Promise<readonly unknown[]> => {
  const { log, process, builder } = parts;
  const stored = await log.readStream(`sandbox-${ID}`);
  const recorded = sandboxCodec.decode(stored.find((one) => one.type === type)!);
  const context = { id: randomUUID(), at: noon.at } as EffectContext;
  const effects = process.on[recorded.event.type]!(recorded as never, undefined);
  for (const effect of Array.isArray(effects) ? effects : [])
    if (effect.kind === 'clear') await process.effects.clear(effect, context);
  return builder.cleared;
};

const ready = async (generation: number) => {
  await give({ type: 'BeginProvisioning', generation });
  await give({ type: 'EndProvisioning', generation, buildingId });
};
const reset = () => give({ type: 'ResetSandbox', placeId: otherPlaceId });

it('drops the earlier generations of a ready sandbox, also when it is repeated', async () => {
  await give(requesting());
  await ready(1);
  expect(await clearedBy('SandboxReady')).toEqual([[ID, 1]]);
  expect(await clearedBy('SandboxReady')).toHaveLength(2);
});

it('drops nothing of a later reset when SandboxReady is repeated', async () => {
  await give(requesting());
  await ready(1);
  await reset();
  expect(await clearedBy('SandboxReady')).toEqual([]);
});

it('drops nothing of a later reset when SandboxFailed is repeated', async () => {
  await give(requesting());
  await give({ type: 'FailProvisioning', generation: 1, reason: 'The disk is full.' });
  expect(await clearedBy('SandboxFailed')).toEqual([[ID, null]]);
  await reset();
  expect(await clearedBy('SandboxFailed')).toHaveLength(1);
});

it('drops every generation of a deleted sandbox', async () => {
  await give(requesting());
  await ready(1);
  await reset();
  await give({ type: 'DeleteSandbox' });
  expect(await clearedBy('SandboxDeleted')).toEqual([[ID, null]]);
});
