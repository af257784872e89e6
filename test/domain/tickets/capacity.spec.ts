import { describe, expect, it } from 'vitest';
import { authorityOf, systemAuthority } from '../../../src/domain/authority.ts';
import type { TicketCommand } from '../../../src/domain/tickets/commands.ts';
import type { TicketEvent } from '../../../src/domain/tickets/events.ts';
import { ticketDecider } from '../../../src/domain/tickets/ticket.ts';
import {
  TICKET_NOTES_MAX,
  TICKET_TEXT_BYTES_MAX,
  TICKET_WORK_ORDERS_MAX,
} from '../../../src/domain/tickets/limits.ts';
import { TEXT_CHARACTERS_MAX } from '../../../src/limits.ts';
import { afterNoon, fold, specify } from '../../support/domain/specify.ts';
import {
  firstResponseBreached,
  moved,
  opened,
  resolutionBreached,
} from '../../support/domain/tickets.ts';

const given = specify(ticketDecider);
const authority = authorityOf('acme');
const spoken = 'x'.repeat(TEXT_CHARACTERS_MAX);

const notes = (count: number, body = 'x'): readonly TicketEvent[] =>
  Array.from({ length: count }, (_, index) => ({
    type: 'NoteAdded',
    noteId: `n${index}`,
    body,
    visibility: 'internal',
  }));

const addNote: TicketCommand = {
  type: 'AddNote',
  authority,
  noteId: 'one more',
  body: 'x',
  visibility: 'public',
};
const workOrder = {
  authority: systemAuthority,
  workOrderId: '4711',
  occurredAt: '2026-03-02T12:00:00.000Z',
  links: true,
  noteId: 'of an order',
  body: 'Work order 4711.',
} as const;
const transition = (to: 'resolved' | 'reopened' | 'in_progress' | 'cancelled'): TicketCommand => ({
  type: 'TransitionTicket',
  authority,
  to,
});

const fullOfNotes = [opened(), moved('new', 'triaged'), ...notes(TICKET_NOTES_MAX)];

describe('a ticket that is full', () => {
  it('has so many notes', () => {
    const almost = fullOfNotes.slice(0, -1);
    expect(given(...almost).when(addNote).outcome).toHaveLength(1);
    given(...fullOfNotes)
      .when(addNote)
      .refuses('TICKET_FULL');
    given(...fullOfNotes)
      .when({ type: 'AddSystemNote', authority, noteId: 'a', body: 'b' })
      .refuses('TICKET_FULL');
  });

  it('or so much text, in UTF-8, of notes and edits', () => {
    const count = Math.floor(TICKET_TEXT_BYTES_MAX / 3 / TEXT_CHARACTERS_MAX);
    const history = [opened(), ...notes(count, '漢'.repeat(TEXT_CHARACTERS_MAX))];
    given(...history)
      .when({ ...addNote, body: spoken })
      .refuses('TICKET_FULL');
    given(...history)
      .when({ type: 'EditTicket', authority, patch: { description: spoken } })
      .refuses('TICKET_FULL');
  });

  it('or so many work orders', () => {
    const links = Array.from({ length: TICKET_WORK_ORDERS_MAX }, (_, index): TicketEvent => ({
      type: 'WorkOrderLinked',
      workOrderId: `${index}`,
      occurredAt: workOrder.occurredAt,
    }));
    given(opened(), ...links)
      .when({ type: 'LinkWorkOrder', ...workOrder })
      .refuses('TICKET_FULL');
    expect(
      given(opened(), ...links.slice(1)).when({ type: 'LinkWorkOrder', ...workOrder }).outcome,
    ).toHaveLength(2);
  });

  it('counts an order once, however often its link is corrected', () => {
    const corrected = Array.from(
      { length: TICKET_WORK_ORDERS_MAX + 1 },
      (_, index): TicketEvent => ({
        type: 'WorkOrderLinked',
        workOrderId: 'A',
        occurredAt: new Date(Date.parse(workOrder.occurredAt) - index * 60_000).toISOString(),
      }),
    );
    const linking = given(opened(), ...corrected).when({ type: 'LinkWorkOrder', ...workOrder });
    expect(linking.outcome).toHaveLength(2);
  });

  it('is brought to its end without a word', () => {
    given(...fullOfNotes)
      .when(transition('resolved'))
      .records(moved('triaged', 'resolved'));
    given(...fullOfNotes)
      .when(transition('cancelled'))
      .records(moved('triaged', 'cancelled'));
    given(...fullOfNotes)
      .when({ ...transition('resolved'), note: { noteId: 'a', body: 'b' } } as TicketCommand)
      .refuses('TICKET_FULL');
    given(...fullOfNotes)
      .when({
        type: 'AssignTicket',
        authority,
        assignedUserId: 'ana',
        note: { noteId: 'a', body: 'b' },
      })
      .refuses('TICKET_FULL');
  });

  it('is resolved by a work order, though the order leaves no note', () => {
    given(...fullOfNotes)
      .when({ type: 'CompleteWorkOrder', ...workOrder })
      .records(moved('triaged', 'resolved'));
    given(...fullOfNotes, moved('triaged', 'resolved'))
      .when({ type: 'CompleteWorkOrder', ...workOrder })
      .refuses('TICKET_FULL');
    given(...fullOfNotes)
      .when({ type: 'LinkWorkOrder', ...workOrder })
      .refuses('TICKET_FULL');
  });

  it('moves with its building, and is breached when it is late', () => {
    const to = { storeyId: null, spaceId: null, elementId: null };
    const { storeyId, spaceId, elementId } = opened();
    given(...fullOfNotes)
      .when({
        type: 'RelocateTicket',
        authority: systemAuthority,
        from: { storeyId, spaceId, elementId },
        to,
        note: { noteId: 'a', body: 'b' },
      })
      .records({ type: 'TicketRelocated', ...to });
    given(...fullOfNotes)
      .when(
        { type: 'RecordSlaBreach', authority: systemAuthority, clock: 'first_response' },
        afterNoon(61),
      )
      .records(firstResponseBreached);
    given(...fullOfNotes, firstResponseBreached)
      .when(transition('resolved'), afterNoon(60 * 9))
      .records(resolutionBreached, moved('triaged', 'resolved'));
  });

  it('counts its contents correctly after any history', () => {
    const ticket = fold(ticketDecider, [...fullOfNotes, moved('triaged', 'resolved')]);
    expect(ticket?.held.notes).toBe(TICKET_NOTES_MAX);
    expect(ticket?.held.textBytes).toBeGreaterThan(TICKET_NOTES_MAX);
  });
});
