import type { SandboxEvent } from '../../../src/domain/sandboxes/events.ts';
import type { SandboxParameters } from '../../../src/domain/sandboxes/parameters.ts';
import type { SandboxCommand } from '../../../src/domain/sandboxes/sandbox.ts';
import type { EventStore } from '../../../src/engine/log/event-store.ts';
import { sandboxQuota } from '../../../src/use-cases/sandboxes/sandbox-quota.ts';
import {
  allowanceRepository,
  sandboxRepository,
} from '../../../src/use-cases/sandboxes/sandboxes.ts';
import { snapshotRepository } from '../../../src/use-cases/sandboxes/snapshots.ts';

export const parameters: SandboxParameters = {
  buildingType: 'office',
  storeys: 3,
  areaSqm: 3_000,
  seedTelemetryDays: 7,
  spacesMin: 10,
  spacesMax: 30,
  equipmentDensity: 'realistic',
  occupancyProfile: 'office-hours',
  seed: 'alpha',
  liveTelemetry: true,
};

export const placeId = '00000000-0000-4000-8000-000000000001';
export const otherPlaceId = '00000000-0000-4000-8000-000000000002';
export const buildingId = '00000000-0000-4000-8000-000000000003';

export const wanted = {
  sandboxId: 'sbx_0123456789abcdef',
  organisation: 'acme',
  developer: 'ana',
  name: 'My sandbox',
  slug: 'my-sandbox-k3x9f2',
  parameters,
  placeId,
} as const;

/** What the use cases of sandboxes need, on one log; the host has room for 1e12 bytes. */
export const lifecycleOn = (log: EventStore, usedBytes = 0) => {
  const sandboxes = sandboxRepository(log);
  const allowances = allowanceRepository(log);
  return {
    sandboxes,
    allowances,
    snapshots: snapshotRepository(log),
    quota: sandboxQuota({ allowances, sandboxes }),
    sizes: { bytesMax: Infinity, hostBytesMax: 1e12 },
    usedBytes: async () => usedBytes,
  };
};

/** For fourteen days, unless said otherwise. */
export const requesting = (ttlDays = 14): SandboxCommand => ({
  type: 'RequestSandbox',
  ...wanted,
  ttlDays,
});

export const requested = (expiresAt = '2026-03-16T12:00:00.000Z'): SandboxEvent => ({
  type: 'SandboxRequested',
  ...wanted,
  generation: 1,
  expiresAt,
});

export const ready = (generation = 1): SandboxEvent => ({
  type: 'SandboxReady',
  generation,
  buildingId,
});

export const failed = (generation = 1): SandboxEvent => ({
  type: 'SandboxFailed',
  generation,
  reason: 'The disk is full.',
  developer: 'ana',
  placeId,
});
