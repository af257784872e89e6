/** The quota slot of a request whose outcome is unknown: contract.md section 4. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { EventStore } from '../../../src/engine/log/event-store.ts';
import { LogUnavailable } from '../../../src/engine/log/event-store.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { requestSandbox } from '../../../src/use-cases/sandboxes/lifecycle.ts';
import { sandboxQuota } from '../../../src/use-cases/sandboxes/sandbox-quota.ts';
import {
  allowanceRepository,
  sandboxRepository,
} from '../../../src/use-cases/sandboxes/sandboxes.ts';
import { snapshotRepository } from '../../../src/use-cases/sandboxes/snapshots.ts';
import { afterNoon } from '../../support/domain/specify.ts';
import { parameters } from '../../support/domain/sandboxes.ts';

/** A developer on a log whose first append of this type has no answer. */
const developerOn = (lost: string, isStored: boolean, usedBytes = 0) => {
  const real = memoryEventStore();
  let isLost = false;
  const log: EventStore = {
    ...real,
    async append(stream, expected, events, options) {
      if (isLost || events[0]?.type !== lost) return real.append(stream, expected, events, options);
      isLost = true;
      if (isStored) await real.append(stream, expected, events, options);
      throw new LogUnavailable('no answer in time');
    },
  };
  const sandboxes = sandboxRepository(log);
  const allowances = allowanceRepository(log);
  const request = requestSandbox({
    sandboxes,
    snapshots: snapshotRepository(log),
    quota: sandboxQuota({ allowances, sandboxes }),
    sizes: { bytesMax: Infinity, hostBytesMax: 1e12 },
    usedBytes: async () => usedBytes,
  });
  return {
    /** @returns The code of a refusal, or the name of an error; `null`: it was requested. */
    async requests(minute: number): Promise<string | null> {
      const sandboxId = `sbx_${randomUUID()}`;
      const wanted = { sandboxId, organisation: 'acme', developer: 'dora', name: 'One' };
      const occasion = { ...afterNoon(minute), by: { kind: 'user', id: 'dora' } } as const;
      try {
        await request(
          { ...wanted, slug: sandboxId, parameters, ttlDays: 5 },
          { ...occasion, origin: 'api' },
          { commandId: randomUUID(), fresh: true },
        );
        return null;
      } catch (error) {
        const { refusal, name } = error as Error & { refusal?: { refused: string } };
        return refusal?.refused ?? name;
      }
    },
    slots: async () => (await allowances.look('dora'))?.view.slots.size ?? 0,
  };
};

it.each([
  ['its sandbox was recorded late', 'SandboxRequested'],
  ['its slot is not confirmed', 'PlaceConfirmed'],
])('keeps the slot of a failed request, because %s', async (_, lost) => {
  const { requests } = developerOn(lost, true);
  expect(await requests(0)).toBe('LogUnavailable');
  expect(await requests(1)).toBe(null);
  expect(await requests(1)).toBe(null);
  expect(await requests(1)).toBe('SANDBOX_QUOTA_REACHED');
  // Also after the reservation has lapsed.
  expect(await requests(6)).toBe('SANDBOX_QUOTA_REACHED');
});

it('frees the slot of a request that was not recorded once its reservation lapses', async () => {
  const { requests } = developerOn('SandboxRequested', false);
  expect(await requests(0)).toBe('LogUnavailable');
  expect(await requests(1)).toBe(null);
  expect(await requests(1)).toBe(null);
  expect(await requests(1)).toBe('SANDBOX_QUOTA_REACHED');
  expect(await requests(6)).toBe(null);
});

it('releases the slot of a refused request at once', async () => {
  const { requests, slots } = developerOn('none', false, 1e12);
  expect(await requests(0)).toBe('UNAVAILABLE');
  expect(await slots()).toBe(0);
});
