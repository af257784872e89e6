/** The items of `GET {id}/updates`, and the kind of a change. contract.md section 5. */
import { describe, expect, it } from 'vitest';
import { changeOf } from '../../../src/domain/tickets/change.ts';
import type { TicketEvent } from '../../../src/domain/tickets/events.ts';
import { timelineOf } from '../../../src/domain/tickets/timeline.ts';
import {
  assigned,
  firstResponseBreached,
  moved,
  noted,
  noteId,
  opened,
  recordedOf,
  responded,
} from '../../support/domain/tickets.ts';

/** The last item's own words. */
const lastEntryOf = (...events: readonly TicketEvent[]) => {
  const { id: _, at: __, actor: ___, ...words } = timelineOf(recordedOf(events)).at(-1)!;
  return words;
};

const remark = { type: 'SystemNoteAdded', noteId, body: 'Routed.' } as const;
const edited = (changes: Extract<TicketEvent, { type: 'TicketEdited' }>['changes']) =>
  ({ type: 'TicketEdited', changes }) satisfies TicketEvent;

describe('the timeline', () => {
  it('says nothing of the opening and of the first response: other items and the ticket do', () => {
    expect(timelineOf(recordedOf([opened()]))).toEqual([]);
    const kinds = timelineOf(recordedOf([opened(), assigned('u1'), responded])).map(
      (it) => it.kind,
    );
    expect(kinds).toEqual(['assignment']);
  });

  it('has for each event an item with time, actor and a unique id', () => {
    const by = { kind: 'client', id: 'bridge' } as const;
    const [, transitioned, note] = recordedOf([opened(), moved('new', 'triaged'), noted()], { by });
    expect(timelineOf(recordedOf([opened(), moved('new', 'triaged'), noted()], { by }))).toEqual([
      {
        id: transitioned!.id,
        at: transitioned!.at,
        actor: by,
        kind: 'state',
        from: 'new',
        to: 'triaged',
      },
      {
        id: noteId,
        at: note!.at,
        actor: by,
        kind: 'note',
        body: 'Called back.',
        visibility: 'internal',
      },
    ]);
  });

  it('is ordered oldest first', () => {
    const events = [opened(), noted('First'), moved('new', 'triaged'), edited({ subject: 'Tap' })];
    expect(timelineOf(recordedOf(events)).map(({ kind }) => kind)).toEqual([
      'note',
      'state',
      'fields',
    ]);
  });

  it("gives Atrium's own notes under system, with the rule that caused them", () => {
    expect(lastEntryOf(opened(), remark)).toEqual({ kind: 'system', body: 'Routed.' });
    expect(lastEntryOf(opened(), { ...remark, ruleId: 'r1' })).toEqual({
      kind: 'system',
      body: 'Routed.',
      ruleId: 'r1',
    });
  });

  it('shows the changed assignees of an assignment', () => {
    expect(lastEntryOf(opened(), assigned('u1'))).toEqual({
      kind: 'assignment',
      from: { assignedUserId: null },
      to: { assignedUserId: 'u1' },
    });
    expect(lastEntryOf(opened(), assigned('u1', 't1'), assigned('u2', null))).toEqual({
      kind: 'assignment',
      from: { assignedUserId: 'u1', assignedTeamId: 't1' },
      to: { assignedUserId: 'u2', assignedTeamId: null },
    });
  });

  it('shows only the changed fields of an edit', () =>
    expect(
      lastEntryOf(
        opened(),
        edited({
          subject: 'Tap',
          location: { storeyId: opened().storeyId, spaceId: noteId, elementId: null },
        }),
      ),
    ).toEqual({
      kind: 'fields',
      from: { subject: 'Sink', spaceId: null },
      to: { subject: 'Tap', spaceId: noteId },
    }));

  it('shows only the changed, added and removed members of an object', () =>
    expect(
      lastEntryOf(
        opened({ metadata: { kept: { a: [1] }, changed: 1, gone: 2 } }),
        edited({ metadata: { kept: { a: [1] }, changed: 3, come: 4 } }),
      ),
    ).toEqual({
      kind: 'fields',
      from: { metadata: { changed: 1, gone: 2 } },
      to: { metadata: { changed: 3, come: 4 } },
    }));

  it('shows a relocation to new ids as changed fields', () =>
    expect(
      lastEntryOf(opened(), {
        type: 'TicketRelocated',
        storeyId: null,
        spaceId: null,
        elementId: null,
      }),
    ).toEqual({ kind: 'fields', from: { storeyId: opened().storeyId }, to: { storeyId: null } }));

  it('shows the clock and the due time of a breach', () =>
    expect(lastEntryOf(opened(), firstResponseBreached)).toEqual({
      kind: 'sla',
      to: { clock: 'first_response', dueAt: '2026-03-02T13:00:00.000Z', breached: true },
    }));

  it.each([
    { ...moved('new', 'triaged'), ruleId: 'r1' },
    { ...assigned('u1'), ruleId: 'r1' },
    { ...edited({ priority: 'critical' }), ruleId: 'r1' },
  ] as TicketEvent[])('names the rule behind %j', (event) =>
    expect(lastEntryOf(opened(), event)).toMatchObject({ ruleId: 'r1' }),
  );
});

describe('a change is called', () => {
  const facts = {
    created: [opened()],
    state: [moved('new', 'triaged')],
    assignment: [assigned('u1'), responded],
    fields: [
      edited({ subject: 'Tap' }),
      { type: 'TicketRelocated', storeyId: null, spaceId: null, elementId: null },
    ],
    sla: [firstResponseBreached],
    note: [noted(), remark],
  } as const satisfies Record<string, readonly TicketEvent[]>;
  const precedence = Object.keys(facts) as (keyof typeof facts)[];

  it.each(precedence)('%s by its own facts', (change) =>
    expect(facts[change].map((event) => changeOf([event]))).toEqual(
      facts[change].map(() => change),
    ),
  );

  const pairs = precedence.flatMap((first, at) =>
    precedence.slice(at + 1).map((second) => ({ first, second })),
  );
  it.each(pairs)('$first rather than $second, in either order', ({ first, second }) => {
    expect(changeOf([...facts[first], ...facts[second]])).toBe(first);
    expect(changeOf([...facts[second], ...facts[first]])).toBe(first);
  });

  it('nothing where nothing was recorded', () => expect(changeOf([])).toBeNull());
});
