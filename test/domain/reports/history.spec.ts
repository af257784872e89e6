import { describe, expect, it } from 'vitest';
import { daysOf, historyAfter, type TicketHistory } from '../../../src/domain/reports/history.ts';
import type { TicketEvent } from '../../../src/domain/tickets/events.ts';
import {
  assigned,
  draft,
  firstResponseBreached,
  moved,
  opened,
  resolutionBreached,
  responded,
} from '../../support/domain/tickets.ts';

const at = (minutes: number) => Date.parse('2026-03-02T12:00:00.000Z') + minutes * 60_000;

/** Each fact an hour after the one before, from noon. */
const historyOf = (...events: readonly TicketEvent[]): TicketHistory =>
  events.reduce<TicketHistory | null>(
    (history, event, index) =>
      historyAfter({ event, at: new Date(at(index * 60)).toISOString() }, history),
    null,
  )!;

describe('the history of a ticket', () => {
  it('has each state with its time, and when its work was over', () => {
    const resolved = historyOf(opened(), moved('new', 'triaged'), moved('triaged', 'resolved'));
    expect(resolved).toMatchObject({
      states: ['new', 'triaged', 'resolved'],
      since: [at(0), at(60), at(120)],
      openUntil: at(120),
    });
    const closed = historyOf(
      opened(),
      moved('triaged', 'resolved'),
      moved('resolved', 'reopened'),
      moved('reopened', 'resolved'),
      moved('resolved', 'closed'),
    );
    expect(closed.openUntil).toBe(at(180));
    expect(historyOf(opened(), moved('new', 'triaged')).openUntil).toBeNull();
  });

  it('has times that never go back', () => {
    const late = historyAfter(
      { event: moved('new', 'triaged'), at: '2026-03-02T11:00:00.000Z' },
      historyOf(opened()),
    );
    expect(late.since).toEqual([at(0), at(0)]);
  });

  it('meets the first-response clock once, by a response or a resolution', () => {
    expect(historyOf(opened(), assigned('ana'), responded)).toMatchObject({
      respondedAt: at(120),
      firstResponseMetAt: at(120),
    });
    const resolved = historyOf(opened(), moved('triaged', 'resolved'), responded);
    expect(resolved).toMatchObject({ respondedAt: at(120), firstResponseMetAt: at(60) });
  });

  it('does not meet a clock that is breached, absent, or ended by a cancellation', () => {
    const missed = historyOf(opened(), firstResponseBreached, responded, resolutionBreached);
    expect(missed).toMatchObject({
      firstResponseMetAt: null,
      firstResponseMissedAt: Date.parse(firstResponseBreached.dueAt),
      resolutionMissedAt: Date.parse(resolutionBreached.dueAt),
    });
    const cancelled = historyOf(opened(), moved('new', 'cancelled'));
    expect(cancelled).toMatchObject({ firstResponseMetAt: null, openUntil: at(60) });
    const without = opened({ slaFirstResponseDueAt: null, slaResolutionDueAt: null });
    expect(historyOf(without, responded)).toMatchObject({
      firstResponseMetAt: null,
      hasFirstResponseClock: false,
      hasResolutionClock: false,
    });
  });

  it('misses the resolution clock at its due time, or at the reopening after it', () => {
    const due = Date.parse(resolutionBreached.dueAt);
    const missedAt = (...later: readonly TicketEvent[]) =>
      historyOf(opened(), moved('triaged', 'resolved'), ...later).resolutionMissedAt;
    const reopened = moved('resolved', 'reopened');
    expect(missedAt(reopened, resolutionBreached)).toBe(due);
    const idle = Array.from({ length: 8 }, () => responded);
    expect(missedAt(...idle, reopened, resolutionBreached)).toBe(at(10 * 60));
    const inProgress = moved('reopened', 'in_progress');
    expect(missedAt(...idle, reopened, inProgress, resolutionBreached)).toBe(at(10 * 60));
  });

  it('has the current location, category, team and priority', () => {
    const place = { storeyId: null, spaceId: null, elementId: null };
    const edited = historyOf(
      opened(),
      assigned(null, 'hvac'),
      { type: 'TicketEdited', changes: { priority: 'low', category: null } },
      { type: 'TicketRelocated', ...place },
    );
    expect(edited).toMatchObject({
      ...place,
      buildingId: draft.buildingId,
      assignedTeamId: 'hvac',
      priority: 'low',
      category: null,
    });
  });

  it('is the same object after an event without effect on reports', () => {
    const before = historyOf(opened(), assigned('ana', 'hvac'));
    const facts: readonly TicketEvent[] = [
      assigned('bo', 'hvac'),
      { type: 'TicketEdited', changes: { subject: 'Tap' } },
      { type: 'SystemNoteAdded', noteId: draft.ticketId, body: 'x' },
    ];
    for (const event of facts)
      expect(historyAfter({ event, at: '2026-03-03T12:00:00.000Z' }, before)).toBe(before);
  });

  it('begins only with the opening', () =>
    expect(() => historyAfter({ event: responded, at: '2026-03-02T12:00:00.000Z' }, null)).toThrow(
      'FirstResponseMade before TicketOpened',
    ));

  it('lists each day with reported changes once', () => {
    const day = Math.floor(at(0) / 86_400_000);
    const history = historyOf(opened(), moved('new', 'triaged'), responded);
    expect(daysOf(history)).toEqual([day]);
    expect(daysOf({ ...history, resolutionMissedAt: at(24 * 60) })).toEqual([day, day + 1]);
  });
});
