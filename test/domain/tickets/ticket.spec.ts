/** Opening, assigning, notes, relocation. Oracles are the contract's, typed again. */
import { describe, expect, it } from 'vitest';
import { systemAuthority } from '../../../src/domain/authority.ts';
import type { TicketCommand } from '../../../src/domain/tickets/commands.ts';
import type { Priority } from '../../../src/domain/tickets/events.ts';
import { ticketStates, type TicketState } from '../../../src/domain/tickets/graph.ts';
import { ticketDecider } from '../../../src/domain/tickets/ticket.ts';
import { specify } from '../../support/domain/specify.ts';
import {
  acme,
  assigned,
  draft,
  historyOf,
  noted,
  noteId,
  opened,
  responded,
} from '../../support/domain/tickets.ts';

const given = specify(ticketDecider);

describe('opening', () => {
  /** contract.md section 5, from noon. */
  it.each([
    ['critical', '2026-03-02T12:15:00.000Z', '2026-03-02T16:00:00.000Z'],
    ['high', '2026-03-02T13:00:00.000Z', '2026-03-02T20:00:00.000Z'],
    ['medium', '2026-03-02T16:00:00.000Z', '2026-03-03T12:00:00.000Z'],
    ['low', '2026-03-02T20:00:00.000Z', '2026-03-05T12:00:00.000Z'],
  ] as [Priority, string, string][])(
    'a %s ticket at noon is due at %s and %s',
    (priority, slaFirstResponseDueAt, slaResolutionDueAt) =>
      given()
        .when({ type: 'OpenTicket', draft: { ...draft, priority } })
        .records(opened({ priority, slaFirstResponseDueAt, slaResolutionDueAt })),
  );

  it('refuses an id in use', () =>
    given(opened()).when({ type: 'OpenTicket', draft }).refuses('CONFLICT'));

  it.each(['formData', 'metadata'] as const)(
    'refuses %s of more than 16 KiB, by its name',
    (name) => {
      const withBytes = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });
      given()
        .when({ type: 'OpenTicket', draft: { ...draft, [name]: withBytes(16 * 1024) } })
        .records(opened({ [name]: withBytes(16 * 1024) }));
      const { outcome, refuses } = given().when({
        type: 'OpenTicket',
        draft: { ...draft, [name]: withBytes(16 * 1024 + 1) },
      });
      refuses('VALIDATION_FAILED');
      expect(outcome).toMatchObject({ extra: { errors: [{ path: name }] } });
    },
  );
});

describe('assignment', () => {
  const assign = (to: { assignedUserId?: string | null; assignedTeamId?: string | null }) =>
    ({ type: 'AssignTicket', authority: acme, ...to }) satisfies TicketCommand;
  const note = { noteId, body: 'Called back.' };

  it.each([
    ['a user', { assignedUserId: 'u1' }, assigned('u1')],
    ['a team', { assignedTeamId: 't1' }, assigned(null, 't1')],
    ['both', { assignedUserId: 'u1', assignedTeamId: 't1' }, assigned('u1', 't1')],
  ])('of %s is the first response', (_, to, fact) =>
    given(opened()).when(assign(to)).records(fact, responded),
  );

  it('of another user is no second first response', () =>
    given(opened(), assigned('u1'), responded)
      .when(assign({ assignedUserId: 'u2' }))
      .records(assigned('u2')));

  it('after an unassignment is no second first response', () =>
    given(opened(), assigned('u1'), responded, assigned(null))
      .when(assign({ assignedUserId: 'u1' }))
      .records(assigned('u1')));

  it('to null is no response, and records nothing for an unassigned ticket', () => {
    const unassign = assign({ assignedUserId: null, assignedTeamId: null });
    given(opened()).when(unassign).recordsNothing();
    given(opened(), assigned('u1')).when(unassign).records(assigned(null));
  });

  it('keeps the member that is absent', () =>
    given(opened(), assigned('u1', 't1'), responded)
      .when(assign({ assignedTeamId: 't2' }))
      .records(assigned('u1', 't2')));

  it('unassigns with null', () =>
    given(opened(), assigned('u1', 't1'), responded)
      .when(assign({ assignedUserId: null }))
      .records(assigned(null, 't1')));

  it('to whom it is assigned already records nothing', () =>
    given(opened(), assigned('u1', 't1'), responded)
      .when(assign({ assignedUserId: 'u1', assignedTeamId: 't1' }))
      .recordsNothing());

  it('to the current assignee still records the note sent with it', () =>
    given(opened(), assigned('u1'), responded)
      .when({ ...assign({ assignedUserId: 'u1' }), note })
      .records(noted()));

  it('carries a note, which is internal', () =>
    given(opened())
      .when({ ...assign({ assignedUserId: 'u1' }), note })
      .records(assigned('u1'), responded, noted('Called back.', 'internal')));

  it('with a note whose id is in use is refused', () =>
    given(opened(), noted())
      .when({ ...assign({ assignedUserId: 'u1' }), note })
      .refuses('CONFLICT'));

  it.each(ticketStates)('of a ticket that is %s is %s', (state) => {
    const { refuses, records } = given(...historyOf(state)).when(assign({ assignedUserId: 'u1' }));
    if (state === 'closed' || state === 'cancelled') refuses('TICKET_CLOSED');
    else records(assigned('u1'), responded);
  });
});

describe('notes', () => {
  const add = {
    type: 'AddNote',
    authority: acme,
    noteId,
    body: 'Called back.',
    visibility: 'public',
  } as const;
  const remark = {
    type: 'AddSystemNote',
    authority: systemAuthority,
    noteId,
    body: 'Routed.',
  } as const;

  it.each(ticketStates)('can be added to a ticket that is %s', (state) =>
    given(...historyOf(state))
      .when(add)
      .records(noted('Called back.', 'public')),
  );

  it('with an id in use by any kind of note are refused', () => {
    const another = { noteId: draft.ticketId, body: 'Hm.' };
    given(opened(), noted()).when(add).refuses('CONFLICT');
    given(opened(), noted(), { type: 'SystemNoteAdded', ...another })
      .when(add)
      .refuses('CONFLICT');
    given(opened(), noted(), { type: 'NoteAdded', ...another, visibility: 'public' })
      .when(add)
      .refuses('CONFLICT');
  });

  it('of Atrium itself name the rule that caused them', () => {
    given(opened()).when(remark).records({ type: 'SystemNoteAdded', noteId, body: 'Routed.' });
    given(opened())
      .when({ ...remark, ruleId: 'r1' })
      .records({ type: 'SystemNoteAdded', noteId, body: 'Routed.', ruleId: 'r1' });
  });

  it('of Atrium itself, redelivered, record nothing', () =>
    given(opened(), { type: 'SystemNoteAdded', noteId, body: 'Routed.' })
      .when(remark)
      .recordsNothing());
});

describe('after a building was replaced', () => {
  const from = { storeyId: draft.storeyId, spaceId: null, elementId: null };
  const to = { ...from, storeyId: '2b3f6f0e-54a5-4a53-8f5a-0d6f5b9d3c22' };
  const nowhere = { storeyId: null, spaceId: null, elementId: null };
  const relocate = { type: 'RelocateTicket', authority: systemAuthority, from, to } as const;
  const note = { noteId, body: 'Its place is gone.' };
  const ended: readonly TicketState[] = ['closed', 'cancelled'];

  it('a ticket gets the new ids of its place', () =>
    given(opened())
      .when(relocate)
      .records({ type: 'TicketRelocated', ...to }));

  it('a ticket whose location no longer exists loses it, with a system note', () =>
    given(opened())
      .when({ ...relocate, to: nowhere, note })
      .records(
        { type: 'TicketRelocated', ...nowhere },
        { type: 'SystemNoteAdded', noteId, body: 'Its place is gone.' },
      ));

  it('a ticket that has the system note already does not get it again', () =>
    given(opened(), { type: 'SystemNoteAdded', noteId, body: 'Its place is gone.' })
      .when({ ...relocate, to: nowhere, note })
      .records({ type: 'TicketRelocated', ...nowhere }));

  it('a ticket that was moved meanwhile stays where it is', () =>
    given(opened(), { type: 'TicketEdited', changes: { location: nowhere } })
      .when({ ...relocate, note })
      .recordsNothing());

  it('a ticket that is there already is left alone, redelivered or not', () => {
    given(opened(), { type: 'TicketRelocated', ...to })
      .when({ ...relocate, note })
      .recordsNothing();
    given(opened())
      .when({ ...relocate, to: from, note })
      .recordsNothing();
  });

  it.each(ticketStates.filter((state) => !ended.includes(state)))(
    'a ticket that is %s is moved',
    (state) =>
      given(...historyOf(state))
        .when(relocate)
        .records({ type: 'TicketRelocated', ...to }),
  );

  it.each(ended)('a ticket that is %s keeps its location, without a note', (state) =>
    given(...historyOf(state))
      .when({ ...relocate, to: nowhere, note })
      .recordsNothing(),
  );
});
