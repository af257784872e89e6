/** Clearing, also by an event that is repeated after a kill. contract.md section 4. */
import { expect, it } from 'vitest';
import type { SandboxEvent } from '../../../src/domain/sandboxes/events.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { loggerOf } from '../../../src/engine/observe/logging.ts';
import { sandboxProvisioning } from '../../../src/processes/sandboxes/provisioning.ts';
import {
  allowanceRepository,
  sandboxRepository,
} from '../../../src/use-cases/sandboxes/sandboxes.ts';
import { instantBuilder } from '../../support/api/instant-builder.ts';
import { failed, placeId, ready } from '../../support/domain/sandboxes.ts';

const log = memoryEventStore();
const { on } = sandboxProvisioning({
  sandboxes: sandboxRepository(log),
  allowances: allowanceRepository(log),
  queries: { standing: async () => [] },
  builder: instantBuilder(),
  hostBytesMax: Infinity,
  snapshotBytes: async () => 0,
  models: { waitFor: async () => true },
  logger: loggerOf('silent'),
});

const ended = { developer: 'ana', placeId };

// A reset may have been built by the time at which the event is repeated.
it.each<[SandboxEvent, number | null]>([
  [ready(3), 3],
  [failed(3), 4],
  [{ type: 'SandboxExpired', ...ended }, null],
  [{ type: 'SandboxDeleted', ...ended }, null],
])('clears the generations that ended: $0.type $0.generation', (event, before) => {
  const recorded = { stream: 'sandbox-sbx_0123456789abcdef', event };
  expect(on[event.type]!(recorded as never, undefined)).toContainEqual({
    kind: 'clear',
    sandboxId: 'sbx_0123456789abcdef',
    before,
  });
});
