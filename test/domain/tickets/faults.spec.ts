import { describe, expect, it } from 'vitest';
import { authorityOf, systemAuthority } from '../../../src/domain/authority.ts';
import { TICKET_NOTES_MAX } from '../../../src/domain/tickets/limits.ts';
import { changeOf } from '../../../src/domain/tickets/change.ts';
import type { TicketEvent } from '../../../src/domain/tickets/events.ts';
import { edges, ticketStates, type TicketState } from '../../../src/domain/tickets/graph.ts';
import { ticketDecider } from '../../../src/domain/tickets/ticket.ts';
import { specify } from '../../support/domain/specify.ts';
import {
  assigned,
  historyOf,
  moved,
  noteId,
  opened,
  viewOf,
} from '../../support/domain/tickets.ts';

const given = specify(ticketDecider);
const faultId = '6f0c1a52-8c0e-4f0c-9d39-2f4a6f6f1d22';
const shared = { authority: systemAuthority, faultId, noteId, body: 'The fault has closed.' };
const end = { type: 'EndFaultOfTicket', ...shared } as const;
const reopen = { type: 'ReopenFaultOfTicket', ...shared } as const;
const note = { type: 'SystemNoteAdded', noteId, body: shared.body } as const;
const followed = (from: TicketState, to: TicketState) => ({ ...moved(from, to), faultId });
const routed = { ...moved('new', 'triaged'), ruleId: 'r1' };
const raised = opened({ faultId });
const ended: readonly TicketEvent[] = [followed('new', 'triaged'), followed('triaged', 'resolved')];
const otherNote = { ...note, noteId: '7f0c1a52-8c0e-4f0c-9d39-2f4a6f6f1d33' };

describe('a ticket of a fault', () => {
  it('shows its fault; any other shows none', () =>
    expect([viewOf([raised]).faultId, viewOf([opened()]).faultId]).toEqual([faultId, null]));

  it('is resolved with a note when the fault closes, in one change', () => {
    given(raised)
      .when(end)
      .records(...ended, note);
    expect(changeOf([...ended, note])).toBe('state');
  });

  it('that routing has triaged and assigned is resolved', () =>
    given(raised, routed, { ...assigned('ana'), ruleId: 'r1' })
      .when(end)
      .records(followed('triaged', 'resolved'), note));

  it.each(ticketStates.filter((state) => state !== 'new'))(
    'that was moved to %s gets only the note',
    (state) =>
      given(...historyOf(state))
        .when(end)
        .records(note),
  );

  it('that was assigned gets only the note', () =>
    given(raised, assigned('ana')).when(end).records(note));

  it('is reopened with its fault, and resolved with it again', () => {
    given(raised, ...ended, otherNote)
      .when(reopen)
      .records(followed('resolved', 'reopened'), note);
    given(raised, ...ended, otherNote, followed('resolved', 'reopened'))
      .when(end)
      .records(followed('reopened', 'resolved'), note);
  });

  it('that was closed meanwhile is not reopened', () =>
    given(raised, ...ended, moved('resolved', 'closed'))
      .when(reopen)
      .records(note));

  it('that is not resolved is not reopened', () => given(raised).when(reopen).records(note));

  it.each([end, reopen])('records nothing for a repeat ($type)', (command) =>
    given(raised, note).when(command).recordsNothing(),
  );

  it.each([{ new: [] }, { triaged: ['in_progress' as const] }])(
    'stays where the workflow has no way: %o',
    (transitions) =>
      given(raised)
        .when({ ...end, workflow: { transitions } })
        .records(note),
  );

  it('is no business of another organisation', () =>
    given(raised)
      .when({ ...end, authority: authorityOf('globex') })
      .refuses('NOT_FOUND'));

  it('moves without a note once it is full', () => {
    const full = Array.from({ length: TICKET_NOTES_MAX }, (_, at) => ({
      ...note,
      noteId: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
    }));
    given(raised, ...full)
      .when(end)
      .records(...ended);
  });

  it('uses only transitions of the graph', () => {
    for (const { from, to } of [...ended, followed('resolved', 'reopened')] as ReturnType<
      typeof moved
    >[])
      expect(edges[from]).toContain(to);
  });
});
