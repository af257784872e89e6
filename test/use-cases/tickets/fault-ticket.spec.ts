import { describe, expect, it } from 'vitest';
import type { FaultDetail } from '../../../src/building/telemetry/diagnostics.ts';
import { numberingCodec } from '../../../src/domain/tickets/codecs.ts';
import { refuse } from '../../../src/engine/aggregates/decider.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { serviceDeskRepository } from '../../../src/use-cases/service-desk/service-desks.ts';
import {
  endOfFault,
  raiseFaultTicket,
  ticketIdOf,
} from '../../../src/use-cases/tickets/fault-ticket.ts';
import { ticketNumberSequence } from '../../../src/use-cases/tickets/ticket-numbers.ts';
import { noon } from '../../support/domain/specify.ts';
import { ticketRepository } from '../../../src/use-cases/tickets/tickets.ts';

const faultId = '6f0c1a52-8c0e-4f0c-9d39-2f4a6f6f1d22';
const buildingId = '0b3f6f0e-54a5-4a53-8f5a-0d6f5b9d3c22';
const ticketId = ticketIdOf(faultId);
const closedAt = '2026-03-02T12:00:00.500Z';
const REPLACED = '7b3f6f0e-54a5-4a53-8f5a-0d6f5b9d3c22';
const name = { commandId: '1d0c1a52-8c0e-4f0c-9d39-2f4a6f6f1d11' };
const other = { commandId: '2d0c1a52-8c0e-4f0c-9d39-2f4a6f6f1d11' };

const fault: FaultDetail = {
  faultId,
  ruleId: '3b3f6f0e-54a5-4a53-8f5a-0d6f5b9d3c22',
  pointId: '4b3f6f0e-54a5-4a53-8f5a-0d6f5b9d3c22',
  elementId: '5b3f6f0e-54a5-4a53-8f5a-0d6f5b9d3c22',
  severity: 'high',
  title: 'Too warm',
  value: null,
  openedAt: '2026-03-02T11:00:00.000Z',
  closedAt: null,
  point: { code: 'T', name: 'Warmth', pointClass: 'Sensor', unit: null },
  condition: { comparison: 'stale', threshold: 600, forSeconds: 0 },
};

/** @param states Of the fault, one after the other; the last one stays. */
const desk = (...states: readonly (FaultDetail | null)[]) => {
  const log = memoryEventStore();
  const left = [...states];
  const noted: string[] = [];
  const tickets = ticketRepository(log);
  const raise = raiseFaultTicket({
    tickets,
    graph: {
      resolveLocation: async (_, { elementId = null }) =>
        elementId === REPLACED
          ? refuse('REFERENCE_NOT_FOUND', 'elementId')
          : { buildingId, storeyId: null, spaceId: null, elementId },
      aliasesOf: async () => new Map(),
      successorsOf: async (_, locations) => locations,
    },
    desks: serviceDeskRepository(log),
    numbers: ticketNumberSequence({ log, codec: numberingCodec }),
    diagnostics: {
      fault: async () => (left.length > 1 ? left.shift()! : left[0]!),
      noteTicket: async (id) => void noted.push(id),
    },
  });
  const asked = { organisation: 'acme', buildingId, faultId };
  return { raise: (as = name) => raise(asked, noon, as), tickets, noted };
};

describe('raising the ticket of a fault', () => {
  it('marks the fault, and describes the silent point and its rule', async () => {
    const { raise, noted } = desk(fault);
    const raised = await raise();
    expect(noted).toEqual([faultId]);
    expect(raised).toMatchObject({
      isOffered: false,
      answer: { view: { id: ticketId, faultId, priority: 'high', state: 'new' } },
    });
    const lines = raised!.answer.view.description.split('\n');
    expect(lines.slice(1)).toEqual([
      'Point: Warmth (T, Sensor)',
      'Value: never observed',
      'Condition: no observation for 600 s',
    ]);
  });

  it('of nothing is null', async () => expect(await desk(null).raise()).toBeNull());

  it('omits the condition of a deleted rule', async () => {
    const { answer } = (await desk({ ...fault, value: true, condition: null }).raise())!;
    expect(answer.view.description.split('\n').slice(2)).toEqual(['Value: yes']);
  });

  it('returns the existing ticket to another command', async () => {
    const { raise } = desk(fault);
    await raise();
    const again = await raise(other);
    expect(again).toMatchObject({ isOffered: true, answer: { revision: 0, recorded: [] } });
  });

  it('is at the present element where an import replaces it meanwhile', async () => {
    const { raise } = desk({ ...fault, elementId: REPLACED }, fault);
    const raised = await raise();
    expect(raised).toMatchObject({ answer: { view: { elementId: fault.elementId } } });
  });

  it('is refused where its element stays unknown, and none where the fault is gone', async () => {
    const lost = { ...fault, elementId: REPLACED };
    await expect(desk(lost).raise()).rejects.toMatchObject({
      refusal: { refused: 'REFERENCE_NOT_FOUND' },
    });
    expect(await desk(lost, null).raise()).toBeNull();
  });

  it('resolves it where the fault closed before there was a ticket', async () => {
    const { raise, tickets } = desk(fault, { ...fault, closedAt });
    await raise();
    expect((await tickets.look(ticketId))!.view.state).toBe('resolved');
    // A second announcement of the same end records nothing more.
    const end = endOfFault({ faultId, closedAt, why: 'recovered' }, undefined);
    const answer = await tickets.give(ticketId, { ...other, command: end }, noon);
    expect(answer.recorded).toEqual([]);
  });

  it('does not resolve one of a fault that had closed before', async () => {
    const { raise, tickets } = desk({ ...fault, closedAt });
    await raise();
    expect((await tickets.look(ticketId))!.view.state).toBe('new');
  });
});
