import { describe, expect, it } from 'vitest';
import { refuse } from '../../../src/engine/aggregates/decider.ts';
import { Refused } from '../../../src/engine/aggregates/aggregate.ts';
import type { EffectContext } from '../../../src/engine/processes/process.ts';
import {
  faultTickets,
  type FaultTicketsParts,
} from '../../../src/processes/telemetry/fault-tickets.ts';

const raising = (raise: FaultTicketsParts['raise']) => {
  const process = faultTickets({
    raise,
    tickets: { give: async () => Promise.reject(new Error('not asked')), look: async () => null },
    desks: { workflowOf: async () => undefined },
  });
  const effect = {
    kind: 'raise',
    organisation: 'acme',
    buildingId: '0b3f6f0e-54a5-4a53-8f5a-0d6f5b9d3c22',
    faultId: '6f0c1a52-8c0e-4f0c-9d39-2f4a6f6f1d22',
    ticket: { priority: 'high' },
  } as const;
  const context: EffectContext = {
    id: '7f0c1a52-8c0e-4f0c-9d39-2f4a6f6f1d33',
    at: '2026-03-02T12:00:00.000Z',
    by: { kind: 'system', id: 'process:fault-tickets' },
    origin: 'system',
    mayRepeat: false,
    signal: new AbortController().signal,
  };
  return process.effects.raise(effect, context);
};

describe('a ticket that a rule raises', () => {
  it('is not raised for a fault that is gone with its point or building', async () =>
    expect(await raising(async () => null)).toMatchObject({ outcome: 'ignored' }));

  it('that is refused is parked, and not tried again', async () => {
    const refused = refuse('VALIDATION_FAILED', 'No.');
    expect(await raising(() => Promise.reject(new Refused(refused)))).toEqual({
      outcome: 'given up',
      reason: 'VALIDATION_FAILED: No.',
    });
  });

  it('that fails is tried again', async () => {
    const failure = new Error('no database');
    await expect(raising(() => Promise.reject(failure))).rejects.toBe(failure);
  });
});
