/** The quota slot of a request whose outcome is unknown: contract.md section 4. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { SandboxCommand } from '../../../src/domain/sandboxes/sandbox.ts';
import type { EventStore } from '../../../src/engine/log/event-store.ts';
import { LogUnavailable } from '../../../src/engine/log/event-store.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { requestSandbox, resetSandbox } from '../../../src/use-cases/sandboxes/lifecycle.ts';
import { afterNoon, noon } from '../../support/domain/specify.ts';
import {
  buildingId,
  lifecycleOn,
  parameters,
  requesting,
  wanted,
} from '../../support/domain/sandboxes.ts';

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
  const parts = lifecycleOn(log, usedBytes);
  const { allowances } = parts;
  const request = requestSandbox(parts);
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

describe('a reset that was requested while the sandbox was built', () => {
  /** Records the command after the caller of the reset has read the sandbox. */
  const resetAfter = async (command: SandboxCommand, usedBytes = 0) => {
    const parts = lifecycleOn(memoryEventStore(), usedBytes);
    const { sandboxes, allowances } = parts;
    const occasion = { ...noon, by: { kind: 'user', id: 'ana' }, origin: 'api' } as const;
    const name = () => ({ commandId: randomUUID(), fresh: false });
    const { sandboxId } = wanted;
    const { view } = await sandboxes.give(
      sandboxId,
      { ...name(), command: requesting() },
      occasion,
    );
    await sandboxes.give(sandboxId, { ...name(), command }, occasion);
    const { view: after } = await resetSandbox(parts)(view, occasion, name());
    return { before: view.placeId, after: after.placeId, allowances };
  };

  it('takes a quota slot if the build has failed meanwhile', async () => {
    const failing = {
      type: 'FailProvisioning',
      generation: 1,
      reason: 'The disk is full.',
    } as const;
    const { before, after, allowances } = await resetAfter(failing);
    expect(after).not.toBe(before);
    expect([...(await allowances.look('ana'))!.view.slots.keys()]).toEqual([after]);
  });

  it('is checked for room if the sandbox is ready meanwhile', async () => {
    const ending = { type: 'EndProvisioning', generation: 1, buildingId } as const;
    await expect(resetAfter(ending, 1e12)).rejects.toMatchObject({
      refusal: { refused: 'UNAVAILABLE' },
    });
  });
});

it('releases the slot of a refused request at once', async () => {
  const { requests, slots } = developerOn('none', false, 1e12);
  expect(await requests(0)).toBe('UNAVAILABLE');
  expect(await slots()).toBe(0);
});
