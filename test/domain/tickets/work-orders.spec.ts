import { describe, expect, it } from 'vitest';
import { systemAuthority } from '../../../src/domain/authority.ts';
import { changeOf } from '../../../src/domain/tickets/change.ts';
import { ticketStates } from '../../../src/domain/tickets/graph.ts';
import { ticketDecider } from '../../../src/domain/tickets/ticket.ts';
import { timelineOf } from '../../../src/domain/tickets/timeline.ts';
import { linksAfter, linksShown } from '../../../src/domain/tickets/work-orders.ts';
import { afterNoon, specify } from '../../support/domain/specify.ts';
import {
  firstResponseBreached,
  historyOf,
  moved,
  noteId,
  opened,
  recordedOf,
  resolutionBreached,
  viewOf,
} from '../../support/domain/tickets.ts';

const given = specify(ticketDecider);

const shared = {
  authority: systemAuthority,
  workOrderId: '4711',
  occurredAt: '2026-03-02T12:00:00.000Z',
  links: true,
  noteId,
  body: 'Work order 4711.',
} as const;
const link = { type: 'LinkWorkOrder', ...shared } as const;
const progress = { type: 'NoteWorkOrderProgress', ...shared } as const;
const complete = { type: 'CompleteWorkOrder', ...shared } as const;

const linked = (workOrderId = '4711', occurredAt: string = shared.occurredAt) =>
  ({ type: 'WorkOrderLinked', workOrderId, occurredAt }) as const;
const note = { type: 'SystemNoteAdded', noteId, body: 'Work order 4711.' } as const;

describe('a work order on a ticket', () => {
  it('is linked, with a note', () => given(opened()).when(link).records(linked(), note));

  it.each([link, progress, complete])('is linked once ($type)', (command) =>
    given(opened(), linked()).when(command).records(note),
  );

  it('that names no ticket only notes', () =>
    given(opened())
      .when({ ...progress, links: false })
      .records(note));

  it.each([link, progress, complete])('is idempotent ($type)', (command) =>
    given(...historyOf('triaged'), linked(), note)
      .when(command)
      .recordsNothing(),
  );

  it.each(ticketStates)('that is completed on a ticket that is %s', (state) => {
    const resolves = ['triaged', 'in_progress', 'waiting'].includes(state);
    given(...historyOf(state))
      .when(complete)
      .records(linked(), ...(resolves ? [moved(state, 'resolved')] : []), note);
  });

  it('that is completed only notes it where the workflow has no such way', () =>
    given(...historyOf('waiting'))
      .when({ ...complete, workflow: { transitions: { waiting: ['in_progress'] } } })
      .records(linked(), note));

  it('that ends a clock late records the breach first', () =>
    given(...historyOf('triaged'))
      .when(complete, afterNoon(24 * 60))
      .records(
        linked(),
        firstResponseBreached,
        resolutionBreached,
        moved('triaged', 'resolved'),
        note,
      ));

  it('that is linked already moves the time of the link to an earlier one only', () => {
    const early = { ...link, occurredAt: '2026-03-01T00:00:00.000Z' };
    given(opened(), linked()).when(early).records(linked('4711', early.occurredAt), note);
    given(opened(), linked('4711', early.occurredAt)).when(link).records(note);
  });

  it('on a ticket that does not exist is refused', () => given().when(link).refuses('NOT_FOUND'));
});

describe('the links of a ticket', () => {
  it('are sorted by time, then by order, whatever their order of arrival', () => {
    const links = [linked('b'), linked('c', '2026-03-01T00:00:00.000Z'), linked('a')];
    const shown = { workOrderIds: ['c', 'a', 'b'], workOrderId: 'b' };
    for (const one of [links, links.toReversed()]) {
      expect(viewOf([opened(), ...one])).toMatchObject(shown);
    }
  });

  it('are none at first', () => expect(linksShown([])).toMatchObject({ workOrderId: null }));

  it('are the same list where nothing is new', () => {
    const links = linksAfter(linked(), []);
    expect(linksAfter(linked(), links)).toBe(links);
  });

  it('appear once on the timeline, also when an earlier time is recorded later', () => {
    const items = timelineOf(
      recordedOf([opened(), linked(), linked('4711', '2026-03-01T00:00:00.000Z')]),
    );
    expect(items).toMatchObject([{ kind: 'work_order', to: { workOrderId: '4711' } }]);
  });
});

it.each([
  [[linked(), note], 'work_order'],
  [[linked(), moved('triaged', 'resolved'), note], 'state'],
  [[note], 'note'],
] as const)('%o is one change of its own word', (events, word) =>
  expect(changeOf(events)).toBe(word),
);
