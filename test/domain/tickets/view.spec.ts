/** The public view of a ticket, event by event. interface.md «Ticket», contract.md section 5. */
import { describe, expect, it } from 'vitest';
import type { TicketEvent } from '../../../src/domain/tickets/events.ts';
import { ticketStates } from '../../../src/domain/tickets/graph.ts';
import { nextDueAt, runningClocks, viewAfter } from '../../../src/domain/tickets/view.ts';
import {
  assigned,
  firstResponseBreached,
  historyOf,
  moved,
  noted,
  noteId,
  opened,
  recordedOf,
  resolutionBreached,
  responded,
  viewOf,
} from '../../support/domain/tickets.ts';

const place = { storeyId: null, spaceId: null, elementId: null };

describe('a ticket', () => {
  it('has every member of the interface from the start', () => {
    const by = { kind: 'user', id: 'ana', name: 'Ana' } as const;
    expect(viewOf([opened()], { by })).toStrictEqual({
      id: '5f0c1a52-8c0e-4f0c-9d39-2f4a6f6f1d11',
      number: 'SR-000042',
      organisationId: 'acme',
      buildingId: '0b3f6f0e-54a5-4a53-8f5a-0d6f5b9d3c22',
      storeyId: '1b3f6f0e-54a5-4a53-8f5a-0d6f5b9d3c22',
      spaceId: null,
      elementId: null,
      requestType: 'general',
      subject: 'Sink',
      description: 'Water under the sink on storey 3.',
      priority: 'high',
      category: 'plumbing',
      channel: 'portal',
      reporterName: null,
      reporterEmail: null,
      reporterPhone: null,
      reporterErased: false,
      formData: {},
      metadata: {},
      state: 'new',
      slaFirstResponseDueAt: '2026-03-02T13:00:00.000Z',
      slaFirstResponseEndedAt: null,
      slaFirstResponseBreached: false,
      slaResolutionDueAt: '2026-03-02T20:00:00.000Z',
      slaResolutionBreached: false,
      slaPauses: false,
      slaPausedAt: null,
      firstRespondedAt: null,
      resolvedAt: null,
      closedAt: null,
      assignedUserId: null,
      assignedTeamId: null,
      workOrderId: null,
      workOrderIds: [],
      workOrderLinks: [],
      faultId: null,
      rating: null,
      createdAt: '2026-03-02T12:00:00.000Z',
      createdBy: by,
      updatedAt: '2026-03-02T12:00:00.000Z',
      revision: 0,
    });
  });

  it('does not show the routing rules that opened it so', () =>
    expect(viewOf([opened({ ruleIds: ['r1'] })])).toStrictEqual(viewOf([opened()])));

  it.each([
    [moved('new', 'triaged'), { state: 'triaged' }],
    [assigned('u1', 't1'), { assignedUserId: 'u1', assignedTeamId: 't1' }],
    [
      responded,
      {
        firstRespondedAt: '2026-03-02T12:01:00.000Z',
        slaFirstResponseEndedAt: '2026-03-02T12:01:00.000Z',
      },
    ],
    [firstResponseBreached, { slaFirstResponseBreached: true }],
    [resolutionBreached, { slaResolutionBreached: true }],
    [
      { type: 'TicketEdited', changes: { subject: null, priority: 'low', location: place } },
      { subject: null, priority: 'low', storeyId: null },
    ],
    [
      {
        type: 'TicketEdited',
        changes: { description: 'D', category: null, formData: { a: 1 }, metadata: { b: 2 } },
      },
      { description: 'D', category: null, formData: { a: 1 }, metadata: { b: 2 } },
    ],
    [{ type: 'TicketRelocated', ...place }, { storeyId: null }],
    [noted(), {}],
    [{ type: 'SystemNoteAdded', noteId, body: 'Routed.' }, {}],
  ] as [TicketEvent, object][])('after %j has only that changed, and when', (event, change) =>
    expect(viewOf([opened(), event])).toStrictEqual({
      ...viewOf([opened()]),
      ...change,
      updatedAt: '2026-03-02T12:01:00.000Z',
      revision: 1,
    }),
  );

  it('keeps who created it, and when', () => {
    const [first, second] = recordedOf([opened(), moved('new', 'triaged')]);
    const later = { ...second!, by: { kind: 'system', id: 'routing' } as const };
    expect(viewAfter(later, viewAfter(first!, null))).toMatchObject({
      createdAt: first!.at,
      createdBy: first!.by,
    });
  });

  it('without TicketOpened is a broken stream', () =>
    expect(() => viewOf([noted()])).toThrow('NoteAdded before TicketOpened'));
});

describe('resolvedAt and closedAt', () => {
  const resolved = historyOf('resolved');
  const reopened = historyOf('reopened');

  it('are the times of the transitions', () => {
    expect(viewOf(resolved)).toMatchObject({ resolvedAt: '2026-03-02T12:02:00.000Z' });
    expect(viewOf(historyOf('closed'))).toMatchObject({
      resolvedAt: '2026-03-02T12:02:00.000Z',
      closedAt: '2026-03-02T12:03:00.000Z',
    });
  });

  it('are empty again from a reopen until the next resolution', () => {
    const working = [...reopened, moved('reopened', 'in_progress')];
    expect(viewOf(reopened)).toMatchObject({ resolvedAt: null, closedAt: null });
    expect(viewOf(working)).toMatchObject({ resolvedAt: null });
    expect(viewOf([...working, moved('in_progress', 'resolved')])).toMatchObject({
      resolvedAt: '2026-03-02T12:05:00.000Z',
    });
  });

  it('stay empty for a cancelled ticket', () =>
    expect(viewOf(historyOf('cancelled'))).toMatchObject({ resolvedAt: null, closedAt: null }));
});

describe('the running clocks', () => {
  const first = { clock: 'first_response', dueAt: '2026-03-02T13:00:00.000Z', breached: false };
  const resolution = { clock: 'resolution', dueAt: '2026-03-02T20:00:00.000Z', breached: false };
  const running = (...events: readonly TicketEvent[]) => runningClocks(viewOf(events));

  it('are both before the first response', () =>
    expect(running(opened())).toEqual([first, resolution]));

  it('are the resolution alone after the first response', () =>
    expect(running(opened(), assigned('u1'), responded)).toEqual([resolution]));

  it.each(ticketStates)('of a ticket that is %s', (state) => {
    const over = ['resolved', 'closed', 'cancelled'].includes(state);
    const expected = over ? [] : state === 'reopened' ? [resolution] : [first, resolution];
    expect(running(...historyOf(state))).toEqual(expected);
  });

  it('do not restart the first response after a resolution without one', () =>
    expect(running(...historyOf('reopened'), moved('reopened', 'in_progress'))).toEqual([
      resolution,
    ]));

  it('run on when breached', () =>
    expect(running(opened(), firstResponseBreached, resolutionBreached)).toEqual([
      { ...first, breached: true },
      { ...resolution, breached: true },
    ]));

  it('are only those that exist', () => {
    expect(running(opened({ slaFirstResponseDueAt: null }))).toEqual([resolution]);
    expect(running(opened({ slaResolutionDueAt: null }))).toEqual([first]);
  });

  it('give the least due time, breached or not', () => {
    const next = (...events: readonly TicketEvent[]) => nextDueAt(viewOf(events));
    expect(next(opened())).toBe(first.dueAt);
    expect(next(opened(), firstResponseBreached)).toBe(first.dueAt);
    expect(next(opened({ slaResolutionDueAt: '2026-03-02T12:30:00.000Z' }))).toBe(
      '2026-03-02T12:30:00.000Z',
    );
    expect(next(opened(), responded)).toBe(resolution.dueAt);
    expect(next(...historyOf('resolved'))).toBeNull();
    expect(next(opened({ slaFirstResponseDueAt: null, slaResolutionDueAt: null }))).toBeNull();
  });
});
