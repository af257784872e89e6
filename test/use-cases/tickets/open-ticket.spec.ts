import { describe, expect, it } from 'vitest';
import { refuse } from '../../../src/engine/aggregates/decider.ts';
import { locationWithin } from '../../../src/domain/buildings/location.ts';
import type { Configuration, Match } from '../../../src/domain/service-desk/configuration.ts';
import { FREE_FORM_BYTES_MAX } from '../../../src/domain/tickets/limits.ts';
import { numberingCodec } from '../../../src/domain/tickets/codecs.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { serviceDeskRepository } from '../../../src/use-cases/service-desk/service-desks.ts';
import { ticketNumberSequence } from '../../../src/use-cases/tickets/ticket-numbers.ts';
import { openTicket } from '../../../src/use-cases/tickets/open-ticket.ts';
import { configured, rule } from '../../support/domain/service-desk.ts';
import { noon } from '../../support/domain/specify.ts';
import { ticketRepository } from '../../../src/use-cases/tickets/tickets.ts';

const ids = {
  ticketId: '5f0c1a52-8c0e-4f0c-9d39-2f4a6f6f1d11',
  buildingId: '0b3f6f0e-54a5-4a53-8f5a-0d6f5b9d3c22',
  storeyId: '1b3f6f0e-54a5-4a53-8f5a-0d6f5b9d3c22',
  spaceId: '2b3f6f0e-54a5-4a53-8f5a-0d6f5b9d3c22',
};
const { ticketId, buildingId, storeyId, spaceId } = ids;
const asked = { ticketId, organisation: 'acme', buildingId, description: 'Water under the sink.' };
const name = { commandId: '1d0c1a52-8c0e-4f0c-9d39-2f4a6f6f1d11' };

/** A desk with a building of one room, which records look-ups. */
const desk = () => {
  const log = memoryEventStore();
  const lookedUp: string[] = [];
  const tickets = ticketRepository(log);
  const desks = serviceDeskRepository(log);
  const numbers = ticketNumberSequence({ log, codec: numberingCodec });
  const open = openTicket({
    tickets,
    graph: {
      resolveLocation: async (organisation, wanted) => {
        lookedUp.push('place');
        if (organisation !== 'acme') return refuse('REFERENCE_NOT_FOUND', 'No such building.');
        return locationWithin(wanted, new Map([[spaceId, { kind: 'space', storeyId, spaceId }]]));
      },
      aliasesOf: async () => {
        lookedUp.push('aliases');
        return new Map();
      },
      successorsOf: async (_building, locations) => locations,
    },
    desks: {
      configurationOf: (organisation) => {
        lookedUp.push('configuration');
        return desks.configurationOf(organisation);
      },
    },
    numbers: {
      next: (...of) => {
        lookedUp.push('number');
        return numbers.next(...of);
      },
    },
  });
  const configure = (parts: Partial<Configuration>) =>
    desks.give(
      'acme',
      {
        commandId: '2d0c1a52-8c0e-4f0c-9d39-2f4a6f6f1d11',
        command: {
          type: 'ReplaceConfiguration',
          organisation: 'acme',
          configuration: configured(parts),
        },
        organisation: 'acme',
      },
      noon,
    );
  return { open, configure, tickets, lookedUp };
};

describe('opening a ticket', () => {
  it('fills in defaults, and the storey of the space', async () => {
    const { view } = await desk().open({ ...asked, spaceId }, noon, name);
    expect(view).toMatchObject({
      id: ticketId,
      description: asked.description,
      buildingId,
      organisationId: 'acme',
      number: 'SR-000001',
      storeyId,
      spaceId,
      elementId: null,
      requestType: 'general',
      subject: null,
      priority: 'medium',
      category: null,
      channel: 'portal',
      reporterName: null,
      reporterEmail: null,
      reporterPhone: null,
      formData: {},
      metadata: {},
      state: 'new',
    });
  });

  it('keeps all that was said', async () => {
    const said = {
      requestType: 'repair',
      subject: 'Sink',
      priority: 'low',
      category: 'plumbing',
      channel: 'phone',
      reporterName: 'Ana',
      reporterEmail: 'ana@acme.test',
      reporterPhone: '112',
      formData: { a: 1 },
      metadata: { b: 2 },
    } as const;
    const { view } = await desk().open({ ...asked, ...said }, noon, name);
    expect(view).toMatchObject(said);
  });

  it('applies the current routing rules and SLA policies', async () => {
    const { open, configure } = desk();
    await configure({
      routingRules: [rule('r1', { triage: true, note: 'Routed.', assignTeamId: 'plumbers' })],
      slaPolicies: [{ name: 'Fast', firstResponseMinutes: 5, resolutionMinutes: null }],
    });
    const { view, recorded } = await open(asked, noon, name);
    expect(view).toMatchObject({
      state: 'triaged',
      assignedTeamId: 'plumbers',
      slaFirstResponseDueAt: '2026-03-02T12:05:00.000Z',
      slaResolutionDueAt: null,
    });
    expect(recorded.map(({ event }) => event.type)).toContain('SystemNoteAdded');
  });

  it('looks up successors only of storeys, spaces and elements, for a ticket in one', async () => {
    const lookUpsFor = async (match: Match, place: { spaceId?: string }) => {
      const { open, configure, lookedUp } = desk();
      await configure({ routingRules: [rule('r1', { match })] });
      await open({ ...asked, ...place }, noon, name);
      return lookedUp.filter((one) => one === 'aliases').length;
    };
    expect(await lookUpsFor({ spaceId: storeyId }, { spaceId })).toBe(1);
    expect(await lookUpsFor({ spaceId: storeyId }, {})).toBe(0);
    expect(await lookUpsFor({ buildingId }, { spaceId })).toBe(0);
  });

  it('is idempotent: a repeat returns the opened ticket, without look-ups', async () => {
    const { open, configure, lookedUp } = desk();
    const first = await open(asked, noon, name);
    await configure({ routingRules: [rule('r1', { triage: true })] });
    lookedUp.length = 0;
    const again = await open({ ...asked, description: 'Another.' }, noon, name);
    expect(again).toMatchObject({ view: first.view, replayed: true, recorded: [] });
    expect(lookedUp).toEqual([]);
  });

  it.each([
    ['formData', { formData: { deep: 'x'.repeat(FREE_FORM_BYTES_MAX) } }],
    ['metadata', { metadata: { deep: 'x'.repeat(FREE_FORM_BYTES_MAX) } }],
    ['formData', { requestType: 'leak' }],
  ])('refused for its %s, draws no number and records nothing', async (path, over) => {
    const { open, configure, tickets, lookedUp } = desk();
    const field = { key: 'since', kind: 'text', label: 'Since', required: true } as const;
    await configure({ requestTypes: [{ requestType: 'leak', name: 'Leak', fields: [field] }] });
    await expect(open({ ...asked, ...over }, noon, name)).rejects.toMatchObject({
      refusal: { refused: 'VALIDATION_FAILED', detail: expect.stringMatching(`^${path}[.:]`) },
    });
    expect(lookedUp).not.toContain('number');
    expect(await tickets.look(ticketId)).toBeNull();
  });

  it('refused for its location, draws no number and records nothing', async () => {
    const { open, tickets, lookedUp } = desk();
    const elsewhere = { ...asked, spaceId: storeyId };
    await expect(open(elsewhere, noon, name)).rejects.toMatchObject({
      refusal: { refused: 'REFERENCE_NOT_FOUND' },
    });
    const stranger = { ...asked, organisation: 'globex' };
    await expect(open(stranger, noon, name)).rejects.toMatchObject({
      refusal: { refused: 'REFERENCE_NOT_FOUND' },
    });
    expect(lookedUp).not.toContain('number');
    expect(await tickets.look(ticketId)).toBeNull();
  });
});
